/**
 * The Node that everything here runs on. Where the machine's own is too old, one is brought from the package registry, as
 * locked in `node/`, and the script starts again on it. Nothing else of the machine changes.
 */
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { constants } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { Failure, root, say, seconds } from "./host.mjs"
import { exclusively } from "./lock.mjs"
import { npm } from "./npm.mjs"
import { installLocked } from "./setUp.mjs"

const NODE_LEAST = [22, 19]
const FOLDER = join(root, "packages/testkit/scripts/node")
const STOPS = ["SIGINT", "SIGTERM"]

const isNewEnough = (version) => {
  const [major, minor] = version.split(".").map(Number)
  return major > NODE_LEAST[0] || (major === NODE_LEAST[0] && minor >= NODE_LEAST[1])
}

/** What is locked for this system, and where it lies once it is installed. */
const packageHere = () => {
  const { packages } = JSON.parse(readFileSync(join(FOLDER, "package-lock.json"), "utf8"))
  const found = Object.entries(packages).find(([, { cpu, os }]) => os === process.platform && cpu === process.arch)
  if (found === undefined) return undefined
  const [path, { bin, version }] = found
  return { version, program: join(FOLDER, path, bin.node) }
}

const needs = `Node ${NODE_LEAST.join(".")} or newer is needed; this is Node ${process.versions.node}`

const install = (version) =>
  exclusively(async () => {
    const since = performance.now()
    say(`${needs}. Bringing Node ${version} for this checkout alone ...`)
    const bringing = npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--workspaces=false"], { cwd: FOLDER })
    // Every command needs these next. What fails of them is told then.
    await installLocked(false).catch(() => {})
    const { code, output } = await bringing
    if (code !== 0) {
      throw new Failure(
        `${output}\nBringing Node ${version} failed: npm ci ended with code ${code}.`,
        "Check that the package registry is reachable, or install a newer Node (https://nodejs.org)."
      )
    }
    say(`Node ${version} is here after ${seconds(since)}.`)
  })

/** The same script on another Node. Ends as it ends. */
const startAgain = (program) =>
  new Promise((_resolve, reject) => {
    const child = spawn(program, process.argv.slice(1), {
      stdio: "inherit",
      // What is started by name finds this Node too.
      env: { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH ?? ""}` }
    })
    for (const signal of STOPS) process.on(signal, () => child.kill(signal))
    child.on("error", reject)
    child.on("close", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
  })

/** Goes on only on a Node that is new enough. */
export const onNode = async () => {
  if (isNewEnough(process.versions.node)) return
  const here = packageHere()
  if (here === undefined) throw new Failure(`${needs}.`, "Install a newer Node (https://nodejs.org), and repeat.")
  if (!existsSync(here.program)) await install(here.version)
  await startAgain(here.program)
}
