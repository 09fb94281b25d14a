import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { ALL_ISSUES, issuesOf } from "../../../src/calls/issues.js"
import { FindCompanies } from "../../../src/verbs/FindCompanies.js"

const decode = Schema.decodeUnknownResult(FindCompanies.request, ALL_ISSUES)

const mistakes = (input: unknown) =>
  Result.match(decode(input), { onFailure: (error) => issuesOf(error), onSuccess: () => [] })

const pathsOf = (input: unknown) => mistakes(input).map((issue) => issue.path)

const ACCEPTED: ReadonlyArray<unknown> = [
  { hiring: {} },
  { technologies: ["Salesforce"] },
  { hiring: { titles: ["SDR"], posted_within_days: 90 }, technologies: ["Salesforce"] },
  { similar_to: "https://www.acme.example/about", industries: ["Banking"], country_codes: ["DE"] },
  { query: "logistics software", company_headcount: { max: 50 }, audience: "founders" },
  { mode: "firmographic", industries: ["Banking"], locations: ["Bavaria"], country_codes: ["DE"] },
  { mode: "firmographic", keywords: ["payroll"], exclude_keywords: ["games"] },
  { mode: "local", locations: ["Berlin, Germany", "Austin, Texas, United States"], categories: ["dentists"] },
  { mode: "local", locations: ["Singapore, Singapore"], industries: ["Banking"] },
  { hiring: {}, locations: [], categories: [], keywords: [], exclude_keywords: [], technologies: [] }
]

const REFUSED: ReadonlyArray<readonly [unknown, ReadonlyArray<string>]> = [
  [{}, [""]],
  [{ audience: "anybody", industries: ["Banking"], country_codes: ["DE"], company_headcount: { min: 5 } }, [""]],
  [{ technologies: [] }, [""]],
  [{ similar_to: "acme.example", technologies: ["Salesforce"] }, ["similar_to"]],
  [{ similar_to: "acme.example", hiring: {} }, ["similar_to"]],
  [{ similar_to: "acme.example", query: "banks" }, ["similar_to", "query"]],
  [{ query: "banks", hiring: {}, technologies: ["Salesforce"] }, ["query"]],
  [{ query: "  " }, ["query"]],
  [{ query: "" }, ["query"]],
  [{ mode: "local", locations: ["Berlin, Germany"], hiring: {} }, ["mode"]],
  [{ mode: "firmographic", industries: ["Banking"], similar_to: "acme.example" }, ["mode", "similar_to"]],
  [{ mode: "local" }, ["locations"]],
  [{ mode: "local", locations: [] }, ["locations"]],
  [
    { mode: "local", locations: ["Berlin, Germany", "Berlin", "Berlin,", ", Germany"] },
    [1, 2, 3].map((n) => `locations.${n}`)
  ],
  [
    { mode: "local", locations: ["Berlin, Germany"], keywords: ["beer"], exclude_keywords: ["x"] },
    ["keywords", "exclude_keywords"]
  ],
  [{ mode: "firmographic" }, ["industries"]],
  [{ mode: "firmographic", country_codes: ["DE"], exclude_keywords: ["x"] }, ["industries"]],
  [{ mode: "firmographic", industries: ["Banking"], categories: ["banks"] }, ["categories"]],
  [{ hiring: {}, locations: ["Berlin"], categories: ["x"], keywords: ["x"] }, ["locations", "categories", "keywords"]],
  [{ mode: "regional" }, ["mode"]],
  [{ similar_to: "localhost" }, ["similar_to"]]
]

describe("the criteria of find_companies", () => {
  it.each(ACCEPTED.map((input) => [JSON.stringify(input), input] as const))("accepts %s", (_, input) => {
    assert.deepStrictEqual(mistakes(input), [])
  })

  it.each(REFUSED.map(([input, paths]) => [JSON.stringify(input), input, paths] as const))(
    "refuses %s",
    (_, input, paths) => {
      assert.deepStrictEqual(pathsOf(input).toSorted(), [...paths].sort())
    }
  )

  it("every field keeps its bounds, and every mistake is named at once, those of the whole beside those of fields", () => {
    const over = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`)
    const input = {
      audience: 1,
      query: 2,
      hiring: { titles: over(51), description_contains: ["", "x".repeat(121)], posted_within_days: 91, remote: true },
      technologies: [...over(50), "x"],
      include_low_confidence: "yes",
      similar_to: "x".repeat(2049),
      mode: "local",
      categories: over(51),
      industries: over(51),
      keywords: over(21),
      exclude_keywords: ["x".repeat(121)],
      country_codes: ["D", "DEU"],
      company_headcount: { min: 2, max: 1 },
      limit: 101,
      route: "nearest",
      budget_credits: 0,
      dry_run: 1,
      size: 1
    }
    const expected = [
      "audience",
      "query",
      "query",
      "hiring.titles",
      "hiring.description_contains.0",
      "hiring.description_contains.1",
      "hiring.posted_within_days",
      "hiring.remote",
      "technologies",
      "include_low_confidence",
      "similar_to",
      "similar_to",
      "mode",
      "locations",
      "categories",
      "industries",
      "keywords",
      "keywords",
      "exclude_keywords",
      "exclude_keywords.0",
      "country_codes.0",
      "country_codes.1",
      "company_headcount.min",
      "limit",
      "route",
      "budget_credits",
      "dry_run",
      "size"
    ]
    assert.deepStrictEqual(pathsOf(input).toSorted(), expected.sort())
    assert.deepStrictEqual(
      mistakes({ mode: "local" }).map(({ message }) => message),
      ["is required with mode local"]
    )
    assert.deepStrictEqual(
      mistakes({}).map(({ message }) => message),
      ["needs one of hiring, technologies, similar_to, query, mode"]
    )
  })
})
