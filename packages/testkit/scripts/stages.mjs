/** `npm test` and `npm run check`: one line each stage, all even if one fails, and side by side. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bin, cpuOfPrograms, Failure, root, runNode, seconds } from "./host.mjs"

export const VITEST_CONFIG = "packages/testkit/vitest.config.ts"

const print = (text) => process.stdout.write(`${text}\n`)

const stageLine = (name, outcome, since, what) =>
  print(`${outcome.padEnd(6)}  ${name.padEnd(12)}  ${seconds(since).padStart(8)}  ${what}`)

const oxfmt = (args) => runNode(bin("oxfmt"), [".", ...args], { capture: true })

const statics = ({ checkTypes }) => [
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
    work: () => checkTypes(),
    mend: "Fix what the compiler reports."
  },
  {
    name: "architecture",
    what: "imports, tag keys, pinned versions",
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

const prepare = async ({ compile, install }) => {
  const since = performance.now()
  await install()
  await compile()
  stageLine("install", "ok", since, "packages as locked")
}

const staticStages = async (steps) => {
  const stages = statics(steps)
  const passed = await Promise.all(stages.map(runStage))
  return stages.flatMap(({ name }, index) => (passed[index] ? [] : [name]))
}

/** Runs vitest, and answers the plain line that says how many tests passed and failed, for the end. */
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
    if (code !== 0) process.exitCode = 1
    // A count that contradicts the exit code (nothing was found to run, vitest itself broke) would mislead its reader.
    return (code === 0 ? failed === 0 && passed > 0 : failed > 0) ? [`${passed} passed, ${failed} failed`] : []
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const check = async (steps) => {
  await prepare(steps)
  const failed = await staticStages({ checkTypes: () => steps.checkTypes(true) })
  if (failed.length > 0) throw new Failure(`Failed: ${failed.join(", ")}.`, "See above; then run: npm run check")
}

/** Where other work shares the machine, the processor time says more than the time that passed. */
const tellTime = (since) => {
  const cpu = cpuOfPrograms()
  print(`All of it took ${seconds(since)}${cpu === undefined ? "" : `, and ${cpu.toFixed(1)} s of processor time`}.`)
}

export const test = async ({ args, ...steps }) => {
  const since = performance.now()
  await prepare(steps)
  // Unless everything is asked for, a person's share of it (packages/testkit/vitest.share.ts).
  process.env.OUTBOUND_TESTS ??= "quick"
  // Side by side: tests run from the sources, and a first look at all types takes most of a minute.
  const [failed, tally] = await Promise.all([
    staticStages(steps),
    vitest("tests", VITEST_CONFIG, args, "One file alone: npm run vitest -- <file>")
  ])
  tellTime(since)
  tally.forEach(print)
  if (failed.length > 0) throw new Failure(`Failed: ${failed.join(", ")}.`, "See above; then run: npm test")
}

export const systemTests = async (args) => {
  const tally = await vitest(
    "test:system",
    "packages/testkit/vitest.system.config.ts",
    args,
    "These tests are packages/*/system/**/*.test.ts; they need real servers and start many processes."
  )
  tally.forEach(print)
}

export const format = async () => {
  const { code, output } = await oxfmt(["--write"])
  if (code !== 0) throw new Failure(output, "Fix what oxfmt can't parse, then run: npm run format")
}
