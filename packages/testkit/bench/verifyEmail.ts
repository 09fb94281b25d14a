/**
 * `verify_email` by REST with an instant provider, beside a plain server that meters the same with one transaction per
 * call, and beside the bare statements: all on one PostgreSQL, with its settings untouched, in turns.
 */
import { start } from "@outbound/adapters/postgres/embedded/EmbeddedPostgres.js"
import { Effect, Exit, Scope } from "effect"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { bareStatements } from "./pgbench.js"
import { output, serve } from "./processes.js"
import { audit, seeded } from "./seed.js"

const CONNECTIONS = 64
const POOL = 16
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 8)
const WARM_UP_SECONDS = 2
const WORKSPACES = [1, 1_000]

const here = (name: string): string => join(import.meta.dirname, name)

export interface Measured {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly refused: number
  readonly megabytes: number
  /** CPU time of the server's process per call, in microseconds. */
  readonly cpuMicros: number
}

const measure = async (script: string, databaseUrl: string, workspaces: number): Promise<Measured> => {
  const server = await serve(here(script), [databaseUrl, String(POOL)])
  try {
    const args = [here("load.js"), server.port, CONNECTIONS, workspaces, WARM_UP_SECONDS, SECONDS].map(String)
    const before = server.cpuSeconds()
    const printed = JSON.parse(await output(process.execPath, args)) as Omit<Measured, "megabytes" | "cpuMicros">
    const calls = printed.perSecond * (SECONDS + WARM_UP_SECONDS)
    return {
      ...printed,
      megabytes: server.peakMegabytes(),
      cpuMicros: Math.round(((server.cpuSeconds() - before) / calls) * 1e6)
    }
  } finally {
    await server.stop()
  }
}

export interface Case {
  readonly workspaces: number
  readonly outbound: Measured
  readonly peer: Measured
  readonly bare: { readonly by: string; readonly perSecond: number }
}

const runCase = async (serverUrl: string, workspaces: number): Promise<Case> => {
  const ours = await seeded(serverUrl, `ours_${workspaces}`, workspaces)
  const theirs = await seeded(serverUrl, `theirs_${workspaces}`, workspaces)
  const outbound = await measure("outbound.js", ours, workspaces)
  const peer = await measure("peer/server.js", theirs, workspaces)
  for (const url of [ours, theirs]) {
    const { breaches } = await audit(url)
    if (breaches > 0) throw new Error(`${breaches} accounts of ${url} do not add up`)
  }
  const bare = await bareStatements(theirs, 20, Math.min(SECONDS, 5))
  return { workspaces, outbound, peer, bare }
}

const n = (value: number, digits = 0): string => value.toFixed(digits)

const table = (cases: ReadonlyArray<Case>): string => {
  const row = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
  const line = (workspaces: number, what: string, m: Measured) =>
    row([String(workspaces), what, n(m.perSecond), n(m.p50, 1), n(m.p99, 1), n(m.megabytes), n(m.cpuMicros)])
  return [
    row(["workspaces", "server", "calls/s", "p50 ms", "p99 ms", "peak MB", "CPU µs/call"]),
    row(["---:", "---", "---:", "---:", "---:", "---:", "---:"]),
    ...cases.flatMap(({ bare, outbound, peer, workspaces }) => [
      line(workspaces, "outbound", outbound),
      line(workspaces, "one transaction per call", peer),
      row([String(workspaces), `the two bare statements (${bare.by})`, n(bare.perSecond), "", "", "", ""]),
      row([
        String(workspaces),
        "**outbound / one transaction per call**",
        `**${n(outbound.perSecond / peer.perSecond, 1)}**`,
        `**${n(outbound.p50 / peer.p50, 2)}**`,
        `**${n(outbound.p99 / peer.p99, 2)}**`,
        "",
        ""
      ])
    ])
  ].join("\n")
}

const dataDir = mkdtempSync(join(tmpdir(), "outbound-bench-"))
chmodSync(dataDir, 0o711)
const scope = await Effect.runPromise(Scope.make())
try {
  const { url } = await Effect.runPromise(start({ dataDir, log: () => Effect.void }).pipe(Scope.extend(scope)))
  const cases: Array<Case> = []
  for (const workspaces of WORKSPACES) cases.push(await runCase(url, workspaces))
  console.log(`${cpus().length} CPUs, Node ${process.version}`)
  console.log(table(cases))
  if (cases.some(({ outbound, peer }) => outbound.refused + peer.refused > 0)) {
    console.log("Some calls were refused; the figures are not comparable.", JSON.stringify(cases))
  }
} finally {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(dataDir, { recursive: true, force: true })
}
