import { freePort } from "@outbound/testkit/net/FreePorts.js"
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { blocksOf } from "./support/Blocks.js"
import { root, type Running, runningIn } from "./support/Program.js"

/** From an empty folder with the tarballs installed to a loop that has ended, beside other tests on two slow cores. */
const LOOP_MILLIS_MAX = 120_000

/** An install waits for each of them. */
const PACKAGES_MAX = 50

const SCRIPTS = join(root, "packages/testkit/scripts/run.mjs")
const TSC = join(root, "node_modules/typescript/bin/tsc")

/** The compiler as a careful team sets it, without `skipLibCheck` of our own sources: they come compiled. */
const STRICT = {
  compilerOptions: {
    target: "ES2022",
    lib: ["ES2023"],
    module: "NodeNext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    types: ["node"],
    outDir: "out"
  },
  include: ["*.ts"]
}

/** The oldest `effect` that the manifests allow. */
const EFFECT_OLDEST = "4.0.5"

/** What a team writes first that embeds the service: the first two examples of the guide. */
const embeddedAt = (port: number): string => {
  const guide = readFileSync(join(root, "docs/guides/embedding.md"), "utf8")
  const [start = "", calls = ""] = blocksOf("guides/embedding.md", guide).flatMap(({ body, language }) =>
    language === "ts" ? [body] : []
  )
  assert.include(start, "await embed(")
  assert.include(calls, "verify_email")
  return [start.replace("8080", String(port)), calls, "console.log(result.status)", "process.exit()"].join("\n")
}

/** What a tester writes first. */
const TESTED = `
import { inMemory } from "@outbound/testkit/harness/inMemory.js"
await using service = await inMemory()
const { agent } = await service.workspace()
console.log((await agent.verify_email({ email: "valid@magic.test" })).result.status)
`

/** What a program writes first that calls a service. */
const CONNECTED = `
import { connect } from "@outbound/client/connect.js"
await connect({ url: "http://localhost:9", apiKey: "none" }).then(({ close }) => close(), ({ message }) => console.log(message))
`

let tarballs: string
/** Where all packages are installed, and where the service alone is. */
let folder: string
let alone: string
/** Where other versions of a library lie, and those who have them. */
let others: string

/** A folder that nothing of the checkout reaches. */
const emptyFolder = (name: string): string => {
  const made = mkdtempSync(join(tmpdir(), `outbound-${name}-`))
  // Where the tests run as root, the database's own account must be able to walk through.
  chmodSync(made, 0o755)
  return made
}

const ended = async (running: Running): Promise<string> => {
  const { code, err, out } = await running.ended
  assert.strictEqual(code, 0, `${out}\n${err}`)
  return out
}

const node = (
  where: string,
  script: string,
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {}
) => runningIn(where, process.execPath, [script, ...args], environment)

