/**
 * `verify_email` by REST through one, two and four workers of one service, and through two services of one worker each, on
 * one PostgreSQL: on two cores nothing gets faster, but no call may cost more.
 */
import { join } from "node:path"
import { onBed } from "./Bed.js"
import { type Counts, percentile } from "./Histogram.js"
import { output, serveOutbound, type Server } from "./processes.js"
import { machine, n, row, tell } from "./Report.js"
import { audit, seeded } from "./seed.js"

const CONNECTIONS = 64
const WORKSPACES = 100
/** The contenders take turns, so that whatever else the machine does meets all of them. */
const ROUNDS = 3
const ROUND_SECONDS = Number(process.env["BENCH_SECONDS"] ?? 12) / ROUNDS
const WARM_UP_SECONDS = 4

const OUTBOUND = join(import.meta.dirname, "../../../..", "packages/outbound/bin/outbound.mjs")

interface Round {
  readonly ok: number
  readonly refused: number
  readonly seconds: number
  readonly cpuSeconds: number
  readonly counts: Counts
}

interface Contender {
  readonly name: string
  /** How many workers each of its services has. */
  readonly services: ReadonlyArray<number>
  readonly rounds: Array<Round>
  megabytes: number
}

const load = async (port: number, connections: number): Promise<Omit<Round, "cpuSeconds">> => {
  const args = [join(import.meta.dirname, "load.js"), port, connections, WORKSPACES, WARM_UP_SECONDS, ROUND_SECONDS]
  return JSON.parse(await output(process.execPath, args.map(String))) as Round
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

/** Each service of a contender gets its share of the connections. */
const play = async (contender: Contender, servers: ReadonlyArray<Server>): Promise<void> => {
  const total = (of: (server: Server) => number) => sum(servers.map(of))
  const before = total(({ cpuSeconds }) => cpuSeconds())
  const parts = await Promise.all(servers.map(({ port }) => load(port, CONNECTIONS / servers.length)))
  const cpuSeconds = total((server) => server.cpuSeconds()) - before
  for (const [index, part] of parts.entries())
    contender.rounds.push({ ...part, cpuSeconds: index === 0 ? cpuSeconds : 0 })
  contender.megabytes = Math.max(
    contender.megabytes,
    total(({ peakMegabytes }) => peakMegabytes())
  )
}

const perSecond = ({ rounds, services }: Contender): number =>
  (sum(rounds.map(({ ok }) => ok)) / sum(rounds.map(({ seconds }) => seconds))) * services.length

const cpuMicros = (contender: Contender): number => {
  const calls = perSecond(contender) * ROUNDS * (ROUND_SECONDS + WARM_UP_SECONDS)
  return (sum(contender.rounds.map(({ cpuSeconds }) => cpuSeconds)) / calls) * 1e6
}

const table = (contenders: ReadonlyArray<Contender>): string => {
  const [one] = contenders
  return [
    row([
      "verify_email",
      "calls/s",
      "of one worker's",
      "p50 ms",
      "p99 ms",
      "CPU µs/call",
      "of one worker's",
      "peak MB"
    ]),
    row(["---", "---:", "---:", "---:", "---:", "---:", "---:", "---:"]),
    ...contenders.map((contender) => {
      const counts = contender.rounds.map((round) => round.counts)
      return row([
        contender.name,
        n(perSecond(contender)),
        one === undefined ? "" : n(perSecond(contender) / perSecond(one), 2),
        n(percentile(counts, 0.5), 1),
        n(percentile(counts, 0.99), 1),
        n(cpuMicros(contender)),
        one === undefined ? "" : n(cpuMicros(contender) / cpuMicros(one), 2),
        n(contender.megabytes)
      ])
    })
  ].join("\n")
}

const report = (text: string): string => `## Workers, and hosts on one database

${machine}, ${CONNECTIONS} connections, ${WORKSPACES} workspaces, ${ROUNDS} turns of ${ROUND_SECONDS} s each after a
warm-up of ${WARM_UP_SECONDS} s. Load generator, service and PostgreSQL (default settings, \`fsync\` on) share the cores, so
more workers can hardly answer more here: what counts is what a call costs.

${text}

- **workers**: processes of one service that share its port (\`OUTBOUND_WORKERS\`). CPU and memory are theirs and the
  primary's together.
- **two hosts**: two services of one worker each on one database, each with half of the connections.
`

await onBed(async ({ dataDir, url }) => {
  const database = await seeded(url, "workers", WORKSPACES)
  const contenders = Object.entries({ "1 worker": [1], "2 workers": [2], "4 workers": [4], "two hosts": [1, 1] }).map(
    ([name, services]): Contender => ({ name, services, rounds: [], megabytes: 0 })
  )
  for (let round = 0; round < ROUNDS; round++) {
    for (const contender of contenders) {
      const servers: Array<Server> = []
      try {
        for (const [index, workers] of contender.services.entries()) {
          servers.push(await serveOutbound(OUTBOUND, database, join(dataDir, `service-${index}`), workers))
        }
        await play(contender, servers)
      } finally {
        for (const server of servers) await server.stop()
      }
    }
  }
  if (contenders.some(({ rounds }) => rounds.some(({ refused }) => refused > 0))) throw new Error("calls were refused")
  const { breaches } = await audit(database)
  if (breaches > 0) throw new Error(`${breaches} accounts do not add up`)
  const text = table(contenders)
  tell("workers", text, report(text))
})
