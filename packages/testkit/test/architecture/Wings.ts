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

/** What vendors share, in folders beside theirs. */
const SHARED = ["config", "open", "recording", "sending"]

/** The vendor in whose folder a file lies. */
export const vendorOf = (path: string): string | undefined => {
  const name = /^packages\/adapters\/src\/providers\/([^/]+)\/./.exec(path)?.[1]
  return name === undefined || SHARED.includes(name) ? undefined : name
}

/** The lists of vendors and of our own sources, the only files of the product that know them. */
export const LISTS_OF_VENDORS = ["vendors.ts", "ownSources.ts"].map((name) => `packages/adapters/src/providers/${name}`)

/** A vendor's tests are beside each other, by what they sell: one suite asks all. */
export const TESTS_OF_VENDORS = [
  "packages/adapters/test/providers",
  "packages/host-http/test/providers",
  "packages/host-http/system/providers"
]

const testsVendors = (path: string): boolean => TESTS_OF_VENDORS.some((folder) => path.startsWith(`${folder}/`))

/**
 * A wing can be deleted: no file but the lists imports one of it. A wing imports the core, and no other wing. So can a
 * vendor, which one list knows (decisions 0118 and 0172).
 */
export const wingBreaches = (sources: ReadonlyArray<Source>): ReadonlyArray<Breach> =>
  sources.flatMap(({ imports, path }) =>
    imports.flatMap(({ line, specifier = "" }): Array<Breach> => {
      const target = targetOf(path, specifier)
      const wing = wingOf(target)
      if (wing !== undefined && wing !== wingOf(path) && !isListOfWings(path)) {
        return [{ path, line, message: `import of ${specifier}: only the lists of wings know the wing ${wing}` }]
      }
      const vendor = vendorOf(target)
      return vendor === undefined || vendor === vendorOf(path) || LISTS_OF_VENDORS.includes(path) || testsVendors(path)
        ? []
        : [{ path, line, message: `import of ${specifier}: only the lists of vendors know ${vendor}` }]
    })
  )
