/**
 * `npm run mutants`: changes the code that keeps the promises, in one place at a time and in the ways people make
 * mistakes, and says which of the changes no test notices. It chooses the places by itself. Words choose modules
 * (`modules.mjs`) or files; `--sample` takes a few at random, for `.ci/run`; `survivors` shows what was measured last.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bin, Failure, root, run, say, seconds } from "../host.mjs"
import { isPure, keepReach, learn, testsFor, TESTS_MAX } from "./choose.mjs"
import { EQUIVALENTS } from "./equivalents.mjs"
import { chosenFiles, faultsIn, knownBy, sampleOf } from "./faults.mjs"
import { HELD_SCORE_LEAST, isHeld } from "./gate.mjs"
import { keepMeasured, leftOf, showMeasured } from "./measured.mjs"
import { HELD } from "./modules.mjs"

const SAMPLE = { countMax: 120, filesMax: 6, millisMax: 400_000, testsMax: 4 }

/** What the tests of one fault may take that none of them notices, as measured without it, unless `--each` says more. */
const FAULT_SECONDS_MAX = 6

/** What is written as the noticing test where a process had to be ended. */
const ENDLESS = "endless"

/** What a test that is under way may take once the time is over. Then its process is ended. */
const GRACE_MILLIS = 20_000

/** How long a process may say nothing after a fault's time is over: then its fault made it endless. */
const SILENT_MILLIS_MAX = 30_000

const OPTIONS =
  "Options: --sample, --seed SEED, --all-tests, --left, --test WORD, --only TEXT, --minutes N, --each SECONDS, --report FILE, --learn, --map. Words name modules or files."

const optionsOf = (args) => {
  const options = {
    words: [],
    seed: undefined,
    sample: false,
    allTests: false,
    learn: false,
    left: false,
    map: false,
    only: "",
    report: undefined,
    minutes: 600,
    each: FAULT_SECONDS_MAX,
    tests: []
  }
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]
    if (arg === "--sample") options.sample = true
    else if (arg === "--all-tests") options.allTests = true
    else if (arg === "--only") options.only = args[(at += 1)]
    else if (arg === "--learn") options.learn = true
    else if (arg === "--left") options.left = true
    else if (arg === "--map") options.map = true
    else if (arg === "--seed") options.seed = args[(at += 1)]
    else if (arg === "--report") options.report = args[(at += 1)]
    else if (arg === "--minutes") options.minutes = Number(args[(at += 1)])
    else if (arg === "--each") options.each = Number(args[(at += 1)])
    else if (arg === "--test") options.tests.push(args[(at += 1)])
    else if (arg.startsWith("-")) throw new Failure(`Unknown option ${arg}.`, OPTIONS)
    else options.words.push(arg)
  }
  return options
}

/** One commit always has one sample, so that a failure can be repeated; the next commit has another. */
const seedOf = async (given) => {
  if (given !== undefined) return given
  const { code, output } = await run("git", ["rev-parse", "--short=12", "HEAD"], { capture: true })
  return code === 0 ? output.trim() : String(process.hrtime.bigint())
}

const linesOf = (path) =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : []

/** It may have ended by itself meanwhile. */
const endWorker = (pid) => {
  try {
    process.kill(pid, "SIGKILL")
  } catch (error) {
    if (error.code !== "ESRCH") throw error
  }
}

/** Runs vitest over the plan until it ends, or says nothing for so long that its fault must be endless. */
const runPlan = (planPath, plan) =>
  new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [bin("vitest"), "run", "--config", "packages/testkit/scripts/mutation/vitest.config.mjs", plan.tests[0]],
      {
        cwd: root,
        env: { ...process.env, OUTBOUND_FAULTS: planPath, CI: "1", NO_COLOR: "1" },
        stdio: ["ignore", "pipe", "pipe"]
      }
    )
    const output = []
    child.stdout.on("data", (chunk) => output.push(chunk))
    child.stderr.on("data", (chunk) => output.push(chunk))
    let heard = 0
    let at = performance.now()
    const timer = setInterval(() => {
      if (Date.now() > plan.untilMillis + GRACE_MILLIS) child.kill("SIGTERM")
      const lines = linesOf(plan.out)
      if (lines.length !== heard) {
        heard = lines.length
        at = performance.now()
        return
      }
      const last = lines.findLast(({ trying }) => trying !== undefined)
      if (last === undefined || performance.now() - at < last.quietMillis + SILENT_MILLIS_MAX) return
      at = performance.now()
      writeFileSync(plan.out, `${JSON.stringify({ fault: last.trying, file: last.file, test: ENDLESS })}\n`, {
        flag: "a"
      })
      endWorker(last.pid)
      setTimeout(() => child.kill("SIGTERM"), 10_000).unref()
    }, 2_000)
    child.on("close", () => {
      clearInterval(timer)
      resolve(Buffer.concat(output).toString("utf8"))
    })
  })

