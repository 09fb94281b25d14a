/**
 * A runner for vitest that runs each test file as it is, sees which faults its tests come by, and then runs the tests that
 * come by a fault with this fault switched on, in the same process: what they import stays loaded, so a fault costs what
 * its tests cost. The tests that noticed most in the least time come first. A fault that is met while a module loads (a
 * table, a constant) has the modules loaded again.
 *
 * vitest itself knows of the first file only. The others are run from here, once it has passed.
 */
import { appendFileSync, readFileSync } from "node:fs"
import { TestRunner } from "vitest"
import { startTests } from "vitest/internal/browser"
import { SWITCH } from "./instrument.mjs"

const plan = JSON.parse(readFileSync(process.env.OUTBOUND_FAULTS, "utf8"))

/** Kept by the process, and not by vitest's modules, which are loaded again. */
const state = (globalThis[`${SWITCH}.state`] ??= {
  active: 0,
  hits: 0,
  deadline: Number.POSITIVE_INFINITY,
  seen: new Set()
})

/** The run's time is over. Every process of it asks the same clock, however late it began. */
const isOver = () => Date.now() > plan.untilMillis

globalThis[SWITCH] = (id) => {
  state.seen.add(id)
  if (id !== state.active) return false
  state.hits += 1
  // An endless loop gives no timer a turn.
  if ((state.hits & 1023) === 0 && performance.now() > state.deadline) throw new Error("endless with this fault")
  return true
}

const tell = (line) => appendFileSync(plan.out, `${JSON.stringify(line)}\n`)

const testsIn = (task) => (task.type === "test" ? [task] : task.tasks.flatMap(testsIn))

const fullName = (test) => {
  const names = []
  for (let task = test; task !== undefined && task.type !== undefined; task = task.suite) names.unshift(task.name)
  return names.join(" > ")
}

/** A suite whose set-up breaks fails without a test that does. */
const failureIn = (task) => {
  for (const child of task.tasks ?? []) {
    const failure = failureIn(child)
    if (failure !== undefined) return failure
  }
  if (task.result?.state !== "fail") return undefined
  return { test: task.name, message: String(task.result.errors?.[0]?.message ?? "").slice(0, 200) }
}

/** What a fault may make slower, before it counts as endless. The machine may be busy as well. */
const patience = (millis) => 10_000 + 10 * millis

/** What it takes to begin a file once more, whatever its tests take. */
const BEGIN_MILLIS = 100

/** What a file's last look may take once the time is over: without it, what it noticed is not said. */
const CHECK_MILLIS_MAX = 5_000

/**
 * Faults that run between two looks at whether the tests that noticed them still pass without one, and what they may take:
 * what was noticed since the last look is lost where the time is over.
 */
const BETWEEN_CHECKS = 25
const BETWEEN_CHECKS_MILLIS = 180_000

export default class FaultRunner extends TestRunner {
  #isOurs = false
  /** What the run without a fault meets, while there is one. */
  #met = null
  #reloads = false
  #isChecking = false
  #chosen = null
  #first = 0
  /** Met while something loaded, by whatever file came first. */
  #loading = new Set()
  #looks = []

  importFile(filepath, source) {
    if (source === "collect") {
      const cache = this.workerState.evaluatedModules
      const isStale = (path) =>
        this.#isOurs && !this.#reloads
          ? path.endsWith(filepath)
          : path.includes("/packages/") && !path.includes("/node_modules/") && !path.includes("/scripts/mutation/")
      for (const [path, module] of cache.idToModuleMap) if (isStale(path)) cache.invalidateModule(module)
    }
    return super.importFile(filepath, source)
  }

