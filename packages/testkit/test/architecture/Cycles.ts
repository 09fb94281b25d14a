import { posix } from "node:path"
import type { Breach } from "./Breach.js"
import type { Source } from "./Source.js"
import { isListOfWings } from "./Wings.js"

/** What an import says about two neighbours in one folder, each a file or a folder with all that is below it. */
interface Edge {
  readonly from: string
  readonly to: string
  readonly path: string
  readonly line: number
  readonly target: string
}

/** The neighbours in one folder that import another neighbour, and by which line. */
type Folder = Map<string, Map<string, Edge>>

const SOURCE = /^packages\/[^/]+\/src\//

/** The file that the compiler takes for a relative import: `./X.js` is `X.ts` or `X.tsx`. */
const resolved = (path: string, specifier: string, known: ReadonlySet<string>): string | undefined => {
  const target = posix.join(posix.dirname(path), specifier)
  return [target.replace(/\.js$/, ".ts"), target.replace(/\.js$/, ".tsx"), target].find((one) => known.has(one))
}

/** The folder that holds both files, and where in it each lies. */
const meeting = (path: string, target: string): readonly [folder: string, from: string, to: string] => {
  const [one, other] = [path.split("/"), target.split("/")]
  const at = one.findIndex((part, index) => part !== other[index])
  return [one.slice(0, at).join("/"), one[at] ?? "", other[at] ?? ""]
}

const foldersOf = (sources: ReadonlyArray<Source>): ReadonlyMap<string, Folder> => {
  const ours = sources.filter(({ path }) => SOURCE.test(path))
  const known = new Set(ours.map(({ path }) => path))
  const folders = new Map<string, Folder>()
  for (const { imports, path } of ours) {
    for (const { line, specifier } of imports) {
      const target = specifier?.startsWith(".") === true ? resolved(path, specifier, known) : undefined
      // The lists of wings are where what a package holds is put together: they close every circle.
      if (target === undefined || target === path || isListOfWings(target)) continue
      const [name, from, to] = meeting(path, target)
      const folder = folders.get(name) ?? new Map<string, Map<string, Edge>>()
      const edges = folder.get(from) ?? new Map<string, Edge>()
      folders.set(name, folder.set(from, edges.set(to, edges.get(to) ?? { from, to, path, line, target })))
    }
  }
  return folders
}

/** Takes away, again and again, what imports nothing that is left. What stays has a cycle below it. */
const knotOf = (folder: Folder): ReadonlySet<string> => {
  const importers = new Map<string, Array<string>>()
  const left = new Map<string, number>()
  for (const [from, edges] of folder) {
    left.set(from, edges.size)
    for (const to of edges.keys()) importers.set(to, [...(importers.get(to) ?? []), from])
  }
  const free = [...importers.keys()].filter((name) => !left.has(name))
  for (const name of free) {
    for (const from of importers.get(name) ?? []) {
      const rest = (left.get(from) ?? 0) - 1
      left.set(from, rest)
      if (rest === 0) free.push(from)
    }
  }
  return new Set([...left].flatMap(([name, rest]) => (rest > 0 ? [name] : [])))
}

/** One way round: from a place in the knot to the first that it leads to, until a place comes again. */
const wayRound = (folder: Folder, knot: ReadonlySet<string>): ReadonlyArray<Edge> => {
  const way: Array<Edge> = []
  const passed = new Map<string, number>()
  let at = [...knot].toSorted()[0] ?? ""
  while (!passed.has(at)) {
    passed.set(at, way.length)
    const next = [...(folder.get(at)?.values() ?? [])].find(({ to }) => knot.has(to))
    if (next === undefined) return []
    way.push(next)
    at = next.to
  }
  return way.slice(passed.get(at))
}

/**
 * Neighbours in a folder import each other one way, at every depth of every package: files and folders alike, and types
 * as well as values.
 */
export const cycleBreaches = (sources: ReadonlyArray<Source>): ReadonlyArray<Breach> =>
  [...foldersOf(sources)].flatMap(([name, folder]): Array<Breach> => {
    const way = wayRound(folder, knotOf(folder))
    const [first] = way
    if (first === undefined) return []
    const round = [...way.map(({ from }) => from), first.from].join(" -> ")
    const by = way.map(({ line, path, target }) => `${path}:${line} imports ${target}`).join("; ")
    return [
      { path: first.path, line: first.line, message: `in ${name} the imports go round: ${round} (${by}); split one` }
    ]
  })
