import { assert, describe, it } from "@effect/vitest"
import { credibleBrief } from "../../../src/data/companies/enrichCompany.js"
import { datasetForms } from "../../../src/data/companies/credibleCompany.js"
import type { CompanyRelationship } from "../../../src/sources/ports/CompanyDatasetSource.js"

const DOMAIN = "acme.example"

describe("technologies", () => {
  const { credible, isEmpty } = datasetForms.technologies
  const technology = (name: string, firstSeen: string | null, lastSeen: string | null = null) => ({
    name,
    category: null,
    firstSeen,
    lastSeen
  })

  it("are at most 40, the newest first, and those without a date last", () => {
    const dated = Array.from({ length: 45 }, (_, day) =>
      technology(`Tool ${day}`, new Date(Date.UTC(2024, 0, day + 1)).toISOString().slice(0, 10))
    )
    const shown = credible([technology("Undated", null), ...dated], DOMAIN)
    assert.deepStrictEqual(
      shown.map(({ name }) => name),
      Array.from({ length: 40 }, (_, place) => `Tool ${44 - place}`)
    )
    const few = credible([technology("Undated", null), technology("Dated", "2024-01-01")], DOMAIN)
    assert.deepStrictEqual(
      few.map(({ name }) => name),
      ["Dated", "Undated"]
    )
  })

  it("are told once, under the newest date", () => {
    const twice = [technology("HubSpot", "2020-01-01"), technology(" hubspot ", "2024-01-01T10:00:00Z")]
    assert.deepStrictEqual(credible(twice, DOMAIN), [technology("hubspot", "2024-01-01")])
  })

  it("keep no dates that contradict each other, and no name that can't be shown", () => {
    assert.deepStrictEqual(credible([technology("Slack", "2024-02-01", "2024-01-01")], DOMAIN), [
      technology("Slack", null)
    ])
    assert.isTrue(isEmpty(credible([technology("\u0000", "2024-01-01"), technology("  ", null)], DOMAIN)))
  })
})

describe("funding", () => {
  const { credible, isEmpty } = datasetForms.funding
  const round = { date: "2024-05-01", type: "Seed", amountUsd: 1_000_000, investors: ["One", "one", "", "Two"] }

  it("lists each round once, newest first, with each investor once", () => {
    const later = { ...round, date: "2025-05-01", investors: [] }
    assert.deepStrictEqual(credible({ totalUsd: 2_000_000, rounds: [round, later, round] }, DOMAIN), {
      totalUsd: 2_000_000,
      rounds: [later, { ...round, investors: ["One", "Two"] }]
    })
  })

  it("has no amount that is none, and no round of which nothing is known", () => {
    const unknown = { date: "soon", type: null, amountUsd: Number.NaN, investors: ["One"] }
    assert.isTrue(isEmpty(credible({ totalUsd: -1, rounds: [unknown] }, DOMAIN)))
  })
})

describe("relationships", () => {
  const { credible } = datasetForms.relationships
  const related = (companyDomain: string, kind: string, observedAt: string | null): CompanyRelationship => ({
    companyDomain,
    kind: kind as CompanyRelationship["kind"],
    evidenceUrl: "javascript:alert(1)",
    observedAt
  })

  it("are with other companies, of a known kind, each told once and the newest first", () => {
    const raw = [
      related("https://www.one.example/x", "customer", "2024-01-01"),
      related("one.example", "customer", "2025-01-01"),
      related("one.example", "partner", null),
      related(DOMAIN, "partner", "2025-01-01"),
      related("two.example", "friend", "2025-01-01"),
      related("not a domain", "partner", "2025-01-01")
    ]
    assert.deepStrictEqual(
      credible(raw, DOMAIN).map(({ companyDomain, evidenceUrl, kind, observedAt }) => [
        companyDomain,
        kind,
        evidenceUrl,
        observedAt
      ]),
      [
        ["one.example", "customer", null, "2025-01-01T00:00:00.000Z"],
        ["one.example", "partner", null, null]
      ]
    )
  })
})

describe("a brief", () => {
  const source = { url: "https://acme.example/about", title: "About" }

  it("keeps its paragraphs, and each source once", () => {
    assert.deepStrictEqual(credibleBrief({ text: " One.\r\n\r\nTwo. ", sources: [source, source] }), {
      text: "One.\n\nTwo.",
      sources: [source]
    })
  })

  it("that rests on nothing, or can't be shown, is none", () => {
    assert.isNull(credibleBrief({ text: "One.", sources: [] }))
    assert.isNull(credibleBrief({ text: "One.", sources: [{ url: "javascript:alert(1)", title: null }] }))
    for (const text of ["", "\u0000", "\uD800"]) assert.isNull(credibleBrief({ text, sources: [source] }))
  })

  it("has an end", () => {
    assert.strictEqual(credibleBrief({ text: "x".repeat(30_000), sources: [source] })?.text.length, 20_000)
  })
})
