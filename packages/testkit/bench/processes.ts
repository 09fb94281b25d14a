import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { NODE_OPTIONS } from "@outbound/testkit/files/nodeOptions.js"

export interface Server {
  readonly port: number
  /** Resident memory, in MB, at its highest since the start, with its processes'. Zero where the system does not say. */
  readonly peakMegabytes: () => number
  /** The same now. */
  readonly megabytes: () => number
  /** User and system time so far, in seconds, with that of its processes. */
  readonly cpuSeconds: () => number
  /** Forgets the turns of the event loop so far, such as those of the start. */
  readonly forgetTurns: () => void
  /** The longest turn of the event loop since then, in milliseconds. Known once it has stopped. */
  readonly longestTurnMillis: () => number
  /** Ends it at once, as a crash does. */
  readonly kill: () => Promise<void>
  readonly stop: () => Promise<void>
}

const fileOf = (pid: number, name: string): string => {
  const path = `/proc/${pid}/${name}`
  return existsSync(path) ? readFileSync(path, "utf8") : ""
}

/** A process and its own ones, such as workers. */
const family = (pid: number): ReadonlyArray<number> => [
  pid,
  ...fileOf(pid, `task/${pid}/children`).trim().split(" ").filter(Boolean).map(Number)
]

const LAG = new URL("lag.js", import.meta.url).href

/** How a server is told to measure its turns. */
interface Lag {
  readonly file: string
  readonly arguments: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
}

const lagOf = (): Lag => {
  const file = join(tmpdir(), `outbound-bench-lag-${randomBytes(8).toString("hex")}`)
  return { file, arguments: ["--import", LAG], environment: { BENCH_LAG_FILE: file } }
}

/** `lag`: how it was told to measure its turns; null: it was not. */
export const serverOf = (child: ChildProcess, port: number, lag: Lag | null = null): Server => {
  let longestTurnMillis = 0
  const ended = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, "exit")
    child.kill(signal)
    await exit
    if (lag === null || !existsSync(lag.file)) return
    longestTurnMillis = Number(readFileSync(lag.file, "utf8"))
    rmSync(lag.file)
  }
  const sum = (of: (pid: number) => number): number => family(child.pid ?? 0).reduce((total, pid) => total + of(pid), 0)
  return {
    port,
    peakMegabytes: () =>
      Math.round(sum((pid) => Number(/VmHWM:\s+(\d+)/.exec(fileOf(pid, "status"))?.[1] ?? 0)) / 1_024),
    megabytes: () => Math.round(sum((pid) => Number(/VmRSS:\s+(\d+)/.exec(fileOf(pid, "status"))?.[1] ?? 0)) / 1_024),
    cpuSeconds: () =>
      sum((pid) => {
        const [user, system] = fileOf(pid, "stat").split(") ")[1]?.split(" ").slice(11, 13) ?? []
        return (Number(user ?? 0) + Number(system ?? 0)) / 100
      }),
    forgetTurns: () => void (lag !== null && child.kill("SIGUSR2")),
    longestTurnMillis: () => longestTurnMillis,
    kill: () => ended("SIGKILL"),
    stop: () => ended("SIGTERM")
  }
}

/** Starts a server that prints `{"port":…}` when it listens. */
export const serve = async (script: string, args: ReadonlyArray<string>): Promise<Server> => {
  const lag = lagOf()
  const child = spawn(process.execPath, ["--enable-source-maps", ...lag.arguments, script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production", NODE_OPTIONS, ...lag.environment }
  })
  const line = await Promise.race([
    once(createInterface(child.stdout), "line").then(([text]) => String(text)),
    once(child, "exit").then(() => Promise.reject(new Error(`${script} ended before it listened`)))
  ])
  const { port } = JSON.parse(line) as { port: number }
  return serverOf(child, port, lag)
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

const READY_TRIES_MAX = 1_200
const READY_PAUSE_MILLIS = 50

/** The same for every service of a run: hosts on one database share it. */
export const SECRET = randomBytes(32).toString("base64url")

/** Starts the service itself on a database (null: its own in `dataDir`), and returns when it is ready. */
export const serveOutbound = async (
  program: string,
  databaseUrl: string | null,
  dataDir: string,
  workers = 1,
  more: Readonly<Record<string, string>> = {}
): Promise<Server> => {
  const port = await freePort()
  const lag = lagOf()
  const child = spawn(process.execPath, [...lag.arguments, program, "serve"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      ...lag.environment,
      NODE_ENV: "production",
      NODE_OPTIONS,
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
      OUTBOUND_SECRET: SECRET,
      OUTBOUND_HOST: "127.0.0.1",
      OUTBOUND_PORT: String(port),
      OUTBOUND_DATA_DIR: dataDir,
      OUTBOUND_WORKERS: String(workers),
      ...more
    }
  })
  const server = serverOf(child, port, lag)
  for (let tries = 0; tries < READY_TRIES_MAX; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.status === 200) return server
    if (child.exitCode !== null) break
    await new Promise((resolve) => setTimeout(resolve, READY_PAUSE_MILLIS))
  }
  await server.stop()
  throw new Error("the service did not become ready")
}

/** Runs a program to its end; what it printed. */
export const output = async (program: string, args: ReadonlyArray<string>): Promise<string> => {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] })
  const texts: Array<string> = []
  child.stdout.on("data", (chunk: Buffer) => texts.push(chunk.toString()))
  const errors: Array<string> = []
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk.toString()))
  const [code] = (await once(child, "close")) as [number | null]
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${errors.join("")}`)
  return texts.join("")
}
