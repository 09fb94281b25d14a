/**
 * What `llm/chat` adds to the bare upstream, plain and streaming, and how much of it one host passes through, metered.
 * Beside it a proxy that only passes on, and, where `BENCH_PORTKEY` names a folder in which `@portkey-ai/gateway` is
 * installed, that gateway.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { loadavg } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { onBed } from "./Bed.js"
import type { Load, LoadOptions } from "./chat/load.js"
import { percentile } from "./Histogram.js"
import { output, serve, type Server, serverOf } from "./processes.js"
import { machine, n, row, tell } from "./Report.js"
import { audit, secretOf, seeded } from "./seed.js"

/** The contenders take turns, so that whatever else the machine does meets all of them. */
const ROUNDS = 3
const ROUND_SECONDS = Number(process.env["BENCH_SECONDS"] ?? 6) / ROUNDS
const WARM_UP_SECONDS = 1
const CONNECTIONS = 16

const here = (name: string): string => join(import.meta.dirname, name)

type Target = Pick<LoadOptions, "port" | "path" | "headers"> & {
  readonly name: string
  /** User and system time of its process so far, in seconds; null: not measured. */
  readonly cpuSeconds: (() => number) | null
}

interface Measured {
  readonly name: string
  readonly perSecond: number
  readonly first: number
  readonly whole: number
  readonly refused: number
  readonly cpuMicros: number | null
}

const round = async (target: Target, stream: boolean, connections: number): Promise<Load> => {
  const { headers, path, port } = target
  const options: LoadOptions = {
    port,
    path,
    headers,
    stream,
    connections,
    warmUpSeconds: WARM_UP_SECONDS,
    seconds: ROUND_SECONDS
  }
  return JSON.parse(await output(process.execPath, [here("chat/load.js"), JSON.stringify(options)])) as Load
}