export const mutants = async (args) => {
  const since = performance.now()
  const options = optionsOf(args)
  if (options.words[0] === "survivors") return showMeasured(chosenFiles(root, options.words.slice(1)))
  const files = chosenFiles(root, options.words)
  const all = await faultsIn(root, files)
  checkEquivalents(all, files, options)
  const named = new Set(Object.values(EQUIVALENTS).flat().map(knownBy))
  const open = all.filter((fault) => !named.has(knownBy(fault)) && knownBy(fault).includes(options.only))
  const seed = await seedOf(options.seed)
  const faults = options.sample ? sampleOf(open, seed, SAMPLE) : options.left ? leftOf(open, all) : open
  const under = [...new Set(faults.map(({ file }) => file))]
  const bySource = testsFor(under, { ...options, testsMax: options.sample ? SAMPLE.testsMax : TESTS_MAX })
  const tests = [...new Set([...bySource.values()].flat())]
  say(
    `${faults.length} of ${all.length} faults of ${files.length} files, ${tests.length} test files` +
      (options.sample ? `, seed ${seed}` : "")
  )
  const folder = mkdtempSync(join(tmpdir(), "outbound-faults-"))
  const untilMillis = Date.now() + (options.sample ? SAMPLE.millisMax : options.minutes * 60_000)
  try {
    const lines = await runAll(folder, faults, {
      bySource,
      faultMillisMax: options.each * 1_000,
      looksOnly: options.map,
      tests,
      untilMillis
    })
    if (options.map)
      return keepReach(
        faults,
        lines.filter(({ looked }) => looked !== undefined)
      )
    const outcomes = report(faults, lines, { ...options, seed, since, all })
    if (options.learn) {
      learn(outcomes)
      // A test that fails without any fault would have noticed some.
      const isWhole = options.only === "" && !options.sample && !lines.some(({ broken }) => broken !== undefined)
      if (isWhole) keepMeasured(outcomes, { all, open }, new Date().toISOString().slice(0, 10))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A process knows one project of tests, so those without a database come first, and the others try what is left. */
const runAll = async (folder, faults, { bySource, faultMillisMax, looksOnly, tests, untilMillis }) => {
  const lines = []
  for (const isOfProject of [isPure, (test) => !isPure(test)]) {
    const chosen = tests.filter(isOfProject)
    const noticed = new Set(lines.flatMap(({ fault }) => fault ?? []))
    const left = faults.filter(({ file, id }) => !noticed.has(id) && bySource.get(file).some(isOfProject))
    if (chosen.length === 0 || left.length === 0) continue
    const out = join(folder, `outcomes-${lines.length}`)
    const faultsOf = {}
    for (const fault of left) (faultsOf[join(root, fault.file)] ??= []).push(fault)
    const reaching = Object.fromEntries(
      left.map(({ file, id }) => [
        id,
        bySource
          .get(file)
          .filter(isOfProject)
          .map((test) => join(root, test))
      ])
    )
    const plan = {
      faults: faultsOf,
      reaching,
      tests: chosen.map((test) => join(root, test)),
      out,
      faultMillisMax,
      looksOnly,
      untilMillis
    }
    lines.push(...(await runProject(join(folder, "plan.json"), plan)))
  }
  return lines
}

const runProject = async (planPath, plan) => {
  for (;;) {
    const decided = linesOf(plan.out).flatMap(({ fault, survived }) => fault ?? survived ?? [])
    writeFileSync(planPath, JSON.stringify({ ...plan, decided }))
    const output = await runPlan(planPath, plan)
    const lines = linesOf(plan.out)
    const last = lines.at(-1)
    if (last === undefined && Date.now() < plan.untilMillis)
      throw new Failure(`The tests did not run:\n${output.slice(-2000)}`, "Run one of them alone.")
    // Its process was ended, so the rest of the faults are tried in another one.
    if (last?.test !== ENDLESS || Date.now() > plan.untilMillis) return lines
  }
}

/** An entry that no longer names a fault of its file hides nothing and says something untrue. */
const checkEquivalents = (all, files, { words }) => {
  const alive = new Set(all.map(knownBy))
  const stale = Object.values(EQUIVALENTS)
    .flat()
    .filter((each) => files.includes(each.file) || words.length === 0)
    .filter((each) => !alive.has(knownBy(each)))
  if (stale.length === 0) return
  throw new Failure(
    `These are no faults of their files any more:\n${stale.map((each) => `  ${knownBy(each)}`).join("\n")}`,
    "Mend packages/testkit/scripts/mutation/equivalents.mjs."
  )
}

const SHOWN_MAX = 160

/** Both texts around the place where they differ. */
const shown = (before, after) => {
  let same = 0
  while (same < before.length && before[same] === after[same]) same += 1
  const from = before.length <= SHOWN_MAX && after.length <= SHOWN_MAX ? 0 : Math.max(0, same - SHOWN_MAX / 2)
  return [before, after].map((text) => `${from > 0 ? "… " : ""}${text.slice(from, from + SHOWN_MAX)}`)
}

/** What time did not suffice for might have been noticed. */
const outcomesOf = (faults, lines) => {
  const noticedBy = new Map(lines.filter(({ fault }) => fault !== undefined).map((line) => [line.fault, line]))
  const survived = new Set(lines.flatMap((line) => line.survived ?? []))
  const unmet = new Set(lines.flatMap((line) => line.unmet ?? []))
  const outcomeOf = ({ id }) => {
    if (noticedBy.has(id)) return "noticed"
    if (survived.has(id)) return "survived"
    return unmet.has(id) ? "not met" : "not tried"
  }
  return faults.map((fault) => ({ ...fault, outcome: outcomeOf(fault), by: noticedBy.get(fault.id) }))
}

const scoreOf = (outcomes) => {
  const count = (word) => outcomes.filter(({ outcome }) => outcome === word).length
  const noticed = count("noticed")
  const decided = noticed + count("survived") + count("not met")
  return { noticed, decided, score: decided === 0 ? 1 : noticed / decided }
}

const told = ({ decided, noticed, score }) =>
  `${noticed} of ${decided} faults were noticed (${(100 * score).toFixed(1)} %)`

const report = (faults, lines, { all, report: path, sample, seed, since, words }) => {
  const broken = lines.filter((line) => line.broken !== undefined)
  for (const { broken: why, looked } of broken) say(`Fails without any fault: ${looked}: ${why.test}: ${why.message}`)
  const outcomes = outcomesOf(faults, lines)
  const survivors = outcomes.filter(({ outcome }) => outcome === "survived" || outcome === "not met")
  const isOfHeld = ({ file }) => HELD.includes(file)
  // Those of held files come last, where a reader of a long output looks first.
  for (const survivor of survivors.toSorted((one, other) => isOfHeld(one) - isOfHeld(other))) {
    const { after, before, file, kind, line, outcome } = survivor
    console.log(
      `${file}:${line}  [${kind}${outcome === "not met" ? ", no test comes by" : ""}${isOfHeld(survivor) ? ", held" : ""}]`
    )
    const [was, became] = shown(before, after)
    console.log(`  ${was}\n  → ${after === "" ? "(nothing)" : became}`)
  }
  const whole = scoreOf(outcomes)
  const held = scoreOf(outcomes.filter(isOfHeld))
  const untried = outcomes.length - whole.decided
  console.log(
    `${told(whole)}; of files held to ${100 * HELD_SCORE_LEAST} %: ${told(held)}` +
      (untried === 0 ? "" : `; ${untried} not tried for want of time`) +
      `; in ${seconds(since)}` +
      (sample ? `. Again: npm run mutants -- --sample --seed ${seed}` : "")
  )
  if (path !== undefined) {
    const listed = outcomes.map(({ after, before, by, file, kind, line, outcome }) => ({
      file,
      line,
      kind,
      before,
      after,
      outcome,
      by
    }))
    writeFileSync(
      path,
      JSON.stringify({ seed, words, faults: all.length, score: whole.score, outcomes: listed }, null, 1)
    )
  }
  if (!isHeld({ tried: held.decided, noticed: held.noticed, isDrawn: sample })) process.exitCode = 1
  return outcomes
}