const installing = (into: string, files: ReadonlyArray<string>, ...also: ReadonlyArray<string>): Running => {
  writeFileSync(join(into, "package.json"), JSON.stringify({ name: "a-team", private: true, type: "module" }))
  const named = files.map((file) => join(tarballs, file))
  return runningIn(into, "npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...also, ...named])
}

const install = async (...args: Parameters<typeof installing>): Promise<void> => {
  await ended(installing(...args))
}

/** The packages of these names, and what they bring. */
const filesOf = (...names: ReadonlyArray<string>) =>
  names.map((name) => readdirSync(tarballs).find((file) => file.startsWith(`outbound-${name}-`)) ?? name)

/** A tarball of `effect` that says another version: what ours is, or nothing at all. */
const effectOf = async (version: string, from?: string): Promise<string> => {
  const at = join(others, version)
  if (from === undefined) mkdirSync(at)
  else cpSync(from, at, { recursive: true })
  const manifest =
    from === undefined ? { name: "effect", exports: { "./package.json": "./package.json" } } : readManifest(at)
  writeFileSync(join(at, "package.json"), JSON.stringify({ ...manifest, version }))
  await ended(runningIn(others, "npm", ["pack", "--ignore-scripts", at]))
  return join(others, `effect-${version}.tgz`)
}

const readManifest = (at: string) =>
  JSON.parse(readFileSync(join(at, "package.json"), "utf8")) as Readonly<Record<string, unknown>>

beforeAll(async () => {
  tarballs = emptyFolder("tarballs")
  folder = emptyFolder("installed")
  alone = emptyFolder("alone")
  await ended(runningIn(root, process.execPath, [SCRIPTS, "pack", tarballs]))
  others = emptyFolder("others")
  const files = readdirSync(tarballs)
  await install(folder, files)
  await install(
    alone,
    files.filter((file) => file.startsWith("outbound-service-"))
  )
})

afterAll(() => {
  for (const made of [tarballs, folder, alone, others]) rmSync(made, { recursive: true, force: true })
})

describe("the packages, installed from tarballs into an empty folder", () => {
  it("are public, hold no test and no link to the checkout, and bring no test runner", () => {
    const names = ["adapters", "client", "domain", "examples", "host-http", "host-mcp", "sandbox", "testkit"]
    const installed = [...names.map((name) => `@outbound/${name}`), "outbound-service"]
    for (const name of installed) {
      const at = join(folder, "node_modules", name)
      const manifest = JSON.parse(readFileSync(join(at, "package.json"), "utf8")) as Record<string, unknown>
      assert.notProperty(manifest, "private")
      assert.notIncludeMembers(readdirSync(at), ["test", "system", "bench", "tsconfig.json"])
      assert.include(readdirSync(at), "LICENSE")
    }
    assert.notInclude(readdirSync(join(folder, "node_modules")), "vitest")
  })

  it(`hold a service that brings fewer than ${PACKAGES_MAX} others along, and names those inside it with their licences`, () => {
    const locked = JSON.parse(readFileSync(join(alone, "package-lock.json"), "utf8")) as { readonly packages: object }
    assert.isBelow(Object.keys(locked.packages).length, PACKAGES_MAX)
    const program = join(alone, "node_modules/outbound-service/dist/program")
    const licenses = readFileSync(join(program, "LICENSES.txt"), "utf8")
    assert.match(licenses, /^effect \d+\.\d+\.\d+ \(MIT\)\n\nMIT License\n/m)
    const bill = readFileSync(join(program, "outbound.cdx.json"), "utf8")
    assert.match(bill, /"purl": "pkg:npm\/%40effect\/sql-pg@\d+\.\d+\.\d+"/)
  })

  it("hold a service that starts by one command, and a loop that runs against it to its end", async () => {
    const environment = { OUTBOUND_PORT: String(await freePort()) }
    const begun = performance.now()
    const service = node(alone, join(alone, "node_modules/outbound-service/bin/outbound.mjs"), ["start"], environment)
    await service.said("outbound is ready at")
    assert.include(service.out, "outbound-loop --approve")
    const loop = join(folder, "node_modules/@outbound/examples/bin/outbound-loop.mjs")
    assert.match(await ended(node(alone, loop, ["--approve"], environment)), /Done\. \d+ credits spent/)
    assert.isBelow(performance.now() - begun, LOOP_MILLIS_MAX)
    assert.strictEqual((await service.signal("SIGTERM")).code, 0)
  })

  it("let a team embed the service, and test in memory, in TypeScript at its strictest", async () => {
    const sources = join(folder, "node_modules/@outbound/examples/src")
    for (const name of ["embedded.ts", "inATest.ts"]) copyFileSync(join(sources, name), join(folder, name))
    const main = [
      `import { Effect } from "effect"`,
      `import { embedded } from "./embedded.js"`,
      `import { inATest } from "./inATest.js"`,
      `for (const line of [...(await Effect.runPromise(embedded)), ...(await Effect.runPromise(inATest))]) console.log(line)`
    ]
    writeFileSync(join(folder, "main.ts"), main.join("\n"))
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(STRICT))
    mkdirSync(join(folder, "out"))
    await ended(node(folder, TSC, ["--checkers", "1", "-p", folder]))
    const said = await ended(node(folder, join(folder, "out/main.js"), []))
    assert.include(said, "ada@customers.example: valid, 1 credit, 9 left")
    assert.include(said, "interested@magic.test: interested")
  })
})

describe("the packages, beside the effect that a team has", () => {
  const written = async (team: string, script: string) => {
    writeFileSync(join(team, "main.mjs"), script)
    const { code, err, out } = await node(team, join(team, "main.mjs"), [], { OUTBOUND_SECRET: "s".repeat(48) }).ended
    assert.strictEqual(code, 0, `${out}\n${err}`)
    return { err, out: out.trim() }
  }

  it.each([
    ["the oldest that they name", () => Promise.resolve(`effect@${EFFECT_OLDEST}`), EFFECT_OLDEST],
    ["a newer one of the same major", () => effectOf("4.99.0", join(root, "node_modules/effect")), "4.99.0"]
  ] as const)("run with %s, of which there is one copy, without a word", async (_, which, version) => {
    const team = join(others, `team-${version}`)
    mkdirSync(team)
    chmodSync(team, 0o755)
    const files = filesOf("domain", "adapters", "sandbox", "client", "host-mcp", "host-http", "testkit")
    await install(team, files, await which())
    const copies = readdirSync(join(team, "node_modules"), { recursive: true, encoding: "utf8" }).filter((path) =>
      /(^|node_modules\/)effect\/package\.json$/.test(path)
    )
    assert.deepStrictEqual(copies, ["effect/package.json"])
    assert.strictEqual(readManifest(join(team, "node_modules/effect")).version, version)
    for (const script of [embeddedAt(await freePort()), TESTED]) {
      const { err, out } = await written(team, script)
      assert.match(out, /^valid$/m)
      assert.notInclude(err, "effect")
    }
  })

  it("are refused by npm where it is out of their range, and where that was forced, the program says so in one line", async () => {
    const team = join(others, "team-3")
    mkdirSync(team)
    const old = await effectOf("3.19.0")
    const refused = await installing(team, filesOf("domain", "client"), old).ended
    assert.notStrictEqual(refused.code, 0)
    assert.match(refused.err, /peer effect@"\^4\.0\.5" from @outbound\/(domain|client)@/)
    await install(team, filesOf("domain", "client"), "--legacy-peer-deps", old)
    const { out } = await written(team, CONNECTED)
    assert.match(
      out,
      /^outbound needs effect \^4\.0\.5, and this program has 3\.19\.0: npm install "effect@\^4\.0\.5" [^\n]+$/
    )
  })
})