const compare = async (targets: ReadonlyArray<Target>, stream: boolean, connections: number) => {
  const rounds = targets.map(() => [] as Array<Load>)
  const cpuSeconds = targets.map(() => 0)
  for (let turn = 0; turn < ROUNDS; turn++) {
    for (const [index, target] of targets.entries()) {
      const before = target.cpuSeconds?.() ?? 0
      rounds[index]?.push(await round(target, stream, connections))
      cpuSeconds[index] = (cpuSeconds[index] ?? 0) + (target.cpuSeconds?.() ?? 0) - before
    }
  }
  return targets.map((target, index): Measured => {
    const loads = rounds[index] ?? []
    const sum = (of: (load: Load) => number) => loads.reduce((total, load) => total + of(load), 0)
    const perSecond = sum(({ ok }) => ok) / sum(({ seconds }) => seconds)
    const chats = perSecond * ROUNDS * (ROUND_SECONDS + WARM_UP_SECONDS)
    return {
      name: target.name,
      perSecond,
      cpuMicros: target.cpuSeconds === null ? null : ((cpuSeconds[index] ?? 0) / chats) * 1e6,
      first: percentile(
        loads.map((load) => load.first),
        0.5
      ),
      whole: percentile(
        loads.map((load) => load.whole),
        0.5
      ),
      refused: sum(({ refused }) => refused)
    }
  })
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

const READY_TRIES_MAX = 200
const READY_PAUSE_MILLIS = 100

const startGateway = async (folder: string) => {
  const port = await freePort()
  const script = join(folder, "node_modules/@portkey-ai/gateway/build/start-server.js")
  const child = spawn(process.execPath, [script, `--port=${port}`, "--headless"], {
    stdio: "ignore",
    env: { ...process.env, NODE_ENV: "production" }
  })
  for (let tries = 0; tries < READY_TRIES_MAX; tries++) {
    if (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) break
    await new Promise((resolve) => setTimeout(resolve, READY_PAUSE_MILLIS))
  }
  return serverOf(child, port)
}

/** Median milliseconds of a commit, and of two one after the other, each of one new row on the same server. */
interface Commits {
  readonly one: number
  readonly two: number
}

const COMMITS = 200

/** What any prepaid meter pays around an upstream's call, on this disk and in this run. */
const bareCommits = async (url: string): Promise<Commits> => {
  const client = new pg.Client(url)
  await client.connect()
  const times: { readonly one: Array<number>; readonly two: Array<number> } = { one: [], two: [] }
  await client.query("CREATE TABLE IF NOT EXISTS bench_commits (n int)")
  for (let n = 0; n < COMMITS; n++) {
    const from = performance.now()
    await client.query({ name: "commit", text: "INSERT INTO bench_commits VALUES ($1)", values: [n] })
    times.one.push(performance.now() - from)
    await client.query({ name: "commit", text: "INSERT INTO bench_commits VALUES ($1)", values: [n] })
    times.two.push(performance.now() - from)
  }
  await client.query("DROP TABLE bench_commits")
  await client.end()
  const median = (values: Array<number>) => values.sort((a, b) => a - b)[COMMITS / 2] ?? 0
  return { one: median(times.one), two: median(times.two) }
}

interface Result {
  readonly case: string
  readonly stream: boolean
  readonly measured: ReadonlyArray<Measured>
  /** Measured beside a case that runs one chat at a time. */
  readonly commits: Commits | null
}

const bareOf = ({ measured: [bare] }: Result): Pick<Measured, "first" | "whole"> => bare ?? { first: 0, whole: 0 }

const measuredRow = (result: Result, m: Measured): string => {
  const bare = bareOf(result)
  const isBare = m === result.measured[0]
  if (m.perSecond === 0) return row([result.case, m.name, "fails", "", "", "", "", ""])
  return row([
    result.case,
    m.name,
    n(m.perSecond),
    n(m.first, 2),
    isBare ? "" : n(m.first - bare.first, 2),
    n(m.whole, 2),
    isBare ? "" : n(m.whole - bare.whole, 2),
    m.cpuMicros === null ? "" : n(m.cpuMicros)
  ])
}

/** The first token of a stream comes after the commit of its admission; what is whole has been settled too. */
const commitRows = (result: Result): ReadonlyArray<string> => {
  const { case: name, commits, measured, stream } = result
  const ours = measured.find((one) => one.name === OUTBOUND)
  if (commits === null || ours === undefined) return []
  const first = stream ? commits.one : commits.two
  const bare = bareOf(result)
  return [
    row([name, "the commits alone", "", "", n(first, 2), "", n(commits.two, 2), ""]),
    row([
      name,
      "**outbound, beside the commits**",
      "",
      "",
      `**${n(ours.first - bare.first - first, 2)}**`,
      "",
      `**${n(ours.whole - bare.whole - commits.two, 2)}**`,
      ""
    ])
  ]
}

const table = (results: ReadonlyArray<Result>): string =>
  [
    row(["case", "through", "chats/s", "p50 first token ms", "added", "p50 whole ms", "added", "CPU µs/chat"]),
    row(["---", "---", "---:", "---:", "---:", "---:", "---:", "---:"]),
    ...results.flatMap((result) => [...result.measured.map((m) => measuredRow(result, m)), ...commitRows(result)])
  ].join("\n")

const OUTBOUND = "outbound"
const PROXY = "a bare proxy"
const METERED = "it, and two bare commits"
const GATEWAY = "@portkey-ai/gateway"

const report = (text: string, withGateway: boolean): string => `## \`llm/chat\`, compared with the bare upstream

${machine}, at a load of ${n(load)} by other work, ${ROUNDS} turns of ${ROUND_SECONDS} s each after a
warm-up, and after a turn of ${CONNECTIONS} connections that doesn't count. Load generator, upstream, service and PostgreSQL (default settings, \`fsync\` on) share the machine. The upstream
responds at once with twenty words; in a stream, one chunk per turn of its event loop.

${text}

- **outbound**: the whole service. Each chat is admitted, its maximum is reserved and committed, then it is forwarded over a
  kept connection, counted, settled and committed.
- **a bare proxy** on \`node:http\` passes bodies on and does nothing else: what a gateway on Node pays before it adds anything.
- **it, and two bare commits**: the same proxy, which inserts a row before it asks and another before an answer is whole, each in
  a transaction of its own over \`pg\`. It reads, checks, counts and groups nothing: what the promise alone costs a process.
- **the commits alone**: medians of ${COMMITS} bare INSERTs of one row, one before a stream's first token, and two before all else.
${
  withGateway
    ? "- **@portkey-ai/gateway** 1.15.2 passes on, and meters nothing. Where it fails, it answers every call with an error of its own.\n"
    : "- `@portkey-ai/gateway` was not installed for this run. Set `BENCH_PORTKEY` to its folder.\n"
}`

/** Of the other work on this machine, before the run adds its own. */
const [load = 0] = loadavg()

await onBed(async (bed) => {
  const database = await seeded(bed.url, "chat", 1)
  const stops: Array<() => unknown> = []
  bed.finally(async () => {
    for (const stop of stops) await stop()
  })
  const upstream = await serve(here("chat/upstream.js"), [])
  stops.push(upstream.stop)
  const upstreamUrl = `http://127.0.0.1:${upstream.port}/v1`
  const host = await serve(here("chat/host.js"), [database, upstreamUrl])
  stops.push(host.stop)
  const proxy = await serve(here("chat/proxy.js"), [upstreamUrl])
  stops.push(proxy.stop)
  const metered = await serve(here("chat/metered.js"), [database, upstreamUrl])
  stops.push(metered.stop)
  const bare = ({ cpuSeconds, port }: Server, name: string): Target => ({
    name,
    port,
    path: "/v1/chat/completions",
    headers: {},
    cpuSeconds
  })
  const targets: Array<Target> = [
    bare(upstream, "the bare upstream"),
    bare(proxy, PROXY),
    bare(metered, METERED),
    {
      name: OUTBOUND,
      cpuSeconds: host.cpuSeconds,
      port: host.port,
      path: "/v1/llm/chat/completions",
      headers: { authorization: `Bearer ${secretOf(0)}` }
    }
  ]
  const folder = process.env["BENCH_PORTKEY"]
  if (folder !== undefined) {
    const gateway = await startGateway(folder)
    stops.push(gateway.stop)
    targets.push({
      name: GATEWAY,
      cpuSeconds: gateway.cpuSeconds,
      port: gateway.port,
      path: "/v1/chat/completions",
      headers: { authorization: "Bearer x", "x-portkey-provider": "openai", "x-portkey-custom-host": upstreamUrl }
    })
  }
  const cases = [
    ["plain, one at a time", false, 1],
    ["stream, one at a time", true, 1],
    [`plain, ${CONNECTIONS} connections`, false, CONNECTIONS],
    [`stream, ${CONNECTIONS} connections`, true, CONNECTIONS]
  ] as const
  // What runs often is compiled by then, in each of them.
  for (const target of targets) for (const stream of [false, true]) await round(target, stream, CONNECTIONS)
  const results: Array<Result> = []
  for (const [name, stream, connections] of cases) {
    const measured = await compare(targets, stream, connections)
    results.push({ case: name, stream, measured, commits: connections === 1 ? await bareCommits(database) : null })
  }
  const text = table(results)
  for (const stop of stops.splice(0)) await stop()
  const { breaches } = await audit(database)
  if (breaches > 0) throw new Error("the account does not add up after the chats")
  const refused = results.flatMap(({ measured }) => measured).filter((one) => one.refused > 0 && one.name !== GATEWAY)
  if (refused.length > 0) throw new Error(`some chats were refused: ${JSON.stringify(refused)}`)
  tell("chat", text, report(text, folder !== undefined))
})
