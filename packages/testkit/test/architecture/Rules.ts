import { builtinModules } from "node:module"
import { posix } from "node:path"
import type { Breach } from "./Breach.js"
import { cycleBreaches } from "./Cycles.js"
import type { Source } from "./Source.js"
import { wingBreaches } from "./Wings.js"

/** The part of a `package.json` that the rules read. */
export interface Manifest {
  readonly path: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** A file longer than this holds more than one concept. */
export const SOURCE_LINES_MAX = 400

const TOP_LEVEL = new Set([
  "package.json",
  "package-lock.json",
  "tsconfig.base.json",
  "packages",
  "docs",
  "README.md",
  "AGENTS.md",
  "LICENSE",
  "node_modules"
])

interface Package {
  /** The packages of this repository that any file may import. */
  readonly anywhere: ReadonlyArray<string>
  /** Those that only `src/main.ts` and files in `src/main/` may import: there the parts are put together. */
  readonly inMain: ReadonlyArray<string>
  /** Where the list is closed: the only libraries that may be imported. */
  readonly libraries?: ReadonlyArray<string>
  /** Only who works on this repository runs it, so that nothing of what it needs is installed for production. */
  readonly isForDevelopment?: true
}

/** The dependency rule. */
const PACKAGES: Readonly<Record<string, Package>> = {
  domain: { anywhere: [], inMain: [], libraries: ["effect", "punycode", "tldts"] },
  client: { anywhere: ["domain"], inMain: [] },
  sandbox: { anywhere: ["domain"], inMain: [] },
  adapters: { anywhere: ["domain"], inMain: [] },
  "host-http": { anywhere: ["domain"], inMain: ["adapters", "sandbox", "host-mcp", "client"] },
  "host-mcp": { anywhere: ["domain"], inMain: [] },
  testkit: { anywhere: ["domain", "sandbox"], inMain: [], isForDevelopment: true },
  examples: { anywhere: ["adapters", "client", "domain", "testkit"], inMain: [], isForDevelopment: true },
  outbound: { anywhere: [], inMain: [] }
}

/** The modules of the domain, each of which imports itself and those before it (decision 0032). */
export const DOMAIN_MODULES = [
  "kernel",
  "sources",
  "verbs",
  "calls",
  "data",
  "outreach",
  "control",
  "wings",
  "app"
] as const

/** The folders of `outreach`, in the same sense (decision 0114). */
export const OUTREACH_FOLDERS = [
  "meaning",
  "mail",
  "domains",
  "operations",
  "suppression",
  "evidence",
  "campaigns",
  "authentication",
  "sending",
  "reputation",
  "optOut",
  "interest",
  "launching",
  "health",
  "replies",
  "provisioning"
] as const

const DOMAIN = "packages/domain/src/"

/** What is a stack: the folders in it, each of which imports itself and those before it. */
const STACKS: ReadonlyArray<readonly [name: string, within: string, folders: ReadonlyArray<string>]> = [
  ["modules of the domain", DOMAIN, DOMAIN_MODULES],
  ["folders of outreach", `${DOMAIN}outreach/`, OUTREACH_FOLDERS]
]

/** The place of a file's folder in its stack; -1 where it lies in none. */
const rankIn = (path: string, within: string, folders: ReadonlyArray<string>): number =>
  path.startsWith(within) ? folders.indexOf(path.slice(within.length).split("/").slice(0, -1)[0] ?? "") : -1

/** Whether the package in the folder `packages/<name>` is one that production does without. */
export const isForDevelopment = (folder: string): boolean =>
  PACKAGES[folder.replace(/^packages\//, "")]?.isForDevelopment === true

/** Where the parts of a program are put together. */
const MAIN = /^main(?:\.ts$|\/)|^wings\/(?:Place\.ts$|(?:\w+\/)?(?:layers|main)\.ts$)/

const SCOPE = "@outbound/"
const BUILTINS = new Set(builtinModules)

/** `packages/<name>/src/<inner>` taken apart; nothing for any other file. */
const locate = (path: string) => {
  const match = /^packages\/([^/]+)\/src\/(.+)$/.exec(path)
  return match === null ? undefined : { name: match[1] ?? "", inner: match[2] ?? "" }
}

/** `effect/Schema` is of the package `effect`, `@effect/sql-pg/PgClient` of `@effect/sql-pg`. */
const packageOf = (specifier: string) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")

/** Why `specifier` may not be imported by the file at `path`, or nothing. */
const refusal = (path: string, specifier: string, declared: ReadonlySet<string>): string | undefined => {
  const at = locate(path)
  if (at === undefined) return undefined
  const rule = PACKAGES[at.name]
  if (rule === undefined) return `the package ${at.name} has no dependency rule yet; give it one`
  if (specifier.startsWith(".")) {
    const target = posix.join(posix.dirname(path), specifier)
    if (!target.startsWith(`packages/${at.name}/src/`)) return "a relative import stays inside its own src"
    const [broken] = STACKS.filter(
      ([, within, folders]) =>
        path.startsWith(within) && rankIn(target, within, folders) > rankIn(path, within, folders)
    )
    return broken === undefined ? undefined : `${broken[0]} depend one way: ${broken[2].join(" < ")}`
  }
  if (specifier.startsWith(SCOPE)) {
    const other = packageOf(specifier).slice(SCOPE.length)
    if (other === at.name) return "a package imports itself relatively"
    if (rule.anywhere.includes(other)) return undefined
    if (!rule.inMain.includes(other)) return `${at.name} never imports ${other}`
    return MAIN.test(at.inner)
      ? undefined
      : `${at.name} imports ${other} in src/main.ts, src/main/ and the layers.ts and main.ts of wings only`
  }
  const library = packageOf(specifier)
  if (rule.libraries !== undefined) {
    return rule.libraries.includes(library)
      ? undefined
      : `${at.name} imports only ${rule.libraries.join(", ")} and itself`
  }
  if (specifier.startsWith("node:")) return undefined
  if (BUILTINS.has(specifier)) return "a module of Node's own is written with node:"
  return declared.has(library) ? undefined : `${library} is not among the dependencies of ${at.name}`
}

const importBreaches = (source: Source, manifests: ReadonlyArray<Manifest>): Array<Breach> => {
  const at = locate(source.path)
  if (at === undefined) return []
  const manifest = manifests.find(({ path }) => path === `packages/${at.name}/package.json`)
  const declared = new Set(
    Object.keys({
      ...manifest?.peerDependencies,
      ...manifest?.dependencies,
      ...(isForDevelopment(at.name) ? manifest?.devDependencies : {})
    })
  )
  return source.imports.flatMap(({ line, specifier }) => {
    const reason =
      specifier === undefined
        ? "an import names its module literally, so that this rule can read it"
        : refusal(source.path, specifier, declared)
    return reason === undefined
      ? []
      : [{ path: source.path, line, message: `import of ${specifier ?? "a computed name"}: ${reason}` }]
  })
}

const shapeBreaches = (source: Source): Array<Breach> => {
  const breaches: Array<Breach> = []
  if (/^index\.tsx?$/.test(posix.basename(source.path))) {
    breaches.push({ path: source.path, line: 1, message: "no barrels: import the file that holds the concept" })
  }
  for (const [name, within, folders] of STACKS) {
    if (source.path.startsWith(within) && rankIn(source.path, within, folders) < 0) {
      breaches.push({ path: source.path, line: 1, message: `lies in none of the ${name}: ${folders.join(", ")}` })
    }
  }
  if (locate(source.path) !== undefined && source.lines > SOURCE_LINES_MAX) {
    breaches.push({
      path: source.path,
      line: SOURCE_LINES_MAX,
      message: `${source.lines} lines, more than ${SOURCE_LINES_MAX}: split it by concept`
    })
  }
  return breaches
}

const purityBreaches = (source: Source): Array<Breach> =>
  locate(source.path)?.name === "domain"
    ? source.ambient.map(({ line, name }) => ({
        path: source.path,
        line,
        message: `${name}: the domain takes time, chance and the world from Clock, Random and its ports`
      }))
    : []

/** The only files that make spans. */
const SPANS_IN = /^packages\/domain\/src\/(?:\w+\/)*(?:telemetry|tracing)\.ts$/

const spanBreaches = (source: Source): Array<Breach> =>
  locate(source.path) === undefined || SPANS_IN.test(source.path)
    ? []
    : source.spans.map(({ line, name }) => ({
        path: source.path,
        line,
        message: `${name}: a step has its span by inSpan of the domain's telemetry, which costs nothing untraced`
      }))

const DURATIONS_IN = "packages/domain/src/kernel/durations.ts"

const durationBreaches = ({ durations, path }: Source): Array<Breach> =>
  path === DURATIONS_IN
    ? []
    : durations.map(({ line, name }) => ({ path, line, message: `${name} is imported from ${DURATIONS_IN}` }))

const comparisonBreaches = ({ comparedOptions, path }: Source): Array<Breach> =>
  comparedOptions.map((line) => ({
    path,
    line,
    message: "deep equality takes Option.none() for any Option.some: compare what the Option holds"
  }))

/** Where a file other than a machine's own compares states of machines. The suites of testkit are tests. */
const stateBreaches = (sources: ReadonlyArray<Source>): Array<Breach> => {
  const states = new Set(sources.flatMap(({ machineStates }) => machineStates))
  return sources
    .filter(({ machineStates, path }) => machineStates.length === 0 && locate(path) !== undefined)
    .filter(({ path }) => !path.startsWith("packages/testkit/src/contracts/"))
    .flatMap(({ comparedStates, path }) =>
      comparedStates
        .filter(({ state }) => states.has(state))
        .map(({ line, state }) => ({
          path,
          line,
          message: `the state "${state}" is compared outside its machine: ask the machine (a group of it, allows, changes)`
        }))
    )
}

const keyBreaches = (sources: ReadonlyArray<Source>): Array<Breach> => {
  const firstUse = new Map<string, string>()
  return sources.flatMap((source) => {
    const at = locate(source.path)
    if (at === undefined) return []
    const expected = `${SCOPE}${at.name}/${at.inner.replace(/\.tsx?$/, "")}`
    const keys = source.tagKeys.flatMap(({ key, line }): Array<Breach> => {
      const place = { path: source.path, line }
      if (key === undefined) return [{ ...place, message: "a tag's key is a literal" }]
      const inner = key.startsWith(`${expected}/`) ? key.slice(expected.length + 1) : undefined
      if (key !== expected && (inner === undefined || !/^\w+$/.test(inner))) {
        return [{ ...place, message: `the tag key "${key}" is not "${expected}" or "${expected}/<Name>"` }]
      }
      const other = firstUse.get(key)
      firstUse.set(key, `${source.path}:${line}`)
      return other === undefined ? [] : [{ ...place, message: `the tag key "${key}" stands at ${other} too` }]
    })
    const services = source.services.map(({ line }) => ({
      path: source.path,
      line,
      message: "a service is a Context.Service with an explicit interface, its layer apart"
    }))
    return [...keys, ...services]
  })
}

/** Every breach that the sources hold, in their order. */
export const sourceBreaches = (
  sources: ReadonlyArray<Source>,
  manifests: ReadonlyArray<Manifest>
): ReadonlyArray<Breach> => [
  ...sources.flatMap((source) => [
    ...importBreaches(source, manifests),
    ...shapeBreaches(source),
    ...purityBreaches(source),
    ...spanBreaches(source),
    ...durationBreaches(source),
    ...comparisonBreaches(source)
  ]),
  ...cycleBreaches(sources),
  ...wingBreaches(sources),
  ...stateBreaches(sources),
  ...keyBreaches(sources)
]

const EXACT = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/
const RANGE = /^\^(\d+)\.\d+\.\d+$/

/** What others have to install beside us is named with a range, and the repository pins one version of that major. */
const peerBreaches = (manifests: ReadonlyArray<Manifest>, pins: Pins): ReadonlyArray<Breach> =>
  manifests.flatMap((manifest) =>
    Object.entries(manifest.peerDependencies ?? {}).flatMap(([name, range]) => {
      const major = RANGE.exec(range)?.[1]
      const pinned = pins.get(name)?.version
      if (major !== undefined && pinned?.startsWith(`${major}.`) === true) return []
      const message =
        major === undefined
          ? `${name} ${range} is a peer, so it has a range, such as ^4.1.0`
          : `${name} ${range} is a peer of which no version is pinned (pinned: ${pinned ?? "none"})`
      return [{ path: manifest.path, line: 1, message }]
    })
  )

type Pins = ReadonlyMap<string, { readonly version: string; readonly path: string }>

/** Every dependency is pinned to one exact version, the same in every package. Peers have a range around it. */
export const manifestBreaches = (manifests: ReadonlyArray<Manifest>): ReadonlyArray<Breach> => {
  const pins = new Map<string, { readonly version: string; readonly path: string }>()
  const breaches = manifests.flatMap((manifest) =>
    Object.entries({
      ...manifest.optionalDependencies,
      ...manifest.devDependencies,
      ...manifest.dependencies
    }).flatMap(([name, version]): Array<Breach> => {
      const place = { path: manifest.path, line: 1 }
      if (!EXACT.test(version)) return [{ ...place, message: `${name} ${version} is not an exact version` }]
      const other = pins.get(name)
      if (other === undefined) pins.set(name, { version, path: manifest.path })
      return other === undefined || other.version === version
        ? []
        : [{ ...place, message: `${name} ${version}, but ${other.version} in ${other.path}` }]
    })
  )
  return [...breaches, ...peerBreaches(manifests, pins)]
}

/** The top level of the repository holds what it is known to hold, and dot-files. */
export const topLevelBreaches = (names: ReadonlyArray<string>): ReadonlyArray<Breach> =>
  names
    .filter((name) => !name.startsWith(".") && !TOP_LEVEL.has(name))
    .map((name) => ({ path: name, line: 1, message: "does not belong at the top level" }))
