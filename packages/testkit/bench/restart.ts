/**
 * The service and its own database are killed (SIGKILL) in the middle of a load, and started again while the clients still
 * try: how long until it is ready.
 */
import { find } from "@outbound/adapters/postgres/embedded/EmbeddedPostgres.js"
import { locate } from "@outbound/adapters/postgres/embedded/Location.js"
import { Effect, Option } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { serveOutbound, type Server } from "./processes.js"
import { machine, n, row, tell } from "./Report.js"
import { seedInto } from "./seed.js"

const WORKSPACES = 100
const CONNECTIONS = 64
const KILLS = 3
const LOAD_SECONDS = Number(process.env["BENCH_SECONDS"] ?? 10)

const OUTBOUND = join(import.meta.dirname, "../../../..", "packages/outbound/bin/outbound.mjs")

/** The first process of the embedded database. The others end with it. */
const postmasterOf = (dataDir: string): number =>
  Number(readFileSync(join(locate(dataDir, undefined).cluster, "postmaster.pid"), "utf8").split("\n")[0])

interface Started {
  readonly server: Server
  readonly seconds: number
  readonly cpuSeconds: number
}

const started = async (dataDir: string): Promise<Started> => {
  const from = performance.now()
  const server = await serveOutbound(OUTBOUND, null, dataDir)
  return { server, seconds: (performance.now() - from) / 1_000, cpuSeconds: server.cpuSeconds() }
}

const load = (port: number): ChildProcess =>
  spawn(
    process.execPath,
    [join(import.meta.dirname, "load.js"), port, CONNECTIONS, WORKSPACES, 0, LOAD_SECONDS * 10].map(String),
    { stdio: "ignore" }
  )

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, "exit")
  child.kill("SIGKILL")
  await exit
}

const report = (text: string): string => `## A restart after a crash

${machine}, load ${n(loadavg()[0] ?? 0, 1)} on them. The service and its own database are killed after
${LOAD_SECONDS} s of \`verify_email\` at ${CONNECTIONS} connections, and started again at once.

${text}

- **ready**: from the start of the process to 200 from \`/readyz\`. PostgreSQL recovers in its own process meanwhile.
`

const dataDir = mkdtempSync(join(tmpdir(), "outbound-bench-restart-"))
chmodSync(dataDir, 0o711)
const children: Array<ChildProcess> = []
let running: Started | undefined
try {
  running = await started(dataDir)
  const rows = [row(["the first start", n(running.seconds, 1), n(running.cpuSeconds, 1)])]
  const database = await Effect.runPromise(find({ dataDir, log: () => Effect.void }))
  await seedInto(Option.getOrThrow(database).url, WORKSPACES)
  const seconds: Array<number> = []
  for (let kill = 0; kill < KILLS; kill++) {
    const clients = load(running.server.port)
    children.push(clients)
    await new Promise((resolve) => setTimeout(resolve, LOAD_SECONDS * 1_000))
    const postmaster = postmasterOf(dataDir)
    await running.server.kill()
    process.kill(postmaster, "SIGKILL")
    await ended(clients)
    running = await started(dataDir)
    seconds.push(running.seconds)
    rows.push(row([`after kill ${kill + 1}`, n(running.seconds, 1), n(running.cpuSeconds, 1)]))
  }
  rows.push(row(["**the slowest after a kill**", `**${n(Math.max(...seconds), 1)}**`, ""]))
  const text = [row(["start", "ready: s", "CPU of the service: s"]), row(["---", "---:", "---:"]), ...rows].join("\n")
  tell("restart", text, report(text))
} finally {
  for (const child of children) await ended(child)
  await running?.server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
