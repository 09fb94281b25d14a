/** What a checkout needs before anything runs: its packages, as locked, and its build. */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bundle, bundleHarness } from "./bundle.mjs"
import { bin, Failure, root, runNode, say, seconds } from "./host.mjs"
import { exclusively } from "./lock.mjs"
import { completeLockfile } from "./lockfile.mjs"
import { complaint, npm } from "./npm.mjs"
import { transpile } from "./transpile.mjs"

const LOCKFILE = join(root, "package-lock.json")
/** npm's own record of what it put into node_modules, written last. */
const INSTALLED = join(root, "node_modules/.package-lock.json")
const STAMP = join(root, "node_modules/.setup-stamp")
/** Steps shorter than this are not worth a line. */
const TELL_MILLIS = 1_000

const fingerprint = () =>
  createHash("sha256")
    .update(`${process.platform}-${process.arch}\n`)
    .update(readFileSync(LOCKFILE))
    .update(readFileSync(INSTALLED))
    .digest("hex")

const readText = (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined)

/**
 * How much of what is locked is needed: all, or without what only development needs. A start waits for no linter, checker or
 * browser.
 */
const isNeeded = (entry, dev) => dev || entry.dev !== true

/** Whether node_modules holds what the lockfile says, by whomever it was put there. */
const holdsWhatIsLocked = (dev) => {
  const locked = JSON.parse(readFileSync(LOCKFILE, "utf8")).packages
  const installed = JSON.parse(readFileSync(INSTALLED, "utf8")).packages
  const same = (one, other) =>
    one.version === other.version && one.integrity === other.integrity && one.link === other.link
  // What is optional may be for another platform, and is then left out.
  const nothingMissing = Object.entries(locked).every(([path, entry]) => {
    if (!path.includes("node_modules/") || !isNeeded(entry, dev)) return true
    const found = installed[path]
    return found === undefined ? entry.optional === true || entry.devOptional === true : same(entry, found)
  })
  return nothingMissing && Object.keys(installed).every((path) => path in locked)
}

const stampOf = (dev) => `${dev ? "all" : "run"} ${fingerprint()}`

const isInstalled = (dev) => {
  if (!existsSync(INSTALLED)) return false
  const stamp = readText(STAMP)
  if (stamp === stampOf(true) || stamp === stampOf(dev)) return true
  if (!holdsWhatIsLocked(dev)) return false
  writeFileSync(STAMP, stampOf(dev))
  return true
}

/** Nothing here needs install scripts. */
const ALWAYS = ["--ignore-scripts", "--no-audit", "--no-fund"]

/** The rest beside what is there, which is quicker; from nothing where that isn't what is locked. */
const installWith = async (dev) => {
  // The build needs development packages whatever NODE_ENV says.
  const wanted = [dev ? "--include=dev" : "--omit=dev", ...ALWAYS]
  if (dev && existsSync(INSTALLED) && holdsWhatIsLocked(false)) {
    const added = await npm(["install", "--no-save", ...wanted])
    if (added.code === 0 && holdsWhatIsLocked(true)) return added
  }
  return await npm(["ci", ...wanted])
}

/** Puts the locked packages in place, unless they are. For who holds the lock. */
export const installLocked = async (dev) => {
  if (isInstalled(dev)) return
  const since = performance.now()
  say("Installing packages, as locked. This can take a minute ...")
  const { code, output } = await installWith(dev)
  if (code !== 0) {
    throw new Failure(
      `${complaint(output)}\nInstalling packages failed: npm ended with code ${code}.`,
      "Check that the package registry is reachable and that package-lock.json is up to date (npm run lock)."
    )
  }
  writeFileSync(STAMP, stampOf(dev))
  say(`Installed packages in ${seconds(since)}.`)
}

/** Every folder that is a TypeScript project: the packages, and what stands outside its package's own. */
const projects = () =>
  readdirSync(join(root, "packages"))
    .flatMap((name) => ["", "/bench", "/test", "/system"].map((part) => `packages/${name}${part}`))
    .filter((path) => existsSync(join(root, path, "tsconfig.json")))

/** Puts the locked packages in place, those for development too, unless they are. */
export const install = () => exclusively(() => installLocked(true))

/** Brings the lockfile into step with what the packages declare, and installs it. */
export const lock = () =>
  exclusively(async () => {
    const { code, output } = await npm(["install", "--include=dev", ...ALWAYS])
    if (code !== 0) throw new Failure(`${complaint(output)}\nnpm install failed.`, "Fix what npm reports.")
    const added = await completeLockfile(npm)
    say(`package-lock.json is up to date${added === 0 ? "" : `; added ${added} builds for other platforms`}.`)
  })

/**
 * Looks at the types of what changed, and writes the declarations. Answers the compiler's exit code and words. `isAlone`: on
 * processors that have nothing else to do, on which four checkers of a project are sooner ready; each makes types anew that
 * others know, so that one takes half of the processor time.
 */
export const checkTypes = (isAlone = false) =>
  exclusively(() =>
    runNode(bin("typescript", "tsc"), ["-b", ...(isAlone ? [] : ["--checkers", "1"]), ...projects()], { capture: true })
  )

/** Writes the JavaScript of what changed. */
export const compile = () => exclusively(transpile)

/** What the service needs to start: its libraries, and itself in a few files. */
export const setUpToRun = () => exclusively(() => made(false, bundle))

/** What the programs beside it need too: everything, file by file. */
export const setUp = () =>
  exclusively(() =>
    made(true, async () => {
      await transpile()
      await bundle()
      await bundleHarness()
    })
  )

const made = async (dev, make) => {
  await installLocked(dev)
  const since = performance.now()
  await make()
  if (performance.now() - since > TELL_MILLIS) say(`Built in ${seconds(since)}.`)
}
