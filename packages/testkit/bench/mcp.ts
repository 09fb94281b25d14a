/**
 * `tools/call` of `verify_email`, metered, beside a bare tool on `@modelcontextprotocol/sdk` 1.x that says back what it
 * was given, in the same run and in turns; and beside the same verb by REST.
 */
import { join } from "node:path"
import { onBed } from "./Bed.js"
import { type Counts, percentile } from "./Histogram.js"
import type { LoadOptions } from "./mcp/load.js"
import { output, serve, serveOutbound, type Server } from "./processes.js"
import { machine, n, row, tell } from "./Report.js"
import { audit, OLD_CALLS, secretOf, seeded } from "./seed.js"

const CONNECTIONS = 16
/** The contenders take turns, so that whatever else the machine does meets all of them. */
const ROUNDS = 3
const ROUND_SECONDS = Number(process.env["BENCH_SECONDS"] ?? 6) / ROUNDS
const WARM_UP_SECONDS = 1

const root = join(import.meta.dirname, "../../../..")
const here = (name: string): string => join(import.meta.dirname, name)
const OUTBOUND = join(root, "packages/outbound/bin/outbound.mjs")

interface Round {
  readonly seconds: number
  readonly ok: number
  readonly refused: number
  readonly counts: Counts
}

interface Contender {
  readonly name: string
  readonly server: Server
  readonly load: Pick<LoadOptions, "path" | "headers" | "body">
  readonly rounds: Array<Round>
  cpuSeconds: number
}

interface Measured {
  readonly name: string
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuMicros: number
  readonly refused: number
}

const ARGUMENTS = { email: "someone@example.com" }

const callOf = (meta?: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "verify_email", arguments: ARGUMENTS, ...(meta === undefined ? {} : { _meta: meta }) }
  })

const OLDER = {
  path: "/mcp",
  headers: { "mcp-protocol-version": "2025-11-25" },
  body: callOf()
} as const

const NEWER = {
  path: "/mcp",
  headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "verify_email" },
  body: callOf({
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "load", version: "1" }
  })
} as const

const REST = { path: "/v1/verify_email", headers: {}, body: JSON.stringify(ARGUMENTS) } as const

const withKey = (load: Contender["load"]): Contender["load"] => ({
  ...load,
  headers: { ...load.headers, authorization: `Bearer ${secretOf(0)}` }
})

const loaded = async (contender: Contender): Promise<Round> => {
  const options: LoadOptions = {
    ...contender.load,
    port: contender.server.port,
    connections: CONNECTIONS,
    warmUpSeconds: WARM_UP_SECONDS,
    seconds: ROUND_SECONDS
  }
  return JSON.parse(await output(process.execPath, [here("mcp/load.js"), JSON.stringify(options)])) as Round
}

const playRound = async (contender: Contender): Promise<void> => {
  const before = contender.server.cpuSeconds()
  contender.rounds.push(await loaded(contender))
  contender.cpuSeconds += contender.server.cpuSeconds() - before
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

const measured = ({ cpuSeconds, name, rounds }: Contender): Measured => {
  const perSecond = sum(rounds.map(({ ok }) => ok)) / sum(rounds.map(({ seconds }) => seconds))
  const counts = rounds.map((round) => round.counts)
  return {
    name,
    perSecond,
    p50: percentile(counts, 0.5),
    p99: percentile(counts, 0.99),
    cpuMicros: Math.round((cpuSeconds / (perSecond * rounds.length * (ROUND_SECONDS + WARM_UP_SECONDS))) * 1e6),
    refused: sum(rounds.map(({ refused }) => refused))
  }
}

const table = (results: ReadonlyArray<Measured>): string => {
  const [bare] = results
  return [
    row(["`tools/call`", "calls/s", "of the bare tool's", "p50 ms", "p99 ms", "CPU µs/call"]),
    row(["---", "---:", "---:", "---:", "---:", "---:"]),
    ...results.map(({ cpuMicros, name, p50, p99, perSecond }) =>
      row([name, n(perSecond), n(perSecond / (bare?.perSecond ?? 1), 2), n(p50, 1), n(p99, 1), n(cpuMicros)])
    )
  ].join("\n")
}

const report = (text: string): string => `## \`tools/call\`, compared with a bare tool

${machine}, ${CONNECTIONS} connections, ${ROUNDS} turns of
${ROUND_SECONDS} s each after one that doesn't count, ${OLD_CALLS} older calls in the table. Load generator, servers and PostgreSQL (default
settings, \`fsync\` on) share the machine.

${text}

- **a bare tool, as the SDK's example**: the stateless example of \`@modelcontextprotocol/sdk\` 1.32.2 with one tool
  that echoes its arguments.
- **a bare tool, as lean as can be**: the same SDK over \`node:http\` with low-level handlers, no validation, one shared
  validator and plain JSON responses.
- **outbound**: the whole service. Each \`verify_email\` is admitted (key, scope, rate, caps, balance), its maximum is
  reserved and committed, the sandbox verifies it, and it is settled, committed, and returned as envelope and text.
- **outbound, by REST**: the same verb without MCP.
`

await onBed(async ({ dataDir, finally: atEnd, url }) => {
  const servers: Array<Server> = []
  const started = async (server: Promise<Server>): Promise<Server> => {
    servers.push(await server)
    return server
  }
  atEnd(async () => {
    for (const server of servers) await server.stop()
  })
  const database = await seeded(url, "mcp", 1)
  const example = await started(serve(here("mcp/echo.js"), ["example"]))
  const lean = await started(serve(here("mcp/echo.js"), ["lean"]))
  const service = await started(serveOutbound(OUTBOUND, database, join(dataDir, "service")))
  const contend = (name: string, server: Server, load: Contender["load"]): Contender => ({
    name,
    server,
    load,
    rounds: [],
    cpuSeconds: 0
  })
  const contenders = [
    contend("a bare tool, as the SDK's example", example, OLDER),
    contend("a bare tool, as lean as can be", lean, OLDER),
    contend("outbound, 2025-11-25", service, withKey(OLDER)),
    contend("outbound, 2026-07-28", service, withKey(NEWER)),
    contend("outbound, by REST", service, withKey(REST))
  ]
  // One service answers the last three, so the first of them would pay for the compiling of what they share.
  for (const contender of contenders) await loaded(contender)
  for (let round = 0; round < ROUNDS; round++) for (const contender of contenders) await playRound(contender)
  const results = contenders.map(measured)
  const text = table(results)
  for (const server of servers) await server.stop()
  const { breaches } = await audit(database)
  if (breaches > 0) throw new Error("the account does not add up after the calls")
  const refused = results.filter((one) => one.refused > 0)
  if (refused.length > 0) throw new Error(`some calls were refused: ${JSON.stringify(refused)}`)
  tell("mcp", text, report(text))
})
