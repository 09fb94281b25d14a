import { assert, describe, it } from "@effect/vitest"
import { type ApprovalSnapshot, LOOK_KINDS } from "../../../src/calls/approvals/Snapshot.js"
import {
  IN_PLACE_CHARS_MAX,
  isDecidedInPlace,
  isSmall,
  queueOf,
  SMALL_LEADS_MAX
} from "../../../src/control/risks/queue.js"
import { byRisk, risksOf } from "../../../src/control/risks/risks.js"
import type { Risk, RiskFacts } from "../../../src/control/risks/Risk.js"

/** A launch that has something of every kind to look at. */
const launch = {
  kind: "launch",
  leads: 10,
  timezone_unknown: 13,
  sending_domains: { rule: "warn", total: 9, failing: 2, listed: 1, unknown: 3, domains: [] },
  list: { invalid: 4, unverified: 9, disposable: 6, risky: 3, catch_all_unknown: 4, role: 8 },
  holdout: { percent: 10, people: 12 },
  words: {
    place: "message",
    countries: [
      { country: "NA", people: 2, words_of: null },
      { country: "DE", people: 5, words_of: "eea" },
      { country: null, people: 3, words_of: "eea" }
    ],
    missing: [{}],
    texts: {}
  },
  content: {
    variables: [{ without_value: 1 }, { without_value: 7 }],
    hosts_total: 11,
    looks: Object.fromEntries(LOOK_KINDS.map((kind, at) => [kind, at + 1])),
    is_complete: false,
    overlapping_people: 5
  }
} as unknown as ApprovalSnapshot

const NOTHING: Omit<RiskFacts, "snapshot"> = { forecast: null, available: null, overlap: "refuse" }

const read = (facts: RiskFacts): ReadonlyArray<string> =>
  risksOf(facts).map(
    ({ anchor, code, count, weight, words: [one, many] }) => `${weight} ${code} ${count} #${anchor}: ${one} | ${many}`
  )

const attention = (own: { readonly items: number; readonly looked: number } | null, isAsked = true) =>
  ({
    isAsked,
    own: own === null ? null : { found: { ...own, isDone: own.items === own.looked } },
    sizes: []
  }) as unknown as NonNullable<RiskFacts["attention"]>

const forecast = (more: object) => ({ days: [{}], leftOut: {}, ...more }) as unknown as RiskFacts["forecast"]

describe("the risks that a person sees before they decide", () => {
  it("is everything that the request holds, in words for one and for several, and where the page shows it", () => {
    const facts = { ...NOTHING, snapshot: launch, attention: attention({ items: 9, looked: 2 }) }
    assert.deepStrictEqual(read({ ...facts, forecast: forecast({ leftOut: { opted_out: 2, capped: 3 } }) }), [
      "stop look_altered 1 #look-altered: lead with an altered value | leads with altered values",
      "stop look_not_found 2 #look-not_found: lead with evidence not found | leads with evidence not found",
      "stop look_placeholder 3 #look-placeholder: lead with a placeholder | leads with placeholders",
      "look to_look_at 7 #attention: message to look at before you approve | messages to look at before you approve",
      "look not_examined null #look: Not all values were examined | Not all values were examined",
      "look look_old 4 #look-old: lead with old evidence | leads with old evidence",
      "look look_unchecked 6 #look-unchecked: lead with evidence not checked | leads with evidence not checked",
      "look look_link 7 #look-link: lead brings a link of its own | leads bring links of their own",
      "look look_invisible 8 #look-invisible: value with unseen characters | values with unseen characters",
      "look look_look_alike 9 #look-look_alike: value with look-alike letters | values with look-alike letters",
      "look look_long 10 #look-long: unusually long value | unusually long values",
      "look overlapping 5 #overlap: lead is in another campaign | leads are in another campaign",
      "look domains_failing 2 #sending-domains: sending domain is not authenticated | sending domains are not authenticated",
      "look domains_listed 1 #sending-domains: sending domain is on a blocklist | sending domains are on blocklists",
      "look list_invalid 4 #list: address was found invalid | addresses were found invalid",
      "look list_unverified 5 #list: address is not verified | addresses are not verified",
      "look list_disposable 6 #list: address is disposable | addresses are disposable",
      "look without_words 2 #words: lead gets no words for their country | leads get no words for their country",
      "look words_missing 1 #words: text leaves out what it has to say | texts leave out what they have to say",
      "note look_without_proof 5 #look-without_proof: lead with a value without proof | leads with values without proof",
      "note look_rare 11 #look-rare: rare value | rare values",
      "note left_out 5 #forecast: lead gets not all messages | leads get not all messages",
      "note domains_unknown 3 #sending-domains: sending domain’s authentication is not known | sending domains’ authentication is not known",
      "note zone_unknown 13 #hours: lead’s time zone is unknown | leads’ time zones are unknown",
      "note country_unknown 3 #words: lead’s country is unknown | leads’ countries are unknown",
      "note held_out 12 #holdout: lead is kept from being written to | leads are kept from being written to",
      "note fallback 7 #variables: lead gets a fallback | leads get a fallback",
      "note list_doubtful 7 #list: address may not be there | addresses may not be there",
      "note list_role 8 #list: address is a role’s | addresses are roles’",
      "note hosts 11 #look: host linked to | hosts linked to"
    ])
  })

  it("is nothing where nothing of that is there, or is not known", () => {
    const bare = { kind: "launch", leads: 1 } as unknown as ApprovalSnapshot
    for (const snapshot of [bare, { kind: "reply", body_text: "B" } as unknown as ApprovalSnapshot]) {
      assert.deepStrictEqual(read({ ...NOTHING, snapshot }), [])
      assert.deepStrictEqual(read({ ...NOTHING, snapshot, attention: null }), [])
      assert.deepStrictEqual(read({ ...NOTHING, snapshot, forecast: forecast({}) }), [])
    }
  })

  it("is that it would send nothing, or that nobody can tell", () => {
    const of = (given: RiskFacts["forecast"]) =>
      read({ ...NOTHING, snapshot: { kind: "launch" } as never, forecast: given })
    assert.deepStrictEqual(of(forecast({ days: [] })), [
      "stop nothing_leaves null #forecast: No message would leave | No message would leave"
    ])
    assert.deepStrictEqual(of("unavailable"), [
      "look nothing_leaves null #forecast: When it leaves can’t be told | When it leaves can’t be told"
    ])
  })

  it("is what they still have to look at, until they have; not where nobody asks for it", () => {
    const of = (given: NonNullable<RiskFacts["attention"]>) =>
      read({ ...NOTHING, snapshot: { kind: "launch" } as never, attention: given })
    assert.deepStrictEqual(of(attention(null)), [
      "look to_look_at null #attention: Look at some messages before you approve | "
    ])
    assert.deepStrictEqual(of(attention({ items: 2, looked: 2 })), [])
    assert.deepStrictEqual(of(attention(null, false)), [])
    assert.lengthOf(of(attention({ items: 2, looked: 1 })), 1)
  })

  it("is that a purchase can't be paid", () => {
    const snapshot = { kind: "purchase", setup_credits: 3n, first_month_credits: 5n } as unknown as ApprovalSnapshot
    const of = (available: bigint, bought = snapshot) =>
      read({ ...NOTHING, snapshot: bought, available: available as never })
    const month = "Too few credits for the first month"
    assert.deepStrictEqual(of(2n), [
      "stop too_few_credits null #costs: Too few credits to buy it | Too few credits to buy it"
    ])
    assert.deepStrictEqual(of(3n), [`stop too_few_credits null #costs: ${month} | ${month}`])
    assert.deepStrictEqual(of(5n), [])
    // An older request shows no first month.
    assert.deepStrictEqual(of(3n, { kind: "purchase", setup_credits: 3n } as never), [])
    assert.deepStrictEqual(read({ ...NOTHING, snapshot: launch, available: 0n as never }).slice(0, 1), [
      "stop look_altered 1 #look-altered: lead with an altered value | leads with altered values"
    ])
  })

  it("is by the law of each country where no words are sent at all", () => {
    const countries = [
      { country: "DE", people: 5, words_of: "eea" },
      { country: "US", people: 7, words_of: "rest" },
      { country: null, people: 3, words_of: "eea" }
    ]
    const of = (words: object) =>
      read({ ...NOTHING, snapshot: { kind: "launch", words: { countries, missing: [], ...words } } as never }).map(
        (risk) => risk.split(" #")[0]
      )
    for (const words of [{ place: "off" }, { place: "message", is_by_vendor: true }]) {
      assert.deepStrictEqual(of(words), ["look without_words 5"])
    }
    assert.deepStrictEqual(of({ place: "message" }), ["note country_unknown 3"])
  })
})

