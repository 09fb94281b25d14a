import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import type { Json, JsonObject } from "../../src/kernel/canonical.js"
import { decodeCall } from "../../src/calls/decode.js"
import { ISSUES_MAX, type Issue } from "../../src/kernel/errors/Wire.js"
import { type VerbName, verbs } from "../../src/verbs/verbs.js"

const issuesOf = (verb: VerbName, input: JsonObject): ReadonlyArray<Issue> =>
  Result.match(
    decodeCall(
      {
        requestId: "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70",
        bearer: null,
        verb: verbs[verb],
        input,
        reject: null,
        idempotencyKey: "k",
        runId: null
      },
      verbs[verb]
    ),
    {
      onFailure: (error) => (error.code === "invalid_request" ? (error.details.issues ?? []) : []),
      onSuccess: () => []
    }
  )

const KEY_ID = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"

const WORDS: ReadonlyArray<readonly [VerbName, JsonObject, path: string, message: string]> = [
  ["verify_email", {}, "email", "is required"],
  ["verify_email", { email: null }, "email", "must be a string"],
  ["verify_email", { email: "ab" }, "email", "must have at least 3 characters"],
  ["verify_email", { email: "x".repeat(321) }, "email", "must have at most 320 characters"],
  ["verify_email", { email: "a@b", emial: "x" }, "emial", "unknown field"],
  ["verify_email", { email: "a@b", budget_credits: "5" }, "budget_credits", "must be a number"],
  ["verify_email", { email: "a@b", budget_credits: 0 }, "budget_credits", "must be more than 0"],
  ["verify_email", { email: "a@b", budget_credits: 2001 }, "budget_credits", "must be at most 2000"],
  ["verify_email", { email: "a@b", dry_run: "true" }, "dry_run", "must be true or false"],
  ["get_me", { x: "1" }, "x", "unknown field"],
  ["get_request", { request_id: "7" }, "request_id", "must be a UUID"],
  ["enrich", { person: "Ada" }, "person", "must be an object"],
  ["enrich", { person: {} }, "person", "needs a name and company_domain, or social_url, or email"],
  ["enrich", { person: { social_url: "ada" } }, "person.social_url", "must be a URL"],
  ["enrich", { person: { email: "a@b" }, want: "email" }, "want", "must be an array"],
  [
    "enrich",
    { person: { email: "a@b" }, want: ["email"] },
    "want.0",
    "must be one of work_email, mobile_phone, profile"
  ],
  [
    "enrich",
    { person: { email: "a@b" }, max_credits: "1.1234567" },
    "max_credits",
    'must be a decimal string such as "12.5", with at most 6 decimals'
  ],
  ["find_leads", { audience: "x", limit: 0 }, "limit", "must be from 1 to 200"],
  ["find_leads", { audience: "x", limit: 1.5 }, "limit", "must be a whole number"],
  ["find_leads", { audience: "x", company_domains: [] }, "company_domains", "must have at least 1 item"],
  ["find_leads", { audience: "x", titles: [""] }, "titles.0", "must have at least 1 character"],
  [
    "find_leads",
    { audience: "x", company_headcount: { min: 2, max: 1 } },
    "company_headcount.min",
    "must not exceed max"
  ],
  [
    "find_leads",
    { audience: "x", company_domains: ["a.test", "localhost"] },
    "company_domains.1",
    "is not a domain or URL with a registrable domain: it has no dot"
  ],
  ["get_trail", { since: "yesterday" }, "since", "must be an RFC 3339 timestamp, such as 2026-01-02T03:04:05Z"],
  [
    "update_key",
    { key_id: KEY_ID, monthly_spend_cap: "-1" },
    "monthly_spend_cap",
    'must be a decimal string such as "12.5", with at most 6 decimals'
  ],
  [
    "update_key",
    { key_id: KEY_ID, monthly_spend_cap: 5 },
    "monthly_spend_cap",
    'must be a decimal string such as "12.5", with at most 6 decimals'
  ],
  [
    "enrich",
    { person: { email: "a@b" }, max_credits: "9".repeat(1_000_000) },
    "max_credits",
    "must not exceed the most credits an account can have"
  ],
  ["find_leads", { audience: "x".repeat(20_001) }, "audience", "must have at most 20000 characters"],
  ["find_leads", { audience: "x", titles: [" "] }, "titles.0", "must not be blank"],
  ["check_companies", { question: " ".repeat(10), company_domains: ["a.test"] }, "question", "must not be blank"],
  [
    "find_posts",
    { scope: { type: "keyword", query: "a" }, since: "2026-02-30" },
    "since",
    "must be a date or an RFC 3339 timestamp, such as 2026-01-31 or 2026-01-31T09:00:00Z"
  ],
  ["get_trail", { limit: true }, "limit", "must be from 1 to 200"],
  ["get_trail", { limit: "0" }, "limit", "must be from 1 to 200"]
]