  onBeforeRunFiles(files) {
    if (this.#isOurs && this.#met === null) {
      if (this.#chosen === null) return
      for (const test of testsIn(files[0])) if (!this.#chosen.has(fullName(test))) test.mode = "skip"
      return
    }
    this.#met ??= { around: new Set(), tests: new Map() }
    for (const id of state.seen) this.#loading.add(id)
    state.seen.clear()
    this.#first = performance.now()
  }

  onBeforeTryTask(test) {
    super.onBeforeTryTask(test)
    if (this.#met === null) return
    for (const id of state.seen) this.#met.around.add(id)
    state.seen.clear()
  }

  onAfterTryTask(test) {
    if (this.#met !== null) {
      const name = fullName(test)
      const known = this.#met.tests.get(name) ?? new Set()
      for (const id of state.seen) known.add(id)
      this.#met.tests.set(name, known)
      state.seen.clear()
    }
    super.onAfterTryTask(test)
  }

  onAfterRunTask(test) {
    super.onAfterRunTask(test)
    if (this.#isOurs && this.#met === null && test.result?.state === "fail") this.cancelRun = true
    // A long file would go on for minutes. What its other tests would notice, nobody knows.
    if (isOver() && !this.#isChecking) this.cancelRun = true
  }

  async onAfterRunFiles(files) {
    super.onAfterRunFiles(files)
    if (this.#isOurs) return
    this.#keep(files[0])
    // vitest's own process hears of nothing else.
    const { onCollectStart, onCollected, onTaskUpdate } = this
    this.onCollectStart = super.onCollectStart
    this.onCollected = undefined
    this.onTaskUpdate = () => Promise.resolve()
    const { testTimeout } = this.config
    this.#isOurs = true
    try {
      for (const test of plan.tests) {
        if (test === files[0].filepath || isOver()) continue
        this.#met = { around: new Set(), tests: new Map() }
        this.cancelRun = false
        state.seen.clear()
        const [ran] = await startTests([{ filepath: test, testLocations: undefined }], this)
        this.#keep(ran)
      }
      if (!isOver() && !plan.looksOnly) await this.#plantAll()
    } finally {
      this.#isOurs = false
      this.config.testTimeout = testTimeout
      Object.assign(this, { onCollectStart, onCollected, onTaskUpdate })
    }
  }

  /** Keeps what the file's tests met and took. What fails without a fault notices nothing. */
  #keep(file) {
    const { around, tests } = this.#met
    this.#met = null
    for (const id of state.seen) around.add(id)
    state.seen.clear()
    const broken = failureIn(file)
    const passed = testsIn(file).filter((test) => test.result?.state === "pass")
    const millisOf = new Map(passed.map((test) => [fullName(test), test.result.duration ?? 0]))
    const millis = Math.round(performance.now() - this.#first)
    const met = new Set(around)
    for (const ids of tests.values()) for (const id of ids) met.add(id)
    tell({ looked: file.filepath, millis, met: [...met], broken, pid: process.pid })
    if (broken !== undefined || passed.length === 0 || isOver()) return
    this.#looks.push({ path: file.filepath, millis, met, around, tests, millisOf, tries: 0, kills: 0 })
  }

  /** How the fault is tried in each file that may notice it. Without `chosen`: all tests of the file. */
  #waysFor(fault) {
    const loads = this.#loading.has(fault)
    const reaching = plan.reaching[fault]
    return this.#looks.flatMap((look) => {
      if (loads) return reaching.includes(look.path) ? [{ look, fault, loads, chosen: null, millis: look.millis }] : []
      if (look.around.has(fault)) return [{ look, fault, loads, chosen: null, millis: look.millis }]
      if (!look.met.has(fault)) return []
      const chosen = new Set([...look.tests].filter(([, ids]) => ids.has(fault)).map(([name]) => name))
      const millis = [...chosen].reduce((sum, name) => sum + (look.millisOf.get(name) ?? 0), 0)
      return [{ look, fault, loads, chosen, millis }]
    })
  }

  async #plantAll() {
    const known = new Set(plan.decided)
    const open = Object.keys(plan.reaching)
      .map(Number)
      .filter((id) => !known.has(id))
    const ways = new Map(open.map((id) => [id, this.#waysFor(id)]))
    tell({ unmet: open.filter((id) => ways.get(id).length === 0) })
    const sound = new Map()
    let noticed = []
    let checkedAt = performance.now()
    /** Without a fault these tests pass, or their failing with one would show nothing. */
    const isSound = async ({ chosen, look, millis }) => {
      if (chosen === null) return true
      const key = `${look.path}\n${[...chosen].join("\n")}`
      if (!sound.has(key)) sound.set(key, (await this.#once(look.path, 0, chosen, false, millis)) === undefined)
      return sound.get(key)
    }
    const check = async () => {
      const files = new Map()
      for (const { way } of noticed) files.set(way.look.path, way.look)
      let isBroken = false
      this.#isChecking = true
      for (const { millis, path } of files.values()) {
        if (isOver() && millis > CHECK_MILLIS_MAX) return
        isBroken ||= (await this.#once(path, 0, null, false, millis)) !== undefined
      }
      this.#isChecking = false
      // Where one of them broke what the process keeps, each is tried again with everything loaded anew.
      for (const { line, way } of noticed) {
        if (!isBroken) tell(line)
        else {
          const failure = await this.#once(way.look.path, line.fault, null, true, way.look.millis)
          if (isOver()) break
          tell(failure === undefined ? { survived: line.fault } : { ...line, ...failure })
        }
      }
      noticed = []
      checkedAt = performance.now()
    }
    const value = ({ look, millis }) => (look.kills + 1) / (look.tries + 2) / (millis + BEGIN_MILLIS)
    // Loading everything anew takes longest, so this comes last.
    const inOrder = [...open.filter((id) => !this.#loading.has(id)), ...open.filter((id) => this.#loading.has(id))]
    for (const fault of inOrder) {
      let spent = 0
      let isNoticed = false
      const sorted = ways.get(fault).toSorted((one, other) => value(other) - value(one))
      for (const way of sorted) {
        if (isOver()) return check()
        const { chosen, loads, look } = way
        if (spent > 0 && spent + way.millis > plan.faultMillisMax) continue
        spent += way.millis
        look.tries += 1
        tell({ trying: fault, file: look.path, pid: process.pid, quietMillis: patience(way.millis) })
        const failure = await this.#once(look.path, fault, chosen, loads, way.millis)
        if (isOver()) return check()
        if (failure === undefined || !(await isSound(way))) continue
        look.kills += 1
        isNoticed = true
        noticed.push({ way, line: { fault, file: look.path, ...failure } })
        break
      }
      if (!isNoticed && sorted.length > 0) tell({ survived: fault })
      if (noticed.length >= BETWEEN_CHECKS || performance.now() - checkedAt > BETWEEN_CHECKS_MILLIS) await check()
    }
    await check()
  }

  /** Runs tests of a file once with a fault (0: none). Returns what failed. */
  async #once(path, fault, chosen, reloads, millis) {
    this.#chosen = chosen
    this.#reloads ||= reloads
    this.cancelRun = false
    this.config.testTimeout = patience(millis)
    Object.assign(state, { active: fault, hits: 0, deadline: performance.now() + patience(millis) })
    try {
      const [ran] = await startTests([{ filepath: path, testLocations: undefined }], this)
      return failureIn(ran)
    } finally {
      Object.assign(state, { active: 0, deadline: Number.POSITIVE_INFINITY })
      state.seen.clear()
      this.cancelRun = false
      this.#chosen = null
      // What was loaded with a fault is not kept.
      this.#reloads = reloads
    }
  }
}
