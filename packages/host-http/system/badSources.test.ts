import { assert, it } from "@effect/vitest"
import { openProviders, presetIn } from "@outbound/examples/loop/open/providers.js"
import { mailNameServer } from "@outbound/testkit/mail/NameServer.js"
import { freePort } from "@outbound/testkit/net/FreePorts.js"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { OPEN_PRESET } from "../src/commands/openPreset.js"
import { assertBalanced, audit, CREDIT } from "./support/Books.js"
import { call, until } from "./support/Client.js"
import { COMPANIES, hostileWeb, type HostileWeb } from "./support/HostileWeb.js"
import { assertClean, serve } from "./support/Host.js"
import { type Place, sharedPlace, temporaryDirectory } from "./support/Place.js"
import { makeTenant } from "./support/Tenant.js"

/** The service's place, with the preset of open sources led to the hostile web. */
const placeBeside = (web: HostileWeb) =>
  Effect.gen(function* () {
    const names = yield* mailNameServer(Object.fromEntries(COMPANIES.map((domain) => [domain, { a: ["127.0.0.1"] }])))
    const folder = yield* temporaryDirectory
    const providers = join(folder, "providers.json")
    const own = yield* sharedPlace
    const standIns = { resolver: names.address, smtpPort: yield* Effect.promise(freePort), asked: () => 0 }
    const sources = { port: web.port, at: web.at, asked: () => new Map<string, number>() }
    writeFileSync(providers, JSON.stringify(openProviders(presetIn(OPEN_PRESET), sources, standIns)))
    const environment = { ...own.environment, OUTBOUND_PROVIDERS: providers, YOUTUBE_KEY: "key" }
    return { ...own, environment } satisfies Place
  })

// oxlint-disable-next-line typescript/no-explicit-any -- a client's view of JSON
type Json = any

const domain = (name: string): string => `${name}.test`
const CHECK = { signals: ["hiring"], within_days: 60 }

/** Boards that can't be read: each leaves its own company without an answer, and the others theirs. */
const UNREADABLE = ["huge", "markup", "bomb", "torn", "guarded"]
/** Companies whose own pages lead to no board of theirs, or mustn't be read. */
const BOARDLESS = ["namesake", "holder", "child", "closed"]

