/**
 * `verify_email` by REST with an instant provider, beside a plain server that meters the same with one transaction per
 * call, beside one that reserves and settles in two as the service does, and beside the bare statements: all on one
 * PostgreSQL, with its settings untouched, in turns.
 */
import { join } from "node:path"
import { onBed } from "./Bed.js"
import { type Counts, percentile } from "./Histogram.js"
import { type Bare, bareStatements } from "./pgbench.js"
import { output, serve, serveOutbound, type Server } from "./processes.js"
import { machine, n, row, tell } from "./Report.js"
import { audit, OLD_CALLS, seeded } from "./seed.js"

const CONNECTIONS = 64
const POOL = 16
/** The servers take turns, so that whatever else the machine does meets both. */
const ROUNDS = 4
const ROUND_SECONDS = Number(process.env["BENCH_SECONDS"] ?? 8) / ROUNDS
const WARM_UP_SECONDS = 1
const WORKSPACES = [1, 1_000]
const BARE_CLIENTS = 20
const BARE_SECONDS = 4

const root = join(import.meta.dirname, "../../../..")

/** The operator's program, as it is run in production. */
const OUTBOUND = join(root, "packages/outbound/bin/outbound.mjs")

const here = (name: string): string => join(import.meta.dirname, name)

interface Round {
  readonly seconds: number
  readonly ok: number
  readonly refused: number
  readonly counts: Counts
}

interface Measured {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly refused: number
  readonly megabytes: number
  /** Known once the server has stopped. */
  readonly longestTurnMillis: () => number
  /** CPU time of the server's process per call, in microseconds. */
  readonly cpuMicros: number
}

interface Contender {
  readonly server: Server
  readonly rounds: Array<Round>
  cpuSeconds: number
}

const contend = (server: Server): Contender => ({ server, rounds: [], cpuSeconds: 0 })

const loaded = async ({ server }: Contender, workspaces: number): Promise<Round> => {
  const args = [here("load.js"), server.port, CONNECTIONS, workspaces, WARM_UP_SECONDS, ROUND_SECONDS].map(String)
  return JSON.parse(await output(process.execPath, args)) as Round
}

const playRound = async (contender: Contender, workspaces: number): Promise<void> => {
  const before = contender.server.cpuSeconds()
  contender.rounds.push(await loaded(contender, workspaces))
  contender.cpuSeconds += contender.server.cpuSeconds() - before
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

const measured = ({ cpuSeconds, rounds, server }: Contender): Measured => {
  const perSecond = sum(rounds.map(({ ok }) => ok)) / sum(rounds.map(({ seconds }) => seconds))
  const calls = perSecond * rounds.length * (ROUND_SECONDS + WARM_UP_SECONDS)
  const counts = rounds.map((round) => round.counts)
  return {
    perSecond,
    p50: percentile(counts, 0.5),
    p99: percentile(counts, 0.99),
    refused: sum(rounds.map(({ refused }) => refused)),
    megabytes: server.peakMegabytes(),
    longestTurnMillis: server.longestTurnMillis,
    cpuMicros: Math.round((cpuSeconds / calls) * 1e6)
  }
}

interface Case {
  readonly workspaces: number
  readonly outbound: Measured
  readonly protocol: Measured
  readonly peer: Measured
  readonly pair: Measured
  readonly bare: Bare
}

const runCase = async (serverUrl: string, dataDir: string, workspaces: number): Promise<Case> => {
  const database = (name: string) => seeded(serverUrl, `${name}_${workspaces}`, workspaces)
  const urls = [
    await database("service"),
    await database("protocol"),
    await database("peer"),
    await database("pair")
  ] as const
  const servers: Array<Server> = []
  const started = async (server: Promise<Server>): Promise<Contender> => {
    servers.push(await server)
    return contend(await server)
  }
  try {
    const service = await started(serveOutbound(OUTBOUND, urls[0], join(dataDir, `service-${workspaces}`)))
    const protocol = await started(serve(here("outbound.js"), [urls[1], String(POOL)]))
    const peer = await started(serve(here("peer/server.js"), [urls[2], String(POOL)]))
    const pair = await started(serve(here("peer/server.js"), [urls[3], String(POOL), "two"]))
    const contenders = [service, protocol, peer, pair]
    // The first turn compiles what runs often.
    for (const contender of contenders) {
      await loaded(contender, workspaces)
      contender.server.forgetTurns()
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const contender of contenders) await playRound(contender, workspaces)
    }
    const results = {
      outbound: measured(service),
      protocol: measured(protocol),
      peer: measured(peer),
      pair: measured(pair)
    }
    for (const server of servers) await server.stop()
    for (const url of urls) {
      const { breaches } = await audit(url)
      if (breaches > 0) throw new Error(`${breaches} accounts do not add up after ${workspaces} workspaces' calls`)
    }
    return { workspaces, ...results, bare: await bareStatements(urls[2], BARE_CLIENTS, BARE_SECONDS) }
  } finally {
    for (const server of servers) await server.stop()
  }
}