it("says in a caller's words what to mend, and where", () => {
  for (const [verb, input, path, message] of WORDS) {
    assert.deepStrictEqual(issuesOf(verb, input), [{ path, message }], `${verb} ${JSON.stringify(input).slice(0, 100)}`)
  }
})

it("names every mistake at once, each once, and at most twenty", () => {
  const input = { audience: 1, titles: ["", 2], limit: "x", nonsense: {} }
  assert.deepStrictEqual(
    issuesOf("find_leads", input)
      .map((issue) => issue.path)
      .sort(),
    ["audience", "limit", "nonsense", "titles.0", "titles.1"]
  )
  const many = issuesOf("find_leads", { audience: "x", titles: new Array<string>(50).fill("") })
  assert.strictEqual(many.length, ISSUES_MAX)
})

it("never sends back what the caller sent", () => {
  const secret = "hunter2"
  for (const [verb, input] of WORDS) {
    const issues = issuesOf(verb, { ...input, email: [secret], limit: secret, since: secret, want: [secret] })
    assert.notInclude(JSON.stringify(issues), secret)
  }
})

/** A list that counts how many of its items anybody looked at. */
const counted = (length: number, item: Json): { readonly list: ReadonlyArray<Json>; readonly looks: () => number } => {
  let looks = 0
  const list = new Proxy(new Array<Json>(length).fill(item), {
    get: (target, key, receiver) => {
      if (typeof key === "string" && /^\d+$/.test(key)) looks += 1
      return Reflect.get(target, key, receiver) as unknown
    }
  })
  return { list, looks: () => looks }
}

it("refuses a list that is too long without a look at what is beyond its bound", () => {
  const lists = [
    ["find_leads", "titles", 50],
    ["find_intent", "company_domains", 50],
    ["check_companies", "company_domains", 20],
    ["create_campaign", "recipients", 5_000],
    ["llm_chat", "messages", 2_048]
  ] as const
  for (const [verb, field, itemsMax] of lists) {
    const { list, looks } = counted(1_000_000, {})
    assert.deepInclude(issuesOf(verb, { [field]: list }), {
      path: field,
      message: `must have at most ${itemsMax} items`
    })
    assert.isAtMost(looks(), 20 * itemsMax)
  }
})

it("names the first mistake alone of an input that holds more values than any verb takes", () => {
  const nonsense = (count: number): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`field_${index}`, index]))
  assert.strictEqual(issuesOf("verify_email", nonsense(1_000)).length, ISSUES_MAX)
  assert.deepStrictEqual(issuesOf("verify_email", nonsense(100_000)), [{ path: "field_0", message: "unknown field" }])
})

it("names what is nested deeper than calls can be", () => {
  let deep: Json = "x"
  for (let level = 0; level < 1_000_000; level++) deep = [deep]
  assert.deepInclude(issuesOf("verify_email", { email: "a@b.test", deep }), { path: "deep", message: "unknown field" })
})