describe("a request in a list", () => {
  const reply = (chars: number) => ({ kind: "reply", body_text: "x".repeat(chars) }) as unknown as ApprovalSnapshot

  it("is decided there if it is a short answer without more than notes", () => {
    assert.isTrue(isDecidedInPlace(reply(IN_PLACE_CHARS_MAX), NOTHING))
    assert.isFalse(isDecidedInPlace(reply(IN_PLACE_CHARS_MAX + 1), NOTHING))
    assert.isFalse(isDecidedInPlace(reply(1), { ...NOTHING, forecast: "unavailable" }))
    const noted = { ...reply(1), timezone_unknown: 1 } as ApprovalSnapshot
    assert.isTrue(isDecidedInPlace(noted, NOTHING))
    assert.isFalse(isDecidedInPlace({ kind: "launch", leads: 1, body_text: "" } as never, NOTHING))
  })

  it("stands after what ends earlier, and of the same time after what was asked for earlier, in whatever order they come", () => {
    const waiting = (approvalId: string, expiresAtMillis: number) => ({
      approval: { approvalId, snapshot: reply(1), expiresAtMillis }
    })
    const all = [waiting("y", 20), waiting("z", 10), waiting("a", 20)]
    for (const given of [all, all.toReversed()]) {
      const order = queueOf(given, NOTHING).map(({ approval }) => approval.approvalId)
      assert.deepStrictEqual(order, ["z", "a", "y"])
    }
  })

  it("stands before one with fewer risks of the weight in which they differ", () => {
    const risk = (weight: Risk["weight"]): Risk => ({ code: weight, weight, count: 1, words: ["", ""], anchor: "" })
    const [few, many] = [[risk("look")], [risk("look"), risk("look")]]
    assert.isAbove(byRisk(few, many), 0)
    assert.isBelow(byRisk(many, few), 0)
    assert.isBelow(byRisk([...few, risk("note")], few), 0)
  })

  it("is small by its leads, also where they are added", () => {
    const small = (kind: string, leads: number) => isSmall({ kind, leads } as unknown as ApprovalSnapshot)
    for (const kind of ["launch", "add_leads"]) {
      assert.deepStrictEqual([small(kind, SMALL_LEADS_MAX), small(kind, SMALL_LEADS_MAX + 1)], [true, false], kind)
    }
    assert.isFalse(small("purchase", 1))
  })
})