const ONE = "one transaction per call"
const TWO = "two transactions per call"

const table = (cases: ReadonlyArray<Case>): string => {
  const line = (workspaces: number, what: string, m: Measured) =>
    row([
      String(workspaces),
      what,
      n(m.perSecond),
      n(m.p50, 1),
      n(m.p99, 1),
      n(m.longestTurnMillis()),
      n(m.megabytes),
      n(m.cpuMicros)
    ])
  const ratios = (workspaces: number, what: string, ours: Measured, theirs: Measured, peer = ONE) =>
    row([
      String(workspaces),
      `**${what} / ${peer}**`,
      `**${n(ours.perSecond / theirs.perSecond, 1)}**`,
      `**${n(ours.p50 / theirs.p50, 2)}**`,
      `**${n(ours.p99 / theirs.p99, 2)}**`,
      "",
      "",
      `**${n(ours.cpuMicros / theirs.cpuMicros, 2)}**`
    ])
  return [
    row(["workspaces", "server", "calls/s", "p50 ms", "p99 ms", "longest turn ms", "peak MB", "CPU µs/call"]),
    row(["---:", "---", "---:", "---:", "---:", "---:", "---:", "---:"]),
    ...cases.flatMap(({ bare, outbound, pair, peer, protocol, workspaces }) => [
      line(workspaces, "outbound", outbound),
      line(workspaces, "its protocol alone", protocol),
      line(workspaces, ONE, peer),
      line(workspaces, TWO, pair),
      row([String(workspaces), `the two bare statements (${bare.by})`, n(bare.perSecond), "", "", "", "", ""]),
      ratios(workspaces, "outbound", outbound, peer),
      ratios(workspaces, "its protocol alone", protocol, peer),
      ratios(workspaces, "outbound", outbound, protocol, "its protocol alone"),
      ratios(workspaces, "outbound", outbound, pair, TWO),
      ratios(workspaces, "its protocol alone", protocol, pair, TWO)
    ])
  ].join("\n")
}

const report = (text: string): string => `## \`verify_email\`, metered, with an instant provider

${machine}, ${CONNECTIONS} connections, ${ROUNDS}
turns of ${ROUND_SECONDS} s each after a warm-up, and after one that doesn't count. Pools of ${POOL} connections, one
PostgreSQL with default settings (\`fsync\` and \`synchronous_commit\` on), ${OLD_CALLS} older calls in the table.

${text}

- **outbound**: the whole service as \`outbound serve\` runs it, with the sandbox's verifier.
- **its protocol alone**: the journal with its full decision, over bare \`node:http\`. Each call is admitted (key, scope,
  capabilities, rate, monthly cap, balance) and its maximum reserved in one committed batch, and settled in another:
  account, ledger, usage by key and day, and the call's record.
- **one transaction per call**: Fastify and \`pg\` with prepared statements. The same checks and rows, except the open
  reservation, in one transaction per call instead of two commits.
- **two transactions per call**: the same server, but it keeps the same promise. It reserves and commits before it asks the
  provider, and settles afterwards in a single statement. No lock is held while a provider works.
- **longest turn**: of the server's event loop. CPU is that of the server's process alone.
- **the two bare statements**: subtract the price from the account and insert the record, without reading or checking.
`

await onBed(async ({ dataDir, url }) => {
  const cases: Array<Case> = []
  for (const workspaces of WORKSPACES) cases.push(await runCase(url, dataDir, workspaces))
  const refused = ({ outbound, pair, peer, protocol }: Case) =>
    outbound.refused + pair.refused + peer.refused + protocol.refused
  if (cases.some((one) => refused(one) > 0)) {
    throw new Error(`some calls were refused, so the figures cannot be compared: ${JSON.stringify(cases)}`)
  }
  const text = table(cases)
  tell("verify", text, report(text))
})
