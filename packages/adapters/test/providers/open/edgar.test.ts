import { assert, describe, it } from "@effect/vitest"
import type { CompanyDatasetSource } from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import {
  type FoundSignal,
  type IntentSignalKind,
  type IntentSource,
  NOWHERE
} from "@outbound/domain/sources/ports/IntentSource.js"
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

interface Filed {
  readonly form: string
  readonly accession?: string
  readonly on?: string
  readonly items?: string
  readonly file?: string
}

const FORM_D: Filed = { form: "D", file: "021-1" }

/** A filer as the SEC keeps it. */
const filer = (given: object = {}, filed: ReadonlyArray<Filed> = [FORM_D]) => ({
  cik: "0001234567",
  name: "ACME INC",
  website: "",
  investorWebsite: "",
  phone: "2175550100",
  tickers: ["ACM"],
  formerNames: [],
  addresses: { business: { city: "SPRINGFIELD", stateOrCountry: "IL", zipCode: "62701" }, mailing: null },
  filings: {
    recent: {
      accessionNumber: filed.map(({ accession }) => accession ?? "0001234567-26-000001"),
      filingDate: filed.map(({ on }) => on ?? "2026-05-04"),
      form: filed.map(({ form }) => form),
      items: filed.map(({ items }) => items ?? ""),
      fileNumber: filed.map(({ file }) => file ?? "")
    },
    files: []
  },
  ...given
})

type Filer = ReturnType<typeof filer>

const hitOf = ({ cik, name }: Filer) => ({
  _source: { ciks: [cik], display_names: [`${name}  (ACM)  (CIK ${cik})`], adsh: "0001234567-26-000001", form: "D" }
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

const given = (filers: ReadonlyArray<Filer>, html: string = home("Springfield")) =>
  Effect.gen(function* () {
    const world = yield* makeOpenWorld()
    world.put("acme.example", "/", html)
    world.put("search", "/search-index", { hits: { total: { value: filers.length }, hits: filers.map(hitOf) } })
    for (const one of filers) world.put("data", `/submissions/CIK${one.cik}.json`, one)
    for (const [accession, amount] of [
      ["000123456726000001", 2_500_000],
      ["000123456726000002", 4_000_000]
    ] as const) {
      world.put("archives", `/edgar/data/1234567/${accession}/primary_doc.xml`, {
        headers: { "content-type": "application/xml" },
        body: `<edgarSubmission><totalAmountSold>${amount}</totalAmountSold></edgarSubmission>`
      })
    }
    return { world, ...(yield* make(world)) }
  })

const titlesOf = (signals: ReadonlyArray<FoundSignal> | typeof NOWHERE) =>
  signals === NOWHERE ? NOWHERE : signals.map(({ title }) => title)

describe("filings", () => {
  it.effect("of Form D are funding, with what was sold, the filing's own day and page", () =>
    Effect.gen(function* () {
      const { datasets, intent, world } = yield* given([filer()])
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
        filer({}, [
          { form: "8-K", items: "2.02", accession: "0001234567-26-000003" },
          { form: "8-K", items: "5.02,9.01", accession: "0001234567-26-000004" }
        ])
      ])
      assert.deepStrictEqual(titlesOf(yield* intent.check(asking("job_change"))), ["8-K, item 5.02"])
    })
  )

  it.effect("of one offering are one round, of its first day, with what its latest amendment says was sold", () =>
    Effect.gen(function* () {
      const { datasets, intent } = yield* given([
        filer({}, [
          { form: "D/A", file: "021-1", on: "2026-09-01", accession: "0001234567-26-000002" },
          { form: "D", file: "021-1", on: "2026-05-04" }
        ])
      ])
      assert.deepStrictEqual(titlesOf(yield* intent.check(asking("funding"))), ["Form D"])
      const funding = Option.getOrNull(yield* datasets.lookups.funding?.("acme.example") ?? Effect.succeedNone)
      assert.deepStrictEqual(funding?.rounds, [
        { date: "2026-05-04", type: "Form D", amountUsd: 4_000_000, investors: [] }
      ])
    })
  )

  const other = { cik: "0007654321" }
  const BARE = home(null)
  const saying = (body: string) => page(body, `<meta property="og:site_name" content="Acme, Inc.">`)

  it.effect.each([
    ["its town", [filer()], home("Springfield")],
    [
      "its town, in words on the page",
      [filer(), filer({ ...other, addresses: null })],
      saying("1 Main St, Springfield, IL 62701")
    ],
    ["its telephone number", [filer()], saying("Call us: (217) 555-0100")],
    ["its ticker", [filer(), filer({ ...other, tickers: [] })], saying("Acme (NYSE: ACM) is listed")],
    ["its website", [filer({ website: "https://www.acme.example" })], BARE],
    ["a link to its filings", [filer()], saying(`<a href="https://www.sec.gov/edgar/browse/?CIK=1234567">SEC</a>`)],
    [
      "its former name, and its town",
      [filer({ name: "ZENITH CORP", formerNames: [{ name: "ACME INC" }] })],
      home("Springfield")
    ],
    ["its legal form, of two in its town", [filer(), filer({ ...other, name: "ACME LLC" })], home("Springfield")]
  ] as const)("are the company's by %s", ([, filers, html]) =>
    Effect.gen(function* () {
      const { intent } = yield* given(filers, html)
      assert.deepStrictEqual(titlesOf(yield* intent.check(asking("funding"))), ["Form D"])
    })
  )

  it.effect.each([
    ["a longer name", [filer({ name: "ACME HOLDINGS GROUP INC" })], home("Springfield")],
    [
      "another town",
      [filer({ addresses: { business: { city: "BOSTON", stateOrCountry: "MA", zipCode: "02110" }, mailing: null } })],
      home("Springfield")
    ],
    ["two filers of one name in the town", [filer(), filer(other)], home("Springfield")],
    ["nothing beside the name", [filer()], BARE],
    ["another's website", [filer({ website: "https://acme-group.example" })], home("Springfield")],
    [
      "a link to somebody of another name",
      [filer({ name: "ZENITH CORP" })],
      saying(`<a href="https://www.sec.gov/edgar/browse/?CIK=1234567">A customer</a>`)
    ],
    ["a name that is too short for its state to tell", [filer()], saying("9 Elm Rd, Elsewhere, IL 62999")]
  ] as const)("are not the company's with %s", ([, filers, html]) =>
    Effect.gen(function* () {
      const { intent } = yield* given(filers, html)
      assert.strictEqual(yield* intent.check(asking("funding")), NOWHERE)
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
