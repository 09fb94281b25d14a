/**
 * A runner for vitest that runs each test file as it is, sees which faults its tests come by, and runs it again with each
 * of these faults switched on, in the same process: what a file imports stays loaded, so a fault costs what the tests
 * cost. A fault that is met while a module loads (a table, a constant) has the modules loaded again.
 */
import { appendFileSync, readFileSync } from "node:fs"
import { TestRunner } from "vitest"
import { startTests } from "vitest/internal/browser"
import { SWITCH } from "./instrument.mjs"

const plan = JSON.parse(readFileSync(process.env.OUTBOUND_FAULTS, "utf8"))

/** Kept over the files of a process, and not by vitest's modules, which know only one file. */
const state = (globalThis[`${SWITCH}.state`] ??= {
  active: 0,
  hits: 0,
  deadline: Number.POSITIVE_INFINITY,
  seen: new Set(),
  noticed: new Set(plan.noticed)
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

/** How long the last look of a file may take when the time is over: without it, what was noticed of the file is not said. */
const CHECK_MILLIS_MAX = 10_000

/** Faults that run between two looks at whether the tests still pass without one. */
const BETWEEN_CHECKS = 25

export default class FaultRunner extends TestRunner {
  #isOurs = false
  #isCut = false
  #isChecking = false
  #reloads = false
  #chosen = null
  #first = null
  #met = null

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
    if (this.#isOurs) {
      if (this.#chosen === null) return
      for (const test of testsIn(files[0])) if (!this.#chosen.has(fullName(test))) test.mode = "skip"
      return
    }
    this.cancelRun = false
    this.#isCut = isOver()
    if (this.#isCut) for (const test of testsIn(files[0])) test.mode = "skip"
    this.#met = { loading: new Set(state.seen), around: new Set(), tests: new Map() }
    state.seen.clear()
    this.#first = performance.now()
  }

  onBeforeTryTask(test) {
    super.onBeforeTryTask(test)
    if (this.#isOurs) return
    for (const id of state.seen) this.#met.around.add(id)
    state.seen.clear()
  }

  onAfterTryTask(test) {
    if (!this.#isOurs) {
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
    if (this.#isOurs && test.result?.state === "fail") this.cancelRun = true
    // A long file would go on for minutes. What its other tests would notice, nobody knows.
    if (isOver() && !this.#isChecking) {
      this.#isCut = true
      this.cancelRun = true
    }
  }

  async onAfterRunFiles(files) {
    super.onAfterRunFiles(files)
    if (this.#isOurs) return
    for (const id of state.seen) this.#met.around.add(id)
    if (!this.#isCut) await this.#plant(files[0])
    if (!this.#isCut) tell({ done: files[0].filepath })
    state.seen.clear()
  }

  async #plant(file) {
    const millis = performance.now() - this.#first
    const broken = failureIn(file)
    const tests = testsIn(file).filter((test) => test.result?.state === "pass")
    const met = new Set([...this.#met.loading, ...this.#met.around])
    for (const ids of this.#met.tests.values()) for (const id of ids) met.add(id)
    tell({ file: file.filepath, millis: Math.round(millis), met: [...met], broken, pid: process.pid })
    if (broken !== undefined || tests.length === 0) return

    // vitest's own process hears only of the run without a fault.
    const { onCollectStart, onCollected, onTaskUpdate } = this
    this.onCollectStart = super.onCollectStart
    this.onCollected = undefined
    this.onTaskUpdate = () => Promise.resolve()
    const { testTimeout } = this.config
    const longest = Math.max(0, ...tests.map((test) => test.result.duration ?? 0))
    this.config.testTimeout = patience(longest)
    this.#isOurs = true
    try {
      await this.#plantEach(
        file,
        millis,
        [...met].toSorted((one, other) => one - other)
      )
    } finally {
      this.#isOurs = false
      this.config.testTimeout = testTimeout
      Object.assign(this, { onCollectStart, onCollected, onTaskUpdate })
    }
  }

  async #plantEach(file, millis, met) {
    const sound = new Map()
    let noticed = []
    /** Without a fault the chosen tests pass, or their failing with one would show nothing. */
    const isSound = async (chosen) => {
      const key = [...chosen].join("\n")
      if (!sound.has(key)) sound.set(key, (await this.#once(file, 0, chosen, false, millis)) === undefined)
      return sound.get(key)
    }
    const passes = async () => {
      this.#isChecking = true
      const failure = await this.#once(file, 0, null, false, millis)
      this.#isChecking = false
      return failure === undefined
    }
    const check = async () => {
      if (noticed.length === 0) return
      if (isOver() && millis > CHECK_MILLIS_MAX) this.#isCut = true
      else if (await passes()) {
        for (const line of noticed) tell(line)
      } else {
        // One of them broke what the process keeps, so each is tried again with everything loaded anew.
        for (const { fault } of noticed) {
          state.noticed.delete(fault)
          if (isOver()) this.#isCut = true
          else await this.#try(file, fault, null, true, millis, tell)
        }
        await this.#once(file, 0, null, true, millis)
      }
      noticed = []
    }
    const isLoading = (fault) => this.#met.loading.has(fault)
    // Loading everything anew takes longest, so this comes last.
    for (const fault of [...met.filter((each) => !isLoading(each)), ...met.filter(isLoading)]) {
      if (state.noticed.has(fault)) continue
      if (isOver()) {
        this.#isCut = true
        break
      }
      const chosen = isLoading(fault) || this.#met.around.has(fault) ? null : this.#testsMeeting(fault)
      await this.#try(file, fault, chosen, isLoading(fault), millis, async (line) => {
        const holds = chosen === null || (await isSound(chosen))
        if (this.#isCut) return
        if (holds) return noticed.push(line)
        state.noticed.delete(fault)
        await this.#try(file, fault, null, false, millis, (again) => noticed.push(again))
      })
      if (noticed.length >= BETWEEN_CHECKS) await check()
    }
    await check()
  }

  async #try(file, fault, chosen, reloads, millis, keep) {
    tell({ trying: fault, file: file.filepath, pid: process.pid })
    const failure = await this.#once(file, fault, chosen, reloads, millis)
    if (failure === undefined) {
      if (!this.#isCut) tell({ survived: fault, file: file.filepath })
      return
    }
    state.noticed.add(fault)
    await keep({ fault, file: file.filepath, ...failure })
  }

  #testsMeeting(fault) {
    return new Set([...this.#met.tests].filter(([, ids]) => ids.has(fault)).map(([name]) => name))
  }

  /** Runs the file's tests once with a fault (0: none). Returns what failed. */
  async #once(file, fault, chosen, reloads, millis) {
    this.#chosen = chosen
    this.#reloads ||= reloads
    this.cancelRun = false
    Object.assign(state, { active: fault, hits: 0, deadline: performance.now() + patience(millis) })
    try {
      const [ran] = await startTests([{ filepath: file.filepath, testLocations: undefined }], this)
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

const fullName = (test) => {
  const names = []
  for (let task = test; task !== undefined && task.type !== undefined; task = task.suite) names.unshift(task.name)
  return names.join(" > ")
}
