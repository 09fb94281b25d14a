/** Which tests are tried for the faults of a file, and what is kept of what they noticed. */
import { existsSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { root } from "../host.mjs"
import { groupBy } from "./faults.mjs"
import { importsOf, testsOf } from "./imports.mjs"
import { keepSorted } from "./measured.mjs"

const TESTS = join(root, "packages/testkit/scripts/mutation/tests.json")

/** Most test files that are tried for one source, unless all are asked for. */
export const TESTS_MAX = 8

/** Most that are tried beside for their names. */
const ALIKE_MAX = 3

/** What was noticed by which test of a file before, and what reaches it in the least time. Absent: by imports alone. */
const learned = () => (existsSync(TESTS) ? JSON.parse(readFileSync(TESTS, "utf8")) : {})

export const isPure = (test) => /^packages\/(domain|testkit)\//.test(test)

/** What takes least comes first: a rule by itself, a store in memory, a whole service, and what tells long stories. */
const COSTS = [/^packages\/domain\/test\//, /^packages\/testkit\/test\/(memory|models)\//, /\/test\/service\//]

const costOf = (test) => {
  const cost = COSTS.findIndex((pattern) => pattern.test(test))
  return cost === -1 ? COSTS.length : cost
}

/** What they take, and what they read, has nothing to do with the code that a fault is in. */
const NEVER =
  /^packages\/testkit\/test\/(docs\/(?!StateMachines)|mutation|scripts|architecture)|\/(hostile|plantedFaults|architecture)\.test/

/** Tests that load whatever lies in a folder under such a name: no text names it. */
const LOADED_BY_NAME = [{ name: /Machine\.ts$/, test: "packages/testkit/test/docs/StateMachines.test.ts" }]

const loadedByName = (file) => LOADED_BY_NAME.filter(({ name }) => name.test(file)).map(({ test }) => test)

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
 * The tests for each of these files: those known to notice or to reach it, then a file's own, then those named alike, the
 * nearest first. What the domain does is tried in memory; PostgreSQL is started only for its adapters, or if all tests
 * are asked for.
 */
export const testsFor = (files, { allTests, map, tests: given, testsMax }) => {
  const reaching = testsOf(importsOf(root))
  const known = learned()
  const every = allTests || map
  return new Map(
    files.map((file) => {
      const reached = [...loadedByName(file), ...reaching(file).map((each) => each.file)]
        .filter((test) => !NEVER.test(test))
        .toSorted((one, other) => likeness(file, other) - likeness(file, one) || costOf(one) - costOf(other))
      const pure = reached.filter(isPure)
      const fitting =
        given.length > 0
          ? reached.filter((test) => given.some((word) => test.includes(word)))
          : allTests || !isPure(file) || pure.length === 0
            ? reached
            : pure
      const taught = (known[file] ?? []).filter((test) => fitting.includes(test))
      const own = fitting.filter((test) => isOwn(file, test))
      if (every || given.length > 0) return [file, [...new Set([...own, ...taught, ...fitting])]]
      const alike = fitting.filter((test) => taught.length === 0 || likeness(file, test) > 0)
      return [file, [...new Set([...own, ...taught.slice(0, testsMax), ...alike])].slice(0, testsMax + ALIKE_MAX)]
    })
  )
}

/** Keeps which tests noticed the faults of a file, those of most first, so that they are tried first from now on. */
export const learn = (outcomes) => {
  const known = learned()
  for (const [file, of] of groupBy(outcomes, ({ file }) => file)) {
    const counts = new Map()
    for (const { by } of of) {
      if (by === undefined) continue
      const test = relative(root, by.file)
      counts.set(test, (counts.get(test) ?? 0) + 1)
    }
    const tests = [...counts].toSorted((one, other) => other[1] - one[1]).map(([test]) => test)
    if (tests.length > 0) known[file] = [...new Set([...tests, ...(known[file] ?? [])])].slice(0, TESTS_MAX)
  }
  keepSorted(TESTS, known)
}

/** What it takes to run a test file at all. */
const BEGIN_MILLIS = 100

/** Keeps, for each file, the tests that come by most of its faults in the least time, each fault by several of them. */
export const keepReach = (faults, looks) => {
  const known = learned()
  for (const [file, of] of groupBy(faults, ({ file }) => file)) {
    const ids = of.map(({ id }) => id)
    const times = new Map()
    const open = looks
      .filter(({ broken }) => broken === undefined)
      .map(({ looked, met, millis }) => ({ test: relative(root, looked), met: new Set(met), millis }))
    const chosen = []
    while (chosen.length < TESTS_MAX) {
      const worth = ({ met, millis }) =>
        ids.reduce((sum, id) => sum + (met.has(id) ? 0.5 ** (times.get(id) ?? 0) : 0), 0) / (millis + BEGIN_MILLIS)
      const [best] = open.toSorted((one, other) => worth(other) - worth(one))
      if (best === undefined || worth(best) === 0) break
      open.splice(open.indexOf(best), 1)
      chosen.push(best.test)
      for (const id of ids) if (best.met.has(id)) times.set(id, (times.get(id) ?? 0) + 1)
    }
    if (chosen.length > 0) known[file] = [...new Set([...(known[file] ?? []), ...chosen])].slice(0, TESTS_MAX)
  }
  keepSorted(TESTS, known)
}
