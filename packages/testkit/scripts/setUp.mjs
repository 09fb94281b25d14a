/** What a checkout needs before anything runs: its packages, as locked, and its build. */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bundle } from "./bundle.mjs"
import { bin, Failure, root, run, runNode, say, seconds } from "./host.mjs"
import { exclusively } from "./lock.mjs"
import { completeLockfile } from "./lockfile.mjs"

const LOCKFILE = join(root, "package-lock.json")
/** npm's own record of what it put into node_modules, written last. */
const INSTALLED = join(root, "node_modules/.package-lock.json")
const STAMP = join(root, "node_modules/.setup-stamp")
const OUTPUT_LINES_MAX = 30
/** Steps shorter than this are not worth a line. */
const TELL_MILLIS = 1_000
const PROGRESS_MILLIS = 5_000

const fingerprint = () =>
  createHash("sha256")
    .update(`${process.platform}-${process.arch}\n`)
    .update(readFileSync(LOCKFILE))
    .update(readFileSync(INSTALLED))
    .digest("hex")

const readText = (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined)

/** Whether node_modules holds what the lockfile says, by whomever it was put there. */
const holdsWhatIsLocked = () => {
  const locked = JSON.parse(readFileSync(LOCKFILE, "utf8")).packages
  const installed = JSON.parse(readFileSync(INSTALLED, "utf8")).packages
  const same = (one, other) =>
    one.version === other.version && one.integrity === other.integrity && one.link === other.link
  // What is optional may be for another platform, and is then left out.
  const nothingMissing = Object.entries(locked).every(([path, entry]) => {
    if (!path.includes("node_modules/")) return true
    const found = installed[path]
    return found === undefined ? entry.optional === true || entry.devOptional === true : same(entry, found)
  })
  return nothingMissing && Object.keys(installed).every((path) => path in locked)
}

const isInstalled = () => {
  if (!existsSync(INSTALLED)) return false
  if (readText(STAMP) === fingerprint()) return true
  if (!holdsWhatIsLocked()) return false
  writeFileSync(STAMP, fingerprint())
  return true
}

/** What npm says went wrong, without its warnings and its manual. */
const complaint = (output) => {
  const lines = output.split("\n").filter((line) => line.startsWith("npm error"))
  const manual = lines.findIndex((line) => line.startsWith("npm error Clean install a project"))
  return lines.slice(0, manual === -1 ? OUTPUT_LINES_MAX : Math.min(manual, OUTPUT_LINES_MAX)).join("\n")
}

/** Runs npm, and answers its exit code and what it said. */
export const npm = async (args, options = {}) => {
  const script = process.env.npm_execpath
  try {
    if (script?.endsWith(".js")) return await runNode(script, args, { ...options, capture: true })
    return await run(process.platform === "win32" ? "npm.cmd" : "npm", args, { ...options, capture: true })
  } catch (error) {
    throw new Failure(`npm can't be started: ${error.message}`, "Put npm, which comes with Node, on the PATH.")
  }
}

const installLocked = async () => {
  if (isInstalled()) return
  const since = performance.now()
  say("Installing packages (npm ci). This can take a minute ...")
  // The build needs development packages whatever NODE_ENV says; nothing here needs install scripts.
  const { code, output } = await npm(["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund"])
  if (code !== 0) {
    throw new Failure(
      `${complaint(output)}\nInstalling packages failed: npm ci ended with code ${code}.`,
      "Check that the package registry is reachable and that package-lock.json is up to date (npm run lock)."
    )
  }
  writeFileSync(STAMP, fingerprint())
  say(`Installed packages in ${seconds(since)}.`)
}

/** Every folder that is a TypeScript project: the packages, and what stands outside its package's own. */
const projects = () =>
  readdirSync(join(root, "packages"))
    .flatMap((name) => ["", "/bench", "/test", "/system"].map((part) => `packages/${name}${part}`))
    .filter((path) => existsSync(join(root, path, "tsconfig.json")))

const COMPILED = /\.(d\.ts|js)(\.map)?$/

/**
 * What was compiled from a file that is gone since: the compiler leaves it, and imports of it would still resolve here,
 * and nowhere else.
 */
const removeOrphans = (project) => {
  const dist = join(root, project, "dist")
  if (!existsSync(dist)) return
  for (const path of readdirSync(dist, { recursive: true })) {
    const source = join(root, project, path.replace(COMPILED, ""))
    const isOrphan = COMPILED.test(path) && !existsSync(`${source}.ts`) && !existsSync(`${source}.tsx`)
    if (isOrphan) rmSync(join(dist, path))
  }
}

/** Tells every few seconds how far a long build is: each project writes its record when it is done. */
const tellProgress = (all) => {
  const begun = Date.now()
  const since = performance.now()
  const isDone = (project) => {
    const record = join(root, project, "dist/tsconfig.tsbuildinfo")
    return existsSync(record) && statSync(record).mtimeMs >= begun
  }
  const timer = setInterval(() => {
    say(`Building ... ${all.filter(isDone).length} of up to ${all.length} projects built after ${seconds(since)}.`)
  }, PROGRESS_MILLIS)
  return () => clearInterval(timer)
}

const compile = async () => {
  const all = projects()
  all.forEach(removeOrphans)
  const quiet = tellProgress(all)
  try {
    return await runNode(bin("typescript", "tsc"), ["-b", ...all], { capture: true })
  } finally {
    quiet()
  }
}

/** Puts the locked packages in place, unless they are. */
export const install = () => exclusively(installLocked)

/** Brings the lockfile into step with what the packages declare, and installs it. */
export const lock = () =>
  exclusively(async () => {
    const { code, output } = await npm(["install", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund"])
    if (code !== 0) throw new Failure(`${complaint(output)}\nnpm install failed.`, "Fix what npm reports.")
    const added = await completeLockfile(npm)
    say(`package-lock.json is up to date${added === 0 ? "" : `; added ${added} builds for other platforms`}.`)
  })

/** Compiles what changed. Answers the compiler's exit code and words. */
export const build = () => exclusively(compile)

export const setUp = () =>
  exclusively(async () => {
    await installLocked()
    const since = performance.now()
    const { code, output } = await compile()
    if (code !== 0) {
      throw new Failure(`${output}\nThe build (tsc -b) failed.`, "Fix what the compiler reports, then run this again.")
    }
    await bundle()
    if (performance.now() - since > TELL_MILLIS) say(`Built in ${seconds(since)}.`)
  })
