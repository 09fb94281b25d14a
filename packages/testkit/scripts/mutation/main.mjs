/**
 * `npm run mutants`: changes the code that keeps the promises, in one place at a time and in the ways people make
 * mistakes, and says which of the changes no test notices. It chooses the places by itself. Words choose modules
 * (`modules.mjs`) or files; `--sample` takes a few at random, for `.ci/run`.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { bin, Failure, root, run, say, seconds } from "../host.mjs"
import { EQUIVALENTS } from "./equivalents.mjs"
import { chosenFiles, faultsIn, groupBy, knownBy, sampleOf } from "./faults.mjs"
import { importsOf, testsOf } from "./imports.mjs"
import { HELD } from "./modules.mjs"

/** Of the faults of held files that are not known to change nothing, so many must be noticed. */
const HELD_SCORE_LEAST = 0.9

const SAMPLE = { countMax: 120, filesMax: 6, millisMax: 100_000, testsMax: 4 }

/** What is written as the noticing test where a process had to be ended. */
const ENDLESS = "endless"

/** What a test that is under way may take once the time is over. Then its process is ended. */
const GRACE_MILLIS = 20_000

/** How long a process may say nothing: then its fault made it endless. */
const SILENT_MILLIS_MAX = 120_000

const TESTS = join(root, "packages/testkit/scripts/mutation/tests.json")

const OPTIONS =
  "Options: --sample, --seed SEED, --all-tests, --test WORD, --only TEXT, --minutes N, --report FILE, --learn. Words name modules or files."

const optionsOf = (args) => {
  const options = {
    words: [],
    seed: undefined,
    sample: false,
    allTests: false,
    learn: false,
    only: "",
    report: undefined,
    minutes: 600,
    tests: []
  }
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]
    if (arg === "--sample") options.sample = true
    else if (arg === "--all-tests") options.allTests = true
    else if (arg === "--only") options.only = args[(at += 1)]
    else if (arg === "--learn") options.learn = true
    else if (arg === "--seed") options.seed = args[(at += 1)]
    else if (arg === "--report") options.report = args[(at += 1)]
    else if (arg === "--minutes") options.minutes = Number(args[(at += 1)])
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

/** What noticed a file's faults before. Absent: by imports alone. */
const learned = () => (existsSync(TESTS) ? JSON.parse(readFileSync(TESTS, "utf8")) : {})

/** Most test files that are tried for one source, unless all are asked for. */
const TESTS_MAX = 8

const isPure = (test) => /^packages\/(domain|testkit)\//.test(test)

