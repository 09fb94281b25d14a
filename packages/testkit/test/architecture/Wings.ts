import { posix } from "node:path"
import type { Breach } from "./Breach.js"
import type { Source } from "./Source.js"

/** The wing in whose folder a file lies: of whichever package, of its sources or its tests. */
export const wingOf = (path: string): string | undefined =>
  /^packages\/[^/]+\/(?:src|test|system|bench)\/wings\/([^/]+)\/./.exec(path)?.[1]

/** Whether a file is one of those that list the wings. They are the only ones that know them. */
export const isListOfWings = (path: string): boolean =>
  /^packages\/[^/]+\/(?:src|test|bench)\/wings\/[^/]+\.tsx?$/.test(path)

/** The file that an import names, as far as it is of this repository. */
const targetOf = (path: string, specifier: string): string => {
  const [, name, inner] = /^@outbound\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  if (name !== undefined) return `packages/${name}/src/${inner}`
  return specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : ""
}

/**
 * A wing can be deleted: no file but the lists imports one of it. A wing imports the core, and no other wing
 * (decision 0118).
 */
export const wingBreaches = (sources: ReadonlyArray<Source>): ReadonlyArray<Breach> =>
  sources.flatMap(({ imports, path }) =>
    imports.flatMap(({ line, specifier = "" }): Array<Breach> => {
      const wing = wingOf(targetOf(path, specifier))
      return wing === undefined || wing === wingOf(path) || isListOfWings(path)
        ? []
        : [{ path, line, message: `import of ${specifier}: only the lists of wings know the wing ${wing}` }]
    })
  )
