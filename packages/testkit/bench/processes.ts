import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { createInterface } from "node:readline"

export interface Server {
  readonly port: number
  /** Resident memory, in MB, at its highest since the start. Zero where the system does not say. */
  readonly peakMegabytes: () => number
  /** User and system time so far, in seconds. */
  readonly cpuSeconds: () => number
  readonly stop: () => Promise<void>
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
  const fileOf = (name: string): string => {
    const path = `/proc/${child.pid}/${name}`
    return existsSync(path) ? readFileSync(path, "utf8") : ""
  }
  return {
    port,
    peakMegabytes: () => Math.round(Number(/VmHWM:\s+(\d+)/.exec(fileOf("status"))?.[1] ?? 0) / 1_024),
    cpuSeconds: () => {
      const [user, system] = fileOf("stat").split(") ")[1]?.split(" ").slice(11, 13) ?? []
      return (Number(user ?? 0) + Number(system ?? 0)) / 100
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, "exit")
      child.kill("SIGTERM")
      await ended
    }
  }
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
