/** The page of a launch of 5,000 people, and the pages behind it, beside the page of a launch of one person. */
import { migrate } from "@outbound/adapters/postgres/Migrations.js"
import * as PgPool from "@outbound/adapters/postgres/PgPool.js"
import * as PgStores from "@outbound/adapters/postgres/PgStores.js"
import { Admin } from "@outbound/domain/app/Admin.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { Readiness } from "@outbound/host-http/health/Readiness.js"
import * as HttpHost from "@outbound/host-http/HttpHost.js"
import { HttpServer } from "@outbound/host-http/HttpServer.js"
import { Effect, Layer, Option, Redacted, References } from "effect"
import { type Answered, type Client, decide, makeClient } from "@outbound/testkit/service/Client.js"
import { over } from "@outbound/testkit/service/Service.js"
import { onBed } from "./Bed.js"
import { machine, n, row, tell } from "./Report.js"

const PEOPLE = 5_000
const ROUNDS = 40
const WARM_UP = 5
/** What a page may take at most, in the middle of all rounds. */
const MILLIS_MAX = 300

const SEQUENCE = [
  {
    subject: "A question about {{company_name}}",
    body: "Hi {{first_name|there}},\n\n{{custom.opening|I saw your work.}}\n\n{{custom.reason}}\n\nAda, https://acme.com"
  },
  { body: "Hi {{first_name|there}}, did {{custom.reason}} reach you?", wait_days: 3 }
]

const PURCHASE = { daily_sends: 25, brand: "acme", identity: { first_name: "Ada", last_name: "Lovelace" } }

const ok = ({ result, status, text }: Answered): Answered["result"] => {
  if (status !== 200) throw new Error(text)
  return result
}

/** Every person has values of their own, and every hundredth brings a link. */
const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    email: `person.${index}@company-${index % 900}.example.com`,
    first_name: `First${index}`,
    company_name: `Company ${index % 900}`,
    custom: {
      reason: `Reason number ${index}: ${"a sentence of some length. ".repeat(6)}`,
      ...(index % 100 === 0 ? { opening: `See https://host-${index}.example.net/${index}` } : {})
    }
  }))

const asked = (client: Client, count: number) =>
  Effect.gen(function* () {
    const body = { name: `Of ${count}`, sequence: SEQUENCE, recipients: people(count) }
    const { campaign_id } = ok(yield* client.call("create_campaign", body, { key: `draft ${count}` }))
    const began = performance.now()
    const ask = ok(yield* client.call("launch_campaign", { campaign_id }, { key: `ask ${count}` }))
    return { path: new URL(ask.approval_url as string).pathname, askMillis: performance.now() - began }
  })

/** A workspace that can send. */
const sender = Effect.gen(function* () {
  const client = yield* makeClient({
    scopes: ["data:read", "usage:read", "campaign:write", "campaign:launch", "assets:purchase"]
  })
  const admin = yield* Admin
  yield* admin.grantCredits(client.workspaceId, credits("200000"))
  const quote = ok(yield* client.call("setup_sending", PURCHASE))
  yield* decide(client, quote.approval_url, "approve")
  const { confirmation_token } = quote
  const { operation_id } = ok(yield* client.call("setup_sending", { ...PURCHASE, confirmation_token }, { key: "buy" }))
  while (ok(yield* client.call("get_operation", { operation_id })).finished_at === null) {
    yield* Effect.sleep("100 millis")
  }
  return client
})

/** The middle and the 95th of a hundred, of a page's times until its last byte. */
const measured = (url: string, cookie: string) =>
  Effect.promise(async () => {
    const times: Array<number> = []
    let bytes = 0
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      const began = performance.now()
      const response = await fetch(url, { headers: { cookie } })
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
      if (round >= WARM_UP) times.push(performance.now() - began)
      bytes = text.length
    }
    times.sort((a, b) => a - b)
    return { p50: times[ROUNDS >> 1] ?? 0, p95: times[Math.floor(ROUNDS * 0.95)] ?? 0, bytes }
  })

const bench = Effect.gen(function* () {
  const { port } = yield* HttpServer
  const console = yield* Console
  const client = yield* sender
  const few = yield* asked(client, 1)
  const many = yield* asked(client, PEOPLE)
  const signedIn = Option.getOrThrow(yield* console.signIn(yield* console.makeSignInLink(client.ownerEmail)))
  const cookie = `__Host-outbound_session=${signedIn.secret}`
  const at = (path: string) => measured(`http://127.0.0.1:${port}${path}`, cookie)
  const pages = [
    ["the page of a launch of one person", few.path],
    [`the page of a launch of ${PEOPLE} people`, many.path],
    ["its search, by a text inside one value", `${many.path}?q=${encodeURIComponent("number 4711:")}`],
    ["its people with links", `${many.path}/people?look=link`],
    [`a variable of ${PEOPLE} values`, `${many.path}/values?variable=custom.reason`]
  ] as const
  const rows = yield* Effect.forEach(pages, ([what, path]) => Effect.map(at(path), (time) => ({ what, ...time })))
  return { rows, askMillis: many.askMillis }
})

await onBed(async ({ url }) => {
  const pool = PgPool.layer({ url: Redacted.make(url), applicationName: "bench", connectionsMax: 8 })
  const database = Layer.provideMerge(Layer.effectDiscard(Effect.orDie(migrate())), pool)
  const host = HttpHost.layer({ host: "127.0.0.1", port: 0, metricsPort: null }).pipe(
    Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
    Layer.provideMerge(over(PgStores.layer).pipe(Layer.provideMerge(database))),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
  )
  const { askMillis, rows } = await Effect.runPromise(bench.pipe(Effect.provide(host), Effect.scoped))
  const table = [
    row(["page", "p50 ms", "p95 ms", "KB"]),
    row(["---", "---:", "---:", "---:"]),
    ...rows.map(({ bytes, p50, p95, what }) => row([what, n(p50), n(p95), n(bytes / 1_000)]))
  ].join("\n")
  tell(
    "approvals",
    table,
    `## The approval of a launch of ${PEOPLE} people

${machine}, one PostgreSQL with default settings, ${ROUNDS} visits of each page over HTTP. Every person has values of their
own; every hundredth brings a link. Asking for the approval, which examines and stores every value, took ${n(askMillis)} ms.

${table}
`
  )
  const slow = rows.filter(({ p50 }) => p50 > MILLIS_MAX)
  if (slow.length > 0) throw new Error(`slower than ${MILLIS_MAX} ms: ${slow.map(({ what }) => what).join(", ")}`)
})
