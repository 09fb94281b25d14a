/**
 * What is published as a few files of its own, with all that it imports: the operator's program, so that it starts sooner, holds
 * less memory and brings few packages along (docs/decisions/0085), and the harness of promises, so that a first test runs
 * sooner, whatever version of a library is installed beside it (docs/decisions/0143). The packages themselves stay modules.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { isBuiltin } from "node:module"
import { dirname, join } from "node:path"
import { isSame, readStates, stateOf, writeStates } from "./freshness.mjs"
import { Failure, root } from "./host.mjs"
import { NODE_TARGET, packages, sourcesOf } from "./transpile.mjs"

const LICENSES = "LICENSES.txt"
const BILL = "outbound.cdx.json"
const RULE = `\n\n${"-".repeat(80)}\n\n`

/** Asked for by `pg` and done without, where it isn't installed. */
const DONE_WITHOUT = new Set(["pg-native"])

/** The libraries that load others by `require` are modules here. */
const BANNER =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);'

/** The pages that the program serves: those for the people who use it. */
const docs = () =>
  readdirSync(join(root, "docs"), { recursive: true })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".md") && !/^(decisions|corpora)\//.test(path))

const copyDocs = (into) => {
  for (const path of docs()) {
    mkdirSync(dirname(join(root, into, "docs", path)), { recursive: true })
    copyFileSync(join(root, "docs", path), join(root, into, "docs", path))
  }
}

/** What every bundle is made from besides its sources: what npm installed, and this. */
const ALWAYS = ["node_modules/.package-lock.json", "packages/testkit/scripts/bundle.mjs"]

const statesOf = (paths) => Object.fromEntries(paths.map((path) => [path, stateOf(join(root, path))]))

const OURS = /^@outbound\/([^/]+)\/(.+)\.js$/

/** Our packages name each other as they are published. Here their sources are bundled. */
const fromSources = {
  name: "from sources",
  setup: (build) =>
    build.onResolve({ filter: OURS }, ({ path }) => {
      const [, name, file] = OURS.exec(path)
      const source = join(root, "packages", name, "src", file)
      return { path: existsSync(`${source}.ts`) ? `${source}.ts` : `${source}.tsx`, sideEffects: false }
    })
}

const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//

/** The libraries of which something is in it, with the texts of their licences. */
const librariesOf = ({ outputs }) => {
  const paths = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))
  const folders = new Set(paths.flatMap((path) => PACKAGE.exec(path)?.[1] ?? []))
  return [...folders].toSorted().map((folder) => {
    const { license, name, version } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
    const words = readdirSync(join(root, folder))
      .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
      .map((file) => readFileSync(join(root, folder, file), "utf8").trim())
    return { license, name, version, words }
  })
}

/** Licences ask that their text goes along with the code. */
const licensesOf = (libraries) =>
  `${libraries.map(({ license, name, version, words }) => [`${name} ${version} (${license})`, ...words].join("\n\n")).join(RULE)}\n`

/** What scanners of packages and images look for, to tell which libraries are in it (CycloneDX 1.5). */
const billOf = (libraries) => ({
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  version: 1,
  components: libraries.map(({ license, name, version }) => ({
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    licenses: [{ expression: license }]
  }))
})

/** V8 keeps a file in half the memory if it is ASCII alone. esbuild leaves other characters only in regular expressions. */
const inAscii = (text) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** What the bundle would load by name when it runs, besides the modules of this Node or a newer one. */
const missingOf = ({ outputs }) =>
  Object.values(outputs)
    .flatMap(({ imports }) => imports.filter(({ external }) => external).map(({ path }) => path))
    .filter((path) => !path.startsWith("node:") && !isBuiltin(path) && !DONE_WITHOUT.has(path) && !OURS.test(path))

/** A bundle: where it begins and goes, what it is made from, and what is done with its folder before it takes its place. */
const PROGRAM = {
  entry: "packages/host-http/src/main.ts",
  into: "packages/outbound/dist/program",
  sources: () => [...packages().flatMap((name) => sourcesOf(name)), ...docs().map((path) => `docs/${path}`)],
  plugins: [fromSources],
  finish: copyDocs
}

const MODEL = "outreach/meaning/model"

/** The weights of the models that read replies are text that nothing makes shorter: they stay where `domain` has them. */
const weightsOfDomain = {
  name: "weights of domain",
  setup: (build) =>
    build.onResolve({ filter: /\/(weights|requestWeights|netWeights)\.js$/ }, ({ path, resolveDir }) =>
      resolveDir.endsWith(MODEL) || path.includes(MODEL)
        ? { path: `@outbound/domain/${MODEL}/${path.slice(path.lastIndexOf("/") + 1)}`, external: true }
        : undefined
    )
}

const HARNESS = {
  entry: "packages/testkit/src/harness/inMemory.ts",
  into: "packages/testkit/dist/harness",
  sources: () => ["domain", "sandbox", "testkit"].flatMap((name) => sourcesOf(name)),
  plugins: [weightsOfDomain, fromSources],
  finish: () => {}
}

/** Makes a bundle anew, unless nothing that it is made from has changed. */
const make = async ({ entry, finish, into, plugins, sources }) => {
  // Written last, beside it: the bundle is whole, where it is there.
  const seen = join(root, `${into}.json`)
  const states = statesOf([...sources(), ...ALWAYS])
  if (existsSync(join(root, into, LICENSES)) && isSame(readStates(seen), states)) return
  const { build } = await import("esbuild")
  const next = `${into}.next`
  rmSync(join(root, next), { recursive: true, force: true })
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: next,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: NODE_TARGET,
    external: [...DONE_WITHOUT],
    plugins,
    jsx: "automatic",
    jsxImportSource: "preact",
    tsconfigRaw: {},
    // Names stay, for whoever reads the log.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: "linked",
    sourcesContent: false,
    legalComments: "none",
    banner: { js: BANNER },
    metafile: true,
    write: false,
    logLevel: "warning"
  })
  const missing = missingOf(metafile)
  if (missing.length > 0) {
    throw new Failure(
      `The bundle would look for ${missing.join(", ")}.`,
      "Let it be bundled, or name it in bundle.mjs."
    )
  }
  mkdirSync(join(root, next), { recursive: true })
  for (const { path, text } of outputFiles) writeFileSync(path, path.endsWith(".js") ? inAscii(text) : text)
  finish(next)
  const libraries = librariesOf(metafile)
  writeFileSync(join(root, next, BILL), `${JSON.stringify(billOf(libraries), undefined, 2)}\n`)
  writeFileSync(join(root, next, LICENSES), licensesOf(libraries))
  rmSync(join(root, into), { recursive: true, force: true })
  renameSync(join(root, next), join(root, into))
  writeStates(seen, states)
}

/** What a start needs. */
export const bundle = () => make(PROGRAM)

/** What those need who test with the packages. */
export const bundleHarness = () => make(HARNESS)
