/**
 * The JavaScript of every source, file by file. Types are no business of a start: `npm run check` looks at them, and writes
 * the declarations beside.
 */
import { existsSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
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

const changedAt = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0

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

const staleIn = (folder) =>
  PARTS.flatMap(([part, into]) => {
    const sources = filesIn(`${folder}/${part}`, SOURCE)
    removeOrphans(sources, `${folder}/${into}`)
    return sources.flatMap((path) => {
      const source = `${folder}/${part}/${path}`
      const out = `${folder}/${into}/${path.replace(SOURCE, "")}`
      return changedAt(`${out}.js`) > changedAt(source) ? [] : [{ in: source, out }]
    })
  })

/** Writes what changed since the last time. */
export const transpile = async () => {
  const stale = packages().flatMap((name) => staleIn(`packages/${name}`))
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
}
