import { assert, describe, it } from "@effect/vitest"
import type { ApprovalSnapshot, ContentSummary } from "../../../src/calls/approvals/Snapshot.js"
import type { Risk, RiskFacts } from "../../../src/control/risks/Risk.js"
import { byRisk, risksOf } from "../../../src/control/risks/risks.js"
import type { CampaignForecast } from "../../../src/control/Forecasts.js"
import { credits, zero } from "../../../src/kernel/money/Credits.js"

const CONTENT: ContentSummary = {
  digest: "",
  variables: [],
  hosts: [],
  hosts_total: 0,
  looks: {},
  is_complete: true,
  overlapping_people: 0
}

const launch = (content: Partial<ContentSummary> = {}, more: object = {}): ApprovalSnapshot => ({
  kind: "launch",
  campaign_id: "c",
  campaign_name: "C",
  leads: 10,
  leads_removed: 0,
  recipients: [],
  mailboxes: ["a@x.test"],
  steps: [{ subject: "S", body: "B", wait_days: 0 }],
  schedule: { timezone: "UTC", days: ["mon"], start_hour: 9, end_hour: 17 },
  daily_send_limit: 50,
  postal_address: "P",
  credits: zero,
  content: { ...CONTENT, ...content },
  ...more
})

const buys: ApprovalSnapshot = {
  kind: "purchase",
  brand: "b",
  identity: { first_name: "A", last_name: "L" },
  daily_sends: 50,
  domains: [],
  setup_credits: credits("3000"),
  upkeep_credits_per_month: credits("2000"),
  first_month_credits: credits("5000")
}

const DAY = { date: "2026-05-12", mailbox: "a@x.test", messages: 10 }
const forecast = (more: Partial<CampaignForecast> = {}): CampaignForecast => ({
  days: [DAY],
  lastMessageAtMillis: 2,
  leftOut: {},
  windows: true,
  ...more
})

const facts = (given: Partial<RiskFacts>): RiskFacts => ({
  snapshot: launch(),
  forecast: null,
  available: null,
  overlap: "refuse",
  ...given
})

const found = (given: Partial<RiskFacts>): ReadonlyArray<readonly [string, number | null]> =>
  risksOf(facts(given)).map(({ code, count }) => [code, count])

describe("the risks of a request", () => {
  it("are none where nothing is to be looked at", () => {
    assert.deepStrictEqual(found({ forecast: forecast() }), [])
    assert.deepStrictEqual(found({ snapshot: buys, available: credits("5000") }), [])
    assert.deepStrictEqual(found({ snapshot: buys, available: null }), [])
  })

  it("count the people of countries without words, and those whose country nobody knows", () => {
    const line = (country: string | null, words_of: string | null, people: number) => ({
      country,
      people,
      known_by: { person: people, company: 0, domain: 0 },
      words_of,
      language: "en"
    })
    const countries = [line("NA", null, 3), line("JP", null, 2), line("DE", "eea", 5), line(null, "eea", 4)]
    const words = (place: string) => ({ place, countries, missing: [], texts: {} })
    assert.deepStrictEqual(found({ snapshot: launch({}, { words: words("message") }) }), [
      ["without_words", 5],
      ["country_unknown", 4]
    ])
    // Nothing is said to anybody, which those miss whose law asks for it.
    assert.deepStrictEqual(found({ snapshot: launch({}, { words: words("off") }) }), [["without_words", 5]])
  })

  it("name the domains that it leaves from: those that fail and those on blocklists before those that are not known", () => {
    const domains = { rule: "warn" as const, total: 9, failing: 2, listed: 1, unknown: 3, domains: [] }
    assert.deepStrictEqual(found({ snapshot: launch({}, { sending_domains: domains }), forecast: forecast() }), [
      ["domains_failing", 2],
      ["domains_listed", 1],
      ["domains_unknown", 3]
    ])
    const well = { ...domains, failing: 0, listed: 0, unknown: 0 }
    assert.deepStrictEqual(found({ snapshot: launch({}, { sending_domains: well }), forecast: forecast() }), [])
  })

  it("name what the content holds with its counts, what weighs more first", () => {
    const variable = { name: "first_name", fallbacks: ["there"], distinct_values: 2, longest: 9, only_once: 1 }
    const content = {
      looks: { rare: 4, link: 2 },
      hosts_total: 3,
      is_complete: false,
      overlapping_people: 5,
      variables: [
        { ...variable, without_value: 7 },
        { ...variable, name: "company_name", without_value: 1 }
      ]
    }
    assert.deepStrictEqual(found({ snapshot: launch(content, { timezone_unknown: 6 }) }), [
      ["not_examined", null],
      ["look_link", 2],
      ["overlapping", 5],
      ["look_rare", 4],
      ["zone_unknown", 6],
      ["fallback", 7],
      ["hosts", 3]
    ])
  })

  it("say that nothing would leave, that it can't be told, and how many would get not all", () => {
    assert.deepStrictEqual(found({ forecast: forecast({ days: [] }) }), [["nothing_leaves", null]])
    const [unknown] = risksOf(facts({ forecast: "unavailable" }))
    assert.deepStrictEqual([unknown?.code, unknown?.weight], ["nothing_leaves", "look"])
    assert.deepStrictEqual(found({ forecast: forecast({ leftOut: { opted_out: 2, capped: 3 } }) }), [["left_out", 5]])
  })

  it("say that a purchase can't be paid, or its first month can't, to the credit", () => {
    const words = (available: string) =>
      risksOf(facts({ snapshot: buys, available: credits(available) })).map((risk) => risk.words[0])
    assert.deepStrictEqual(words("2999.999999"), ["Too few credits to buy it"])
    assert.deepStrictEqual(words("3000"), ["Too few credits for the first month"])
    assert.deepStrictEqual(words("5000"), [])
  })

  it("order requests: what would fail first, then what has more to look at", () => {
    const risk = (weight: Risk["weight"]): Risk => ({ code: weight, weight, count: 1, words: ["", ""], anchor: "" })
    const requests = [[], [risk("note")], [risk("look")], [risk("look"), risk("look")], [risk("stop")]]
    const sorted = requests.toSorted(byRisk).map((risks) => risks.map(({ weight }) => weight).join(" "))
    assert.deepStrictEqual(sorted, ["stop", "look look", "look", "note", ""])
    assert.strictEqual(byRisk([risk("look")], [risk("look")]), 0)
  })
})
