import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { createInterface } from "node:readline"

export interface Server {
  readonly port: number
  /** Resident memory, in MB, at its highest since the start, with its processes'. Zero where the system does not say. */
  readonly peakMegabytes: () => number
  /** User and system time so far, in seconds, with that of its processes. */
  readonly cpuSeconds: () => number
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

export const serverOf = (child: ChildProcess, port: number): Server => {
  const sum = (of: (pid: number) => number): number => family(child.pid ?? 0).reduce((total, pid) => total + of(pid), 0)
  return {
    port,
    peakMegabytes: () =>
      Math.round(sum((pid) => Number(/VmHWM:\s+(\d+)/.exec(fileOf(pid, "status"))?.[1] ?? 0)) / 1_024),
    cpuSeconds: () =>
      sum((pid) => {
        const [user, system] = fileOf(pid, "stat").split(") ")[1]?.split(" ").slice(11, 13) ?? []
        return (Number(user ?? 0) + Number(system ?? 0)) / 100
      }),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, "exit")
      child.kill("SIGTERM")
      await ended
    }
  }
}

/** Starts a server that prints `{"port":…}` when it listens. */
export const serve = async (script: string, args: ReadonlyArray<string>): Promise<Server> => {
  const child = spawn(process.execPath, ["--enable-source-maps", script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production" }
  })
  const line = await Promise.race([
    once(createInterface(child.stdout), "line").then(([text]) => String(text)),
    once(child, "exit").then(() => Promise.reject(new Error(`${script} ended before it listened`)))
  ])
  const { port } = JSON.parse(line) as { port: number }
  return serverOf(child, port)
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

const READY_TRIES_MAX = 300
const READY_PAUSE_MILLIS = 100

/** The same for every service of a run: hosts on one database share it. */
const SECRET = randomBytes(32).toString("base64url")

/** Starts the service itself on a database, and returns when it is ready. */
export const serveOutbound = async (
  program: string,
  databaseUrl: string,
  dataDir: string,
  workers = 1
): Promise<Server> => {
  const port = await freePort()
  const child = spawn(process.execPath, [program, "serve"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATABASE_URL: databaseUrl,
      OUTBOUND_SECRET: SECRET,
      OUTBOUND_HOST: "127.0.0.1",
      OUTBOUND_PORT: String(port),
      OUTBOUND_DATA_DIR: dataDir,
      OUTBOUND_WORKERS: String(workers)
    }
  })
  const server = serverOf(child, port)
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
