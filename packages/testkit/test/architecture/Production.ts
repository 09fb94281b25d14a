import type { Breach } from "./Breach.js"
import { isForDevelopment, type Manifest } from "./Rules.js"

/** The part of `package-lock.json` that the rules read: what is installed where, and what it asks for. */
export interface Lockfile {
  readonly packages: Readonly<Record<string, Locked>>
}

interface Locked {
  /** Where a link leads: the folder of a package of this repository. */
  readonly resolved?: string
  readonly link?: boolean
  readonly integrity?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** Programs that run tests, and parts of them. */
const TEST_RUNNER = /^(vitest|jest|mocha|ava|tap|jasmine|playwright|playwright-core)$|^@(jest|playwright)\/|\/vitest$/

const folderOf = (path: string): string => path.replace(/\/?package\.json$/, "")

/** What npm installs with a package, other than by way of its development dependencies. */
const neededBy = ({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: Locked) => [
  ...Object.keys({ ...dependencies, ...optionalDependencies }),
  ...Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true)
]

/** Where `name` is found from the package at `from`: in its own `node_modules`, or in those of the folders above. */
const whereIs = (name: string, from: string, { packages }: Lockfile): string | undefined => {
  const path = from === "" ? `node_modules/${name}` : `${from}/node_modules/${name}`
  const found = packages[path]
  if (found !== undefined) return found.link === true ? found.resolved : path
  return from === "" ? undefined : whereIs(name, from.slice(0, Math.max(0, from.lastIndexOf("/"))), { packages })
}

/** The way from the package at `start` to each package that is installed with it, as names joined by arrows. */
const waysFrom = (start: string, lockfile: Lockfile): ReadonlyMap<string, string> => {
  const ways = new Map([[start, start]])
  for (const [at, way] of ways) {
    for (const name of neededBy(lockfile.packages[at] ?? {})) {
      const next = whereIs(name, at, lockfile)
      if (next !== undefined && !ways.has(next)) ways.set(next, `${way} -> ${name}`)
    }
  }
  return ways
}

/** What the packages that production runs bring along. */
const installedForProduction = (manifests: ReadonlyArray<Manifest>, lockfile: Lockfile): ReadonlySet<string> =>
  new Set(
    manifests
      .map(({ path }) => folderOf(path))
      .filter((folder) => !isForDevelopment(folder))
      .flatMap((folder) => [...waysFrom(folder, lockfile).keys()])
  )

/**
 * What production installs holds nothing that only tests use: no package of ours for development is a dependency of one
 * that is installed, a package for development brings along nothing that production does without, and no library brings
 * a test runner.
 */
export const productionBreaches = (manifests: ReadonlyArray<Manifest>, lockfile: Lockfile): ReadonlyArray<Breach> => {
  const installed = installedForProduction(manifests, lockfile)
  return manifests.flatMap(({ dependencies = {}, path }): Array<Breach> => {
    const folder = folderOf(path)
    const breach = (message: string): Breach => ({ path, line: 1, message })
    if (isForDevelopment(folder)) {
      return Object.keys(dependencies)
        .filter((name) => {
          const at = whereIs(name, folder, lockfile)
          return at === undefined || !(installed.has(at) || isForDevelopment(at))
        })
        .map((name) =>
          breach(`${name} is a development dependency or an optional peer here: production does without it`)
        )
    }
    const ours = Object.keys(dependencies)
      .filter((name) => isForDevelopment(name.replace(/^@outbound\//, "packages/")))
      .map((name) => breach(`${name} is for development: what is installed for production does not depend on it`))
    const runners = [...waysFrom(folder, lockfile)]
      .filter(([at]) => TEST_RUNNER.test(at.slice(at.lastIndexOf("node_modules/") + "node_modules/".length)))
      .map(([, way]) => breach(`a test runner would be installed for production: ${way}`))
    return [...ours, ...runners]
  })
}

/** Every package that is installed has the hash of what it holds; without one, npm takes what the registry has today. */
export const hashBreaches = ({ packages }: Lockfile): ReadonlyArray<Breach> =>
  Object.entries(packages)
    .filter(
      ([path, { integrity = "", link }]) =>
        path.includes("node_modules/") && link !== true && !integrity.startsWith("sha512-")
    )
    .map(([path]) => ({ path: "package-lock.json", line: 1, message: `${path} has no integrity; run npm run lock` }))
