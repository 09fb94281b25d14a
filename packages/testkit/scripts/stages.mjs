/** `npm test` and `npm run check`: one line each stage, all static ones even if one fails, and side by side. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bin, Failure, root, runNode, seconds } from "./host.mjs"

export const VITEST_CONFIG = "packages/testkit/vitest.config.ts"

const print = (text) => process.stdout.write(`${text}\n`)

const stageLine = (name, outcome, since, what) =>
  print(`${outcome.padEnd(6)}  ${name.padEnd(12)}  ${seconds(since).padStart(8)}  ${what}`)

const oxfmt = (args) => runNode(bin("oxfmt"), [".", ...args], { capture: true })

const statics = ({ build }) => [
  {
    name: "format",
    what: "oxfmt",
    work: () => oxfmt(["--list-different"]),
    mend: "Run: npm run format"
  },
  {
    name: "lint",
    what: "oxlint",
    work: () => runNode(bin("oxlint"), ["--deny-warnings", "--format=unix", "."], { capture: true }),
    mend: "Fix what it reports; the rules are in .oxlintrc.json."
  },
  {
    name: "types",
    what: "tsc -b",
    work: build,
    mend: "Fix what the compiler reports."
  },
  {
    name: "architecture",
    what: "imports, tag keys, pinned versions",
    // It is one of the programs that "types" compiles.
    after: "types",
    work: () => runNode(join(root, "packages/testkit/dist/test/architecture/main.js"), [], { capture: true }),
    mend: "The rules are in AGENTS.md and packages/testkit/test/architecture/."
  }
]

const runStage = async ({ name, what, work, mend }) => {
  const since = performance.now()
  const { code, output } = await work()
  if (code === 0) {
    stageLine(name, "ok", since, what)
    return true
  }
  print(output)
  stageLine(name, "FAILED", since, `${what}. ${mend}`)
  return false
}

const staticStages = async ({ install, build }) => {
  const since = performance.now()
  await install()
  stageLine("install", "ok", since, "packages as locked")
  const started = new Map()
  for (const stage of statics({ build })) {
    started.set(
      stage.name,
      Promise.resolve(started.get(stage.after)).then(() => runStage(stage))
    )
  }
  const passed = await Promise.all(started.values())
  return [...started.keys()].filter((_name, index) => !passed[index])
}

/** Runs vitest, and ends with the plain line that says how many tests passed and failed. */
const vitest = async (name, config, args, mend) => {
  const since = performance.now()
  const folder = mkdtempSync(join(tmpdir(), "outbound-tally-"))
  const tally = join(folder, "tally.json")
  try {
    const reporter = join(root, "packages/testkit/scripts/tally.mjs")
    const { code } = await runNode(
      bin("vitest"),
      ["run", "--config", config, "--reporter=default", `--reporter=${reporter}`, ...args],
      { env: { OUTBOUND_TALLY: tally } }
    )
    stageLine(name, code === 0 ? "ok" : "FAILED", since, code === 0 ? "vitest" : `vitest. ${mend}`)
    const { passed, failed } = existsSync(tally) ? JSON.parse(readFileSync(tally, "utf8")) : { passed: 0, failed: 0 }
    // A count that contradicts the exit code (nothing was found to run, vitest itself broke) would mislead its reader.
    if (code === 0 ? failed === 0 && passed > 0 : failed > 0) print(`${passed} passed, ${failed} failed`)
    if (code !== 0) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const check = async (steps) => {
  const failed = await staticStages(steps)
  if (failed.length > 0) throw new Failure(`Failed: ${failed.join(", ")}.`, "See above; then run: npm run check")
}

export const test = async ({ args, ...steps }) => {
  const failed = await staticStages(steps)
  if (failed.length > 0) {
    throw new Failure(`Failed: ${failed.join(", ")}. The tests were not run.`, "See above; then run: npm test")
  }
  await vitest("tests", VITEST_CONFIG, args, `One file alone: npx vitest run --config ${VITEST_CONFIG} <file>`)
}

export const systemTests = (args) =>
  vitest(
    "test:system",
    "packages/testkit/vitest.system.config.ts",
    args,
    "These tests are packages/*/system/**/*.test.ts; they need real servers and start many processes."
  )

export const format = async () => {
  const { code, output } = await oxfmt(["--write"])
  if (code !== 0) throw new Failure(output, "Fix what oxfmt can't parse, then run: npm run format")
}