it.live(
  "sources at their worst invent nothing, charge nothing for what they don't say, and keep nobody from the others",
  () =>
    Effect.gen(function* () {
      const web = yield* hostileWeb
      const place = yield* placeBeside(web)
      const host = yield* serve(place)
      const auditor = yield* audit(place)
      const { apiKey, workspaceId } = yield* makeTenant(place, {
        credits: 300,
        scopes: ["data:read"],
        postalAddress: "1 Main Street, Springfield"
      })
      let charged = 0n
      /** A call, whose charge is noted. */
      const ask = (verb: string, body: unknown, status = 200): Effect.Effect<Json, unknown> =>
        Effect.map(call(host, apiKey, verb, body, randomUUID()), (answer) => {
          assert.strictEqual(answer.status, status, answer.text)
          charged += BigInt(Math.round(Number(answer.json.svc?.credits_charged ?? 0) * Number(CREDIT)))
          return status === 200 ? { ...answer.json.result, charge: answer.json.svc.credits_charged } : answer.json.error
        })
      /** Why one company alone has no answer: the call's error, or its reason. Nothing is charged for it. */
      const refusalOf = (name: string, signal: string) =>
        Effect.map(
          call(host, apiKey, "find_intent", { company_domains: [domain(name)], signals: [signal] }, randomUUID()),
          ({ json: { error, result, svc } }) => {
            if (error !== undefined) return error.code
            const [{ status, unavailable_signals }] = result.domain_status
            assert.deepStrictEqual([result.signals, status, svc.credits_charged], [[], "unavailable", "0"], name)
            return unavailable_signals[0].reason
          }
        )

      // Boards: all companies in one call, so that each has its own status, and a good one is among the bad.
      const names = [...UNREADABLE, ...BOARDLESS, "slow", "packed"]
      const {
        domain_status: statuses,
        historical,
        signals
      } = yield* ask("find_intent", {
        ...CHECK,
        company_domains: names.map(domain)
      })
      const statusOf = (name: string): Json => statuses.find((one: Json) => one.company_domain === domain(name))
      for (const name of [...UNREADABLE, "slow"]) {
        const { charge, status, unavailable_signals } = statusOf(name)
        assert.strictEqual(status, "unavailable", name)
        assert.deepStrictEqual(unavailable_signals, [{ signal: "hiring", reason: "upstream_error" }], name)
        assert.deepStrictEqual(charge, { credits: "0", signal: false, paid_checks: 0 }, name)
      }
      for (const name of BOARDLESS) {
        const { charge, status } = statusOf(name)
        assert.deepStrictEqual([status, charge.credits, charge.paid_checks], ["complete", "0", 0], name)
      }
      assert.strictEqual(statusOf("packed").charge.signal, true)
      assert.deepStrictEqual([...new Set(signals.map((one: Json) => one.company_domain))], ["packed.test"])
      assert.deepStrictEqual(historical, [])
      // Nobody asked for a board that the company's own pages don't lead to, nor a site whose robots.txt forbids it.
      const asked = web.asked()
      for (const path of ["lever/postings/namesake", "lever/postings/parent", "lever/postings/closed", "closed.test/"])
        assert.notInclude(asked, path)

      // 85 jobs in ten seconds are read once, and the next call has them.
      const found = yield* until(
        Effect.result(ask("find_intent", { ...CHECK, company_domains: ["slow.test"] })),
        (one) => one._tag === "Success",
        20
      )
      const slow: Json = found._tag === "Success" ? found.success : null
      assert.strictEqual(slow.signals.length, 5)
      assert.lengthOf(
        asked.filter((path) => path === "lever/postings/slow"),
        1
      )

      // One company alone. News: a feed of ten years ago, entries without a date, no feed; GDELT answers with a sentence.
      // EDGAR refuses the contact.
      const alone = [
        ["huge", "hiring", "upstream_error"],
        ["old", "news", "provider_unavailable"],
        ["timeless", "news", "provider_unavailable"],
        ["told", "news", "provider_unavailable"],
        ["guarded", "news", "provider_unavailable"],
        ["filer", "funding", "provider_unavailable"]
      ] as const
      for (const [name, signal, reason] of alone)
        assert.strictEqual(yield* refusalOf(name, signal), reason, `${name} ${signal}`)
      assert.includeMembers(
        [...asked],
        ["old.test/news.xml", "timeless.test/news.xml", "told.test/feed", "gdelt/doc/doc"]
      )
      const rounds = yield* ask("enrich_company", { company_domain: "filer.test", datasets: ["funding"] })
      assert.deepStrictEqual(rounds.datasets.funding, { status: "unavailable", charged: false, data: null })
      assert.include(asked, "edgar-search/search-index")

      // YouTube's units of the day are used up; it says when to come again.
      const posts = yield* ask("find_posts", { scope: { type: "keyword", query: "anvil" }, platforms: ["youtube"] })
      const [platform] = posts.platform_status
      assert.deepStrictEqual([posts.posts, posts.charge, platform.status], [[], "0", "unavailable"])
      assert.isAtLeast(platform.retry_after_seconds, 60)

      // A challenge, and a site that forbids it.
      const brief = (name: string) => ask("enrich_company", { company_domain: domain(name), brief: { depth: "fast" } })
      assert.deepInclude((yield* brief("guarded")).brief, { status: "unavailable", text: null, charged: false })
      assert.deepInclude((yield* brief("closed")).brief, { status: "empty", text: null, charged: false })
      const checks = yield* ask("check_companies", {
        question: "Does it make anvils?",
        company_domains: ["guarded.test", "closed.test"]
      })
      for (const one of checks.companies)
        assert.deepInclude(one, { status: "unreadable", answer: null, charged: false })

      // Encodings and packed pages are read as they are meant.
      const nameOf = (name: string) =>
        Effect.map(
          ask("enrich_company", { company_domain: domain(name), datasets: ["profile"] }),
          ({ datasets }) => datasets.profile.data?.name
        )
      assert.strictEqual(yield* nameOf("latin"), "Müller Gießerei")
      assert.strictEqual(yield* nameOf("wide"), "Çelik Döküm")
      assert.strictEqual(yield* nameOf("packed"), "Packed Anvils")
      assert.include((yield* brief("latin")).brief.text, "gießt seit 1998 Ambosse")

      // The ledger has what the answers said, and holds nothing back.
      const books = yield* auditor.books(workspaceId)
      assertBalanced(books)
      assert.deepStrictEqual([books.reserved, books.openCalls, books.charged], [0n, 0n, charged])
      yield* assertClean(place)
    }),
  120_000
)
