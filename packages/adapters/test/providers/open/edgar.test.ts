import { assert, describe, it } from "@effect/vitest"
import type { CompanyDatasetSource } from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import { type IntentSignalKind, type IntentSource, NOWHERE } from "@outbound/domain/sources/ports/IntentSource.js"
import { Effect, Option } from "effect"
import { edgar } from "../../../src/providers/edgar/Edgar.js"
import { madeIn, makeOpenWorld, type OpenWorld, page } from "./OpenWorld.js"

const CONTACT = "Outbound Tests ops@outbound.test"

const make = (world: OpenWorld) =>
  Effect.map(
    madeIn(world, edgar, {
      contact: CONTACT,
      base_urls: { search: world.at("search"), archives: world.at("archives"), data: world.at("data") }
    }),
    ({ sources }) => ({
      intent: sources.intent_source as IntentSource,
      datasets: sources.company_dataset_source as CompanyDatasetSource
    })
  )

const asking = (signal: IntentSignalKind) => ({ companyDomain: "acme.example", signal, roles: [], limit: 50 })

const hit = (given: object = {}) => ({
  _source: {
    adsh: "0001234567-26-000001",
    ciks: ["0001234567"],
    display_names: ["ACME INC  (ACM)  (CIK 0001234567)"],
    file_date: "2026-05-04",
    form: "D",
    items: [],
    biz_locations: ["Springfield, IL"],
    ...given
  }
})

const home = (city: string | null) =>
  page(
    "Hi",
    `<script type="application/ld+json">${JSON.stringify({
      "@type": "Organization",
      name: "Acme, Inc.",
      ...(city === null ? {} : { address: { addressLocality: city, addressRegion: "IL" } })
    })}</script>`
  )

const given = (hits: ReadonlyArray<object>, city: string | null = "Springfield") =>
  Effect.gen(function* () {
    const world = yield* makeOpenWorld()
    world.put("acme.example", "/", home(city))
    world.put("search", "/search-index", { hits: { total: { value: hits.length }, hits } })
    world.put("archives", "/edgar/data/1234567/000123456726000001/primary_doc.xml", {
      headers: { "content-type": "application/xml" },
      body: "<edgarSubmission><totalAmountSold>2500000</totalAmountSold></edgarSubmission>"
    })
    return { world, ...(yield* make(world)) }
  })

describe("filings", () => {
  it.effect("of Form D are funding, with what was sold, the filing's own day and page", () =>
    Effect.gen(function* () {
      const { datasets, intent, world } = yield* given([hit(), hit()])
      const signals = yield* intent.check(asking("funding"))
      assert.deepStrictEqual(signals, [
        {
          companyDomain: "acme.example",
          title: "Form D",
          summary: "Sold $2,500,000 of securities in an exempt offering (Form D)",
          observedAt: "2026-05-04",
          evidenceUrl: `${world.at("archives")}/edgar/data/1234567/000123456726000001/0001234567-26-000001-index.htm`,
          newsType: null
        }
      ])
      assert.deepStrictEqual(
        Option.getOrNull(yield* datasets.lookups.funding?.("acme.example") ?? Effect.succeedNone),
        {
          totalUsd: null,
          rounds: [{ date: "2026-05-04", type: "Form D", amountUsd: 2_500_000, investors: [] }]
        }
      )
      const asked = world.asked.find(({ host }) => host === "search")
      assert.strictEqual(asked?.headers["user-agent"], `outbound/1 (${CONTACT})`)
      assert.strictEqual(new URL(asked?.path ?? "", "http://x").searchParams.get("forms"), "D")
    })
  )

  it.effect("of 8-K count as job changes only with item 5.02", () =>
    Effect.gen(function* () {
      const { intent } = yield* given([
        hit({ form: "8-K", items: ["2.02"] }),
        hit({ form: "8-K", items: ["5.02", "9.01"], adsh: "0001234567-26-000002" })
      ])
      const signals = yield* intent.check(asking("job_change"))
      assert.deepStrictEqual(signals === NOWHERE ? [] : signals.map(({ title }) => title), ["8-K, item 5.02"])
    })
  )

  it.effect(
    "of a namesake, at another place, of two filers, or of a company without a place are not the company's",
    () =>
      Effect.gen(function* () {
        const others = [
          given([hit({ display_names: ["ACME HOLDINGS GROUP INC (CIK 0001234567)"] })]),
          given([hit({ biz_locations: ["Boston, MA"] })]),
          given([hit(), hit({ ciks: ["0007654321"], adsh: "0007654321-26-000001" })]),
          given([hit()], null)
        ]
        for (const other of others) {
          const { intent } = yield* other
          assert.strictEqual(yield* intent.check(asking("funding")), NOWHERE)
        }
      })
  )

  it.effect("that the SEC refuses are told for what it is", () =>
    Effect.gen(function* () {
      const { intent, world } = yield* given([])
      const failing = (status: number, body: string) => {
        world.put("search", "/search-index", { status, body })
        return Effect.flip(intent.check(asking("funding")))
      }
      assert.strictEqual((yield* failing(403, "<h1>Undeclared Automated Tool</h1>")).reason, "account")
      const limited = yield* failing(403, "<h1>Request Rate Threshold Exceeded</h1>")
      assert.deepStrictEqual([limited.reason, limited.retryAfterSeconds], ["rate_limited", 600])
      assert.strictEqual((yield* failing(200, "<html>Maintenance</html>")).reason, "transient")
      assert.strictEqual((yield* failing(200, '{"hits": []}')).reason, "transient")
    })
  )

  it("serves nothing without a contact, and says what to set", () => {
    assert.deepStrictEqual(edgar.unserved({}), {
      intent_source: "settings.contact",
      company_dataset_source: "settings.contact"
    })
  })
})