/** What takes least comes first: a rule by itself, a store in memory, a whole service, and what tells long stories. */
const COSTS = [/^packages\/domain\/test\//, /^packages\/testkit\/test\/(memory|models)\//, /\/test\/service\//]

const costOf = (test) => {
  const cost = COSTS.findIndex((pattern) => pattern.test(test))
  return cost === -1 ? COSTS.length : cost
}

/** A source's own test has its path: `packages/domain/test/<path>.test.ts`. */
const isOwn = (source, test) =>
  test.replace(/\.test\.tsx?$/, "").replace("/test/", "/src/") === source.replace(/\.ts$/, "")

const wordsOf = (path) =>
  new Set(
    path
      .replace(/^packages\/\w+\/(src|test)\/|\.test|\.tsx?$/g, "")
      .split(/[/.]|(?=[A-Z])/)
      .map((word) => word.toLowerCase())
      .filter((word) => word.length > 3)
  )

/** How many words of its name and folders a source shares with a test. */
const likeness = (source, test) => {
  const words = wordsOf(source)
  return [...wordsOf(test)].filter((word) => [...words].some((each) => each.startsWith(word) || word.startsWith(each)))
    .length
}

/**
 * The tests for these files: those known to notice, then a file's own, then those named alike, the nearest first. What the
 * domain does is tried in memory; PostgreSQL is started only for its adapters, or if all tests are asked for.
 */
const testsFor = (files, { allTests, tests: given, testsMax }) => {
  const reaching = testsOf(importsOf(root))
  const known = learned()
  const chosen = new Map()
  const bySource = new Map()
  for (const file of files) {
    const reached = reaching(file)
      .map((each) => each.file)
      .toSorted((one, other) => likeness(file, other) - likeness(file, one))
      .filter((test) =>
        given.length === 0 ? allTests || isPure(test) === isPure(file) : given.some((word) => test.includes(word))
      )
    const taught = (known[file] ?? []).filter((test) => reached.includes(test))
    const own = reached.filter((test) => isOwn(file, test))
    const few = [...new Set([...taught, ...own, ...reached])].slice(
      0,
      allTests ? undefined : Math.max(testsMax, taught.length)
    )
    bySource.set(file, few)
    for (const [at, test] of few.entries()) {
      const before = chosen.get(test)
      chosen.set(test, { rank: Math.min(at, before?.rank ?? at), uses: (before?.uses ?? 0) + 1 })
    }
  }
  const tests = [...chosen]
    .toSorted(
      ([one, a], [other, b]) =>
        Number(isPure(other)) - Number(isPure(one)) || costOf(one) - costOf(other) || a.rank - b.rank || b.uses - a.uses
    )
    .map(([test]) => test)
  return { tests, bySource }
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
      [bin("vitest"), "run", "--config", "packages/testkit/scripts/mutation/vitest.config.mjs", ...plan.tests],
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
      if (performance.now() - at < SILENT_MILLIS_MAX || last === undefined) return
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
  const files = chosenFiles(root, options.words)
  const all = await faultsIn(root, files)
  checkEquivalents(all, files, options)
  const named = new Set(Object.values(EQUIVALENTS).flat().map(knownBy))
  const open = all.filter((fault) => !named.has(knownBy(fault)) && knownBy(fault).includes(options.only))
  const seed = await seedOf(options.seed)
  const faults = options.sample ? sampleOf(open, seed, SAMPLE) : open
  const under = [...new Set(faults.map(({ file }) => file))]
  const { bySource, tests } = testsFor(under, { ...options, testsMax: options.sample ? SAMPLE.testsMax : TESTS_MAX })
  say(
    `${faults.length} of ${all.length} faults of ${files.length} files, ${tests.length} test files` +
      (options.sample ? `, seed ${seed}` : "")
  )
  const folder = mkdtempSync(join(tmpdir(), "outbound-faults-"))
  const untilMillis = Date.now() + (options.sample ? SAMPLE.millisMax : options.minutes * 60_000)
  try {
    const lines = await runAll(folder, faults, tests, untilMillis)
    const outcomes = report(faults, lines, { ...options, seed, since, all, bySource })
    if (options.learn) learn(outcomes)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const runAll = async (folder, faults, tests, untilMillis) => {
  const out = join(folder, "outcomes")
  const planPath = join(folder, "plan.json")
  const byFile = {}
  for (const fault of faults) (byFile[join(root, fault.file)] ??= []).push(fault)
  let left = tests.map((test) => join(root, test))
  for (;;) {
    const noticed = linesOf(out).flatMap(({ fault }) => fault ?? [])
    const plan = { faults: byFile, tests: left, noticed, out, untilMillis }
    writeFileSync(planPath, JSON.stringify(plan))
    const output = await runPlan(planPath, plan)
    const lines = linesOf(out)
    const last = lines.at(-1)
    if (last === undefined && Date.now() < untilMillis)
      throw new Failure(`The tests did not run:\n${output.slice(-2000)}`, "Run one of them alone.")
    if (last?.test !== ENDLESS || Date.now() > untilMillis) return lines
    // Its process was ended, so the rest of the faults are tried in another one.
    left = left.slice(Math.max(left.indexOf(last.file), 0))
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

/** `bySource`: the tests chosen for each file. One that time did not suffice for might have noticed. */
const outcomesOf = (faults, lines, bySource) => {
  const done = new Set(lines.flatMap((line) => (line.done === undefined ? [] : [relative(root, line.done)])))
  const noticedBy = new Map(lines.filter(({ fault }) => fault !== undefined).map((line) => [line.fault, line]))
  const tried = new Set(lines.flatMap(({ trying }) => trying ?? []))
  const outcomeOf = ({ file, id }) => {
    if (noticedBy.has(id)) return "noticed"
    if (bySource.get(file).some((test) => !done.has(test))) return "not tried"
    return tried.has(id) ? "survived" : "not met"
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

const report = (faults, lines, { all, bySource, report: path, sample, seed, since, words }) => {
  const broken = lines.filter((line) => line.broken !== undefined)
  for (const { broken: why, file } of broken) say(`Fails without any fault: ${file}: ${why.test}: ${why.message}`)
  const outcomes = outcomesOf(faults, lines, bySource)
  const survivors = outcomes.filter(({ outcome }) => outcome === "survived" || outcome === "not met")
  for (const { after, before, file, kind, line, outcome } of survivors) {
    console.log(`${file}:${line}  [${kind}${outcome === "not met" ? ", no test comes by" : ""}]`)
    const [was, became] = shown(before, after)
    console.log(`  ${was}\n  → ${after === "" ? "(nothing)" : became}`)
  }
  const whole = scoreOf(outcomes)
  const held = scoreOf(outcomes.filter(({ file }) => HELD.includes(file)))
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
  if (held.score < HELD_SCORE_LEAST) process.exitCode = 1
  return outcomes
}

/** Keeps which tests noticed the faults of a file, those of most first, so that they are tried first from now on. */
const learn = (outcomes) => {
  const known = learned()
  for (const [file, of] of groupBy(outcomes, ({ file }) => file)) {
    const counts = new Map()
    for (const { by } of of) {
      if (by === undefined) continue
      const test = relative(root, by.file)
      counts.set(test, (counts.get(test) ?? 0) + 1)
    }
    const tests = [...counts].toSorted((one, other) => other[1] - one[1]).map(([test]) => test)
    known[file] = [...new Set([...tests, ...(known[file] ?? [])])].slice(0, TESTS_MAX)
  }
  writeFileSync(TESTS, `${JSON.stringify(Object.fromEntries(Object.entries(known).toSorted()), null, 2)}\n`)
}
