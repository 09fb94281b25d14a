/**
 * From a clone to ready: this repository's last commit is cloned into an empty folder, `npm start` sets it up there, and ends
 * once the service says that it is ready. First nothing is in npm's cache, then all of it is; on the machine's own Node, and on
 * the one that runs this where that is another.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { loadavg, tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { machine, n, row, tell } from "./Report.js"

const ROOT = join(import.meta.dirname, "../../../..")

/** What a person waits at most on two slow cores, in seconds. */
const SECONDS_MAX = 45

const READY = /^outbound is ready at (\S+)/

/** The environment of a shell: without what npm tells its scripts, and without what it puts before their path. */
const environment = (node: string | null): Record<string, string> => {
  const paths = (process.env["PATH"] ?? "").split(delimiter)
  const own = paths.filter((path) => !path.startsWith(ROOT) && !path.includes("node_modules/.bin"))
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_)|npm_config_(local_prefix|prefix)$|OUTBOUND_|INIT_CWD$|NODE_)/.test(name)
  )
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    PATH: [...(node === null ? [] : [node]), ...own].join(delimiter)
  }
}

const versionOn = (env: Record<string, string>): string | null => {
  const { status, stdout } = spawnSync("node", ["--version"], { env, encoding: "utf8" })
  return status === 0 ? stdout.trim() : null
}

/** Processor time of all processes that we started and that have ended, in seconds. Zero where the system doesn't say. */
const cpuSeconds = (): number => {
  if (!existsSync("/proc/self/stat")) return 0
  const [user, system] = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ").slice(13, 15) ?? []
  return (Number(user ?? 0) + Number(system ?? 0)) / 100
}

const megabytesOf = (folder: string): number => {
  if (!existsSync(folder)) return 0
  let bytes = 0
  for (const entry of readdirSync(folder, { recursive: true })) {
    bytes += lstatSync(join(folder, String(entry))).size
  }
  return bytes / 1e6
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
}

const made: Array<string> = []
const running: Array<ChildProcess> = []

const folder = (name: string): string => {
  const path = mkdtempSync(join(tmpdir(), `outbound-ready-${name}-`))
  // Where this runs as root, the database's own account must be able to walk through.
  chmodSync(path, 0o755)
  made.push(path)
  return path
}

interface Measured {
  readonly clone: number
  readonly ready: number
  readonly cpu: number
  readonly megabytes: number
  readonly cache: number
}

const measure = async (env: Record<string, string>, cache: string): Promise<Measured> => {
  const cpuBefore = cpuSeconds()
  const from = performance.now()
  const checkout = join(folder("clone"), "outbound")
  execFileSync("git", ["clone", "--quiet", `file://${ROOT}`, checkout], { env })
  const clone = (performance.now() - from) / 1_000
  const port = await freePort()
  const child = spawn("npm", ["start"], {
    cwd: checkout,
    env: { ...env, npm_config_cache: cache, OUTBOUND_PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"]
  })
  running.push(child)
  let url: string | null = null
  for await (const line of createInterface(child.stdout)) {
    url = READY.exec(line)?.[1] ?? null
    if (url !== null) break
  }
  if (url === null) throw new Error("npm start ended before it was ready")
  const { status } = await fetch(`${url}/readyz`)
  const ready = (performance.now() - from) / 1_000
  child.stdout.resume()
  child.kill("SIGTERM")
  await ended(child)
  if (status !== 200) throw new Error(`it said that it is ready, and /readyz answered ${status}`)
  const packages = ["node_modules", "packages/testkit/scripts/node/node_modules"]
  const megabytes = packages.reduce((sum, path) => sum + megabytesOf(join(checkout, path)), 0)
  const measured = { clone, ready, cpu: cpuSeconds() - cpuBefore, megabytes, cache: megabytesOf(cache) }
  rmSync(checkout, { recursive: true, force: true })
  return measured
}

try {
  const [load = 0] = loadavg()
  const own = environment(null)
  const ours = environment(dirname(process.execPath))
  const nodes = new Map([own, ours].flatMap((env) => [[versionOn(env), env] as const]))
  nodes.delete(null)
  const rows: Array<string> = []
  let slowest = 0
  for (const [version, env] of nodes) {
    const cache = folder("cache")
    for (const what of ["empty", "filled"]) {
      const { clone, cpu, megabytes, ready, ...rest } = await measure(env, cache)
      slowest = Math.max(slowest, ready)
      rows.push(row([version ?? "", what, n(clone, 1), n(ready, 1), n(cpu, 1), n(megabytes), n(rest.cache)]))
    }
  }
  const table = [
    row(["Node of the machine", "npm's cache", "cloned: s", "ready: s", "CPU: s", "packages: MB", "cache then: MB"]),
    row(["---", "---", "---:", "---:", "---:", "---:", "---:"]),
    ...rows
  ].join("\n")
  const section = `## From a clone to ready

${machine}, at a load of ${n(load)}. \`git clone\` and \`npm start\`, until \`/readyz\` answers 200; at most ${SECONDS_MAX} s.

${table}

- **ready**: since the clone began, with everything that is fetched, installed and built, and the database's first start.
- **CPU**: of all processes, with their end.
- **packages**: what was installed, with the Node that is brought where the machine's is older than 22.19.
`
  tell("ready", table, section)
  if (slowest > SECONDS_MAX) {
    console.error(`Longer than ${SECONDS_MAX} s: ${n(slowest, 1)} s.`)
    process.exitCode = 1
  }
} finally {
  for (const child of running) if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM")
  await Promise.all(running.map(ended))
  for (const path of made) rmSync(path, { recursive: true, force: true })
}
