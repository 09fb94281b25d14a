import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { hashBreaches, type Lockfile, productionBreaches } from "./Production.js"
import type { Breach } from "./Breach.js"
import { type Manifest, manifestBreaches, sourceBreaches, topLevelBreaches } from "./Rules.js"
import { readSource } from "./Source.js"

/** The nearest folder above that holds the workspace, whether this runs from the sources or from `dist`. */
const rootAbove = (folder: string): string => {
  if (existsSync(join(folder, "tsconfig.base.json"))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error("the root of the repository was not found")
  return rootAbove(parent)
}

const NOT_OURS = new Set(["node_modules", "dist"])

const filesUnder = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !NOT_OURS.has(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesUnder(path) : [path]
    })

/** Reads the repository and answers every breach in it. */
export const repositoryBreaches = (): { readonly files: number; readonly breaches: ReadonlyArray<Breach> } => {
  const root = rootAbove(import.meta.dirname)
  const named = (path: string) => relative(root, path).split(sep).join("/")
  const files = filesUnder(join(root, "packages"))
  const sources = files
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readSource(named(path), readFileSync(path, "utf8")))
  const manifests = [join(root, "package.json"), ...files.filter((path) => path.endsWith(`${sep}package.json`))].map(
    (path): Manifest => ({ ...JSON.parse(readFileSync(path, "utf8")), path: named(path) })
  )
  const lockfile: Lockfile = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"))
  return {
    files: sources.length,
    breaches: [
      ...topLevelBreaches(readdirSync(root)),
      ...manifestBreaches(manifests),
      ...productionBreaches(manifests, lockfile),
      ...hashBreaches(lockfile),
      ...sourceBreaches(sources, manifests)
    ]
  }
}
