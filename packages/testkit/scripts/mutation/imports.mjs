/** Which files of the packages import which, read from their text: what a test can reach, and how far away it is. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"

const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^"'`;]*?\sfrom\s+)?"([^"]+)"|\bimport\("([^"]+)"\)/gm

const filesUnder = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))

/** Every TypeScript file of `packages`, with the files that it loads. Paths are relative to the checkout. */
export const importsOf = (root) => {
  const packages = join(root, "packages")
  const files = new Set()
  for (const name of readdirSync(packages)) {
    for (const part of ["src", "test"]) {
      try {
        for (const file of filesUnder(join(packages, name, part))) files.add(relative(root, file))
      } catch (error) {
        if (error.code !== "ENOENT") throw error
      }
    }
  }
  const resolve = (from, name) => {
    const own = /^@outbound\/([^/]+)\/(.*)\.js$/.exec(name)
    const path = own === null ? join(dirname(from), name).replace(/\.js$/, "") : `packages/${own[1]}/src/${own[2]}`
    if (own === null && !name.startsWith(".")) return undefined
    return [`${path}.ts`, `${path}.tsx`].find((each) => files.has(each))
  }
  const imports = new Map()
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8")
    const names = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2])
    imports.set(file, new Set(names.map((name) => resolve(file, name)).filter((path) => path !== undefined)))
  }
  return imports
}

/** The test files that load a source, the nearest first. */
export const testsOf = (imports) => {
  const importers = new Map()
  for (const [file, loaded] of imports)
    for (const each of loaded) importers.set(each, [...(importers.get(each) ?? []), file])
  return (source) => {
    const distances = new Map([[source, 0]])
    const queue = [source]
    for (const file of queue) {
      for (const importer of importers.get(file) ?? []) {
        if (distances.has(importer)) continue
        distances.set(importer, distances.get(file) + 1)
        queue.push(importer)
      }
    }
    return [...distances]
      .filter(([file]) => /\.test\.tsx?$/.test(file))
      .toSorted((one, other) => one[1] - other[1] || (one[0] < other[0] ? -1 : 1))
      .map(([file, distance]) => ({ file, distance }))
  }
}
