/**
 * The JavaScript of every source, file by file. Types are no business of a start: `npm run check` looks at them, and writes
 * the declarations beside.
 */
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { readStates, stateOf, writeStates } from "./freshness.mjs"
import { root } from "./host.mjs"

export const NODE_TARGET = "node22.19"

/** Where sources are, beneath a package, and where their JavaScript goes. */
const PARTS = [
  ["src", "dist/src"],
  ["test", "dist/test"],
  ["system", "dist/system"],
  ["bench", "bench/dist"]
]
const SOURCE = /(?<!\.d)\.tsx?$/
const COMPILED = /\.(d\.ts|js)(\.map)?$/

export const packages = () =>
  readdirSync(join(root, "packages")).filter((name) => existsSync(join(root, "packages", name, "package.json")))

const filesIn = (folder, pattern) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true })
        .filter((path) => pattern.test(path) && !/(^|[\\/])(dist|node_modules|generated)[\\/]/.test(path))
        .map((path) => path.replaceAll("\\", "/"))
    : []

/** The files of a package that it publishes. */
export const sourcesOf = (name) => filesIn(`packages/${name}/src`, SOURCE).map((path) => `packages/${name}/src/${path}`)

/** What each source was when it was compiled. */
const SEEN = join(root, "packages/testkit/dist/compiled.json")

/**
 * What was compiled from a file that is gone since: it would stay, and imports of it would still resolve here, and nowhere
 * else.
 */
const removeOrphans = (sources, target) => {
  const kept = new Set(sources.map((path) => path.replace(SOURCE, "")))
  for (const path of filesIn(target, COMPILED)) {
    if (!kept.has(path.replace(COMPILED, ""))) rmSync(join(root, target, path))
  }
}

const entriesIn = (folder) =>
  PARTS.flatMap(([part, into]) => {
    const sources = filesIn(`${folder}/${part}`, SOURCE)
    removeOrphans(sources, `${folder}/${into}`)
    return sources.map((path) => ({
      in: `${folder}/${part}/${path}`,
      out: `${folder}/${into}/${path.replace(SOURCE, "")}`
    }))
  })

/** Writes what changed since the last time. */
export const transpile = async () => {
  const entries = packages().flatMap((name) => entriesIn(`packages/${name}`))
  const seen = readStates(SEEN)
  const states = Object.fromEntries(entries.map(({ in: source }) => [source, stateOf(join(root, source))]))
  const stale = entries.filter(
    ({ in: source, out }) => seen[source] !== states[source] || !existsSync(join(root, `${out}.js`))
  )
  if (stale.length === 0) return
  const { build } = await import("esbuild")
  await build({
    absWorkingDir: root,
    entryPoints: stale,
    outdir: ".",
    format: "esm",
    platform: "node",
    target: NODE_TARGET,
    sourcemap: "linked",
    sourcesContent: false,
    jsx: "automatic",
    jsxImportSource: "preact",
    tsconfigRaw: {},
    logLevel: "warning"
  })
  writeStates(SEEN, states)
}
