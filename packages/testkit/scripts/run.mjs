/**
 * Every npm script starts here: it sets the checkout up, then does the work. Node's own modules are all it may
 * import, because in a fresh clone nothing else is there yet.
 */
import { bin, Failure, forwardSignals, root, say } from "./host.mjs"
import { image } from "./image.mjs"
import { launch } from "./launch.mjs"
import { lines } from "./lines.mjs"
import { mutants } from "./mutation/main.mjs"
import { pack } from "./pack.mjs"
import { python } from "./python.mjs"
import { planted } from "./planted.mjs"
import { onNode } from "./node.mjs"
import { checkTypes, compile, install, lock, setUp, setUpToRun } from "./setUp.mjs"
import { check, format, systemTests, test, VITEST_CONFIG } from "./stages.mjs"

const commands = {
  build: async () => {
    await setUp()
    say("Packages are installed and built.")
  },
  start: (args) => serviceAfterSetUp(["serve", ...args]),
  outbound: (args) => serviceAfterSetUp(args),
  bench: (args) => launchAfterSetUp("packages/testkit/bench/dist/main.js", args),
  screenshots: ([what, ...rest]) =>
    launchAfterSetUp(
      `packages/host-http/dist/test/screenshots/${what === "recipients" ? "recipientsMain" : "main"}.js`,
      rest
    ),
  loop: (args) => launchAfterSetUp("packages/examples/dist/src/loop/main.js", args),
  withoutWings: (args) => launchAfterSetUp("packages/testkit/dist/system/withoutWings.js", args),
  test: (args) => test({ install, checkTypes, compile, args }),
  check: () => check({ install, checkTypes, compile }),
  vitest: async (args) => {
    await install()
    await launch(bin("vitest"), ["run", "--config", VITEST_CONFIG, ...args])
  },
  watch: async (args) => {
    await install()
    await launch(bin("vitest"), ["watch", "--config", VITEST_CONFIG, "--project", "pure", ...args])
  },
  "test:system": async (args) => {
    await setUp()
    // Guides are compiled against the types, and packages are packed with them.
    await declare()
    await systemTests(args)
  },
  mutants: async (args) => {
    await install()
    const [first, ...rest] = args
    await (first === "planted" ? planted(rest) : mutants(args))
  },
  pack: async (args) => {
    await setUp()
    await declare()
    await pack(args)
  },
  python: async (args) => {
    await setUp()
    await python(args)
  },
  image: async (args) => {
    await setUp()
    await image(args)
  },
  lines,
  lock,
  format: async () => {
    await install()
    await format()
  }
}

/** Packages are published with their types. */
const declare = async () => {
  const { code, output } = await checkTypes()
  if (code !== 0) throw new Failure(output, "Fix what the compiler reports, then run this again.")
}

const serviceAfterSetUp = async (args) => {
  await setUpToRun()
  await launch(`${root}/packages/outbound/bin/outbound.mjs`, args)
}

const launchAfterSetUp = async (program, args) => {
  await setUp()
  await launch(`${root}/${program}`, args)
}

const [name, ...args] = process.argv.slice(2)
const command = commands[name]
if (command === undefined) {
  say(`Unknown command "${name ?? ""}". Commands: ${Object.keys(commands).join(", ")}.`)
  process.exit(2)
}

try {
  await onNode()
  process.chdir(root)
  forwardSignals()
  await command(args)
} catch (error) {
  // A failure we foresaw carries its own words; anything else shows where it came from.
  say(error.mend === undefined ? error.stack : `${error.message}\n${error.mend}`)
  process.exit(1)
}
