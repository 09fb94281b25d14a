/**
 * `npm run mutants -- planted`: breaks the service on purpose, one line at a time, and says of each fault whether the tests that
 * hold its guarantee notice. The faults are in `mutantFaults.mjs`. Works on a copy of the sources; the checkout is never
 * changed. `npm run mutants -- planted <word>` runs the faults whose guarantee or file has the word.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeStop, bin, Failure, root, runNode, say, seconds } from "./host.mjs"
import { FAULTS } from "./mutantFaults.mjs"

/** For what hangs: then nobody knows whether the tests would have noticed. */
const RUN_MILLIS_MAX = 700_000

const CONFIG = "packages/testkit/vitest.config.ts"

const copyOf = () => {
  const copy = mkdtempSync(join(tmpdir(), "outbound-mutants-"))
  const isSource = (path) => !/\/(node_modules|dist|docs|pictures)(\/|$)/.test(path.slice(root.length))
  cpSync(join(root, "packages"), join(copy, "packages"), { recursive: true, filter: isSource })
  for (const name of ["package.json", "tsconfig.base.json"]) cpSync(join(root, name), join(copy, name))
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
  return copy
}

/** A fault whose line is gone proves nothing, so all are looked up before any runs. */
const checkFaults = (faults) => {
  const stale = faults.filter(({ file, find }) => readFileSync(join(root, file), "utf8").split(find).length !== 2)
  if (stale.length === 0) return
  const lines = stale.map(({ file, find }) => `  ${file}: ${find}`).join("\n")
  throw new Failure(
    `These lines must each be in their file exactly once, and are not:\n${lines}`,
    "Mend packages/testkit/scripts/mutantFaults.mjs."
  )
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Runs the named tests in the copy. Returns how many passed and failed, or why that is unknown. */
const runTests = async (copy, { file, tests }) => {
  const report = join(copy, "report.json")
  rmSync(report, { force: true })
  const args = ["run", "--config", CONFIG, "--reporter=json", `--outputFile=${report}`, file]
  const names = tests.length === 0 ? [] : ["-t", tests.map(escaped).join("|")]
  // A sample might miss what the whole finds.
  const env = { OUTBOUND_TESTS: "thorough" }
  const options = { cwd: copy, capture: true, env, timeoutMillis: RUN_MILLIS_MAX }
  const { output } = await runNode(bin("vitest"), [...args, ...names], options)
  if (!existsSync(report)) return { broken: `the tests did not end: ${output.slice(-500)}` }
  const { numFailedTests, numPassedTests, testResults } = JSON.parse(readFileSync(report, "utf8"))
  const unloaded = testResults.find(
    ({ assertionResults, status }) => status === "failed" && assertionResults.length === 0
  )
  if (unloaded !== undefined) return { broken: `the test file did not load: ${unloaded.message.split("\n")[0]}` }
  if (numFailedTests + numPassedTests === 0) return { broken: "no test has these names" }
  return { failed: numFailedTests, passed: numPassedTests }
}

const outcomeOf = async (copy, fault) => {
  const path = join(copy, fault.file)
  const text = readFileSync(path, "utf8")
  writeFileSync(
    path,
    text.replace(fault.find, () => fault.replace)
  )
  try {
    const ran = await runTests(copy, fault.by)
    if (ran.broken !== undefined) return ran.broken
    return ran.failed > 0 ? "killed" : "SURVIVED"
  } finally {
    writeFileSync(path, text)
  }
}

/** Without a fault every named test passes; otherwise a failing one would prove nothing. */
const checkTests = async (copy, faults) => {
  const byFile = new Map()
  for (const { by } of faults) byFile.set(by.file, [...(byFile.get(by.file) ?? []), by])
  for (const [file, named] of byFile) {
    const ran = await runTests(copy, { file, tests: [...new Set(named.flatMap(({ tests }) => tests))] })
    if (ran.broken !== undefined || ran.failed > 0) {
      throw new Failure(`${file}: ${ran.broken ?? "tests fail without any fault"}.`, "Mend the tests first: npm test")
    }
  }
}

export const planted = async (words) => {
  const faults = FAULTS.filter(({ file, guarantee }) => words.every((word) => `${file} ${guarantee}`.includes(word)))
  checkFaults(faults)
  const copy = copyOf()
  const remove = () => rmSync(copy, { recursive: true, force: true })
  const takeBack = beforeStop(remove)
  const since = performance.now()
  try {
    await checkTests(copy, faults)
    say(`The named tests pass without a fault (${seconds(since)}).`)
    let killed = 0
    for (const fault of faults) {
      const from = performance.now()
      const outcome = await outcomeOf(copy, fault)
      console.log(`${outcome.padEnd(8)}  ${seconds(from).padStart(8)}  ${fault.guarantee}`)
      if (outcome === "killed") killed += 1
    }
    console.log(`${killed} of ${faults.length} faults were noticed, in ${seconds(since)}.`)
    if (killed !== faults.length) process.exitCode = 1
  } finally {
    takeBack()
    remove()
  }
}
