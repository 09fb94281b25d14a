import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { credits, format, fromNumberRoundedDown, times } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Fiber, type Layer } from "effect"
import * as fc from "fast-check"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { type Answered, type Client, makeClient } from "../../service/Client.js"
import { Faults, type Service } from "../../service/Service.js"
import { world } from "@outbound/sandbox/world/World.js"
import { aCompanyCheck } from "./dataCalls.js"
import {
  asking,
  assertBalance,
  assertIssues,
  assertRefused,
  resultOf,
  SUITE,
  untilAsked,
  whileSources
} from "./support.js"

export const SITES = "sandbox_sites"
export const JUDGE = "sandbox_judge"

const QUESTION = "Does the company offer a free trial?"

const check = (client: Client, company_domains: ReadonlyArray<string>, more: JsonObject = {}) =>
  client.call("check_companies", { question: QUESTION, company_domains: [...company_domains], ...more })

interface CompanyResult {
  readonly company_domain: string
  readonly status: string
  readonly answer: string | null
  readonly excerpt: string | null
  readonly source_url: string | null
  readonly pages_read: ReadonlyArray<string>
  readonly charged: boolean
}

const companiesOf = (answer: Answered): ReadonlyArray<CompanyResult> => resultOf(answer).companies

const outcomesOf = (answer: Answered) =>
  companiesOf(answer).map(({ answer: said, charged, company_domain, status }) => [
    company_domain,
    status,
    said,
    charged
  ])

/** What holds of every answer, whatever was asked. */
const assertHonest = (answer: Answered): void => {
  const companies = companiesOf(answer)
  for (const company of companies) {
    const paid = company.answer === "yes" || company.answer === "not_found"
    assert.strictEqual(company.charged, paid, company.company_domain)
    assert.strictEqual(company.status === "unreadable", company.answer === null)
    assert.strictEqual(company.status === "unreadable", company.pages_read.length === 0)
    assert.strictEqual(company.excerpt === null, company.source_url === null)
    if (company.answer === "yes") assert.isNotEmpty(company.excerpt)
    if (company.source_url !== null) assert.include(company.pages_read, company.source_url)
    for (const url of company.pages_read) assert.strictEqual(new URL(url).hostname, company.company_domain)
  }
  const { answered } = resultOf(answer)
  assert.strictEqual(answered, companies.filter(({ charged }) => charged).length)
  assert.strictEqual(answer.svc.credits_charged, format(times(credits("3"), answered)))
}

const numbered = (outcome: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `${outcome}-${index}.test`)

/** What `check_companies` guarantees (contract: data, check companies). */
export const checkCompaniesContract = <E>(name: string, service: Layer.Layer<Service, E>, runs = 30) => {
  describeLayer(service, SUITE)(`check_companies (${name})`, (it) => {
    it.effect("yes and not_found cost 3 each, unclear and unreadable nothing, and each company says which", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "20" })
        const answer = yield* check(client, ["yes-1.test", "not-found-2.test", "unclear-3.test", "unreadable-4.test"])
        assert.deepStrictEqual(outcomesOf(answer), [
          ["yes-1.test", "checked", "yes", true],
          ["not-found-2.test", "checked", "not_found", true],
          ["unclear-3.test", "checked", "unclear", false],
          ["unreadable-4.test", "unreadable", null, false]
        ])
        assert.strictEqual(answer.result.question, QUESTION)
        assert.strictEqual(answer.result.answered, 2)
        assert.strictEqual(answer.svc.credits_charged, "6")
        assertHonest(answer)
        yield* assertBalance(client, "14")
        assert.strictEqual((yield* check(client, numbered("unclear", 4))).svc.credits_charged, "0")
        assert.strictEqual((yield* check(client, numbered("unreadable", 4))).svc.credits_charged, "0")
        yield* assertBalance(client, "14")
      })
    )

    it.effect("a company costs once, however often and in whatever form it is named, and the order stays", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const forms = [
          "https://www.YES-2.test/pricing",
          "not-found-1.test",
          "yes-2.test.",
          "blog.yes-2.test",
          "yes-1.test"
        ]
        const answer = yield* check(client, forms, { budget_credits: 9 })
        assert.deepStrictEqual(
          companiesOf(answer).map((company) => company.company_domain),
          ["yes-2.test", "not-found-1.test", "yes-1.test"]
        )
        assert.strictEqual(answer.svc.credits_charged, "9")
      })
    )

    it.effect("every field has its bounds, and every mistake is named at once", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const call = (input: JsonObject) => client.call("check_companies", input)
        const beyond = {
          question: "x".repeat(301),
          company_domains: numbered("unclear", 21).slice(),
          budget_credits: 2001,
          dry_run: "yes",
          route: "balanced"
        }
        assertIssues(yield* call(beyond), ["question", "company_domains", "budget_credits", "dry_run", "route"])
        assertIssues(yield* call({}), ["question", "company_domains"])
        const most = { question: "x".repeat(300), company_domains: numbered("unclear", 20).slice() }
        assert.lengthOf(companiesOf(yield* call(most)), 20)
        const least = { question: "x".repeat(10), company_domains: ["unclear-1.test"] }
        assert.lengthOf(companiesOf(yield* call(least)), 1)
        const each: ReadonlyArray<readonly [JsonObject, string]> = [
          [{ question: "x".repeat(9) }, "question"],
          [{ question: null }, "question"],
          [{ company_domains: [] }, "company_domains"],
          [{ company_domains: "yes-1.test" }, "company_domains"],
          [{ company_domains: ["yes-1.test", "localhost"] }, "company_domains.1"],
          [{ company_domains: ["http://169.254.169.254/latest"] }, "company_domains.0"],
          [{ company_domains: ["[::1]"] }, "company_domains.0"],
          [{ company_domains: [""] }, "company_domains.0"],
          [{ budget_credits: 0 }, "budget_credits"]
        ]
        for (const [input, path] of each) assertIssues(yield* call({ ...least, ...input }), [path])
        yield* assertBalance(client, "300")
      })
    )

    it.effect("no company is dropped to fit a ceiling: one that does not cover all of them is refused", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const domains = [...numbered("yes", 4), "https://yes-0.test/"]
        for (const budget_credits of [0.1, 3, 11.999999]) {
          const [answer, asked] = yield* asking(check(client, domains, { budget_credits }))
          assertRefused(answer, "invalid_request", { reason: "budget_too_low", minimum_credits: "12" })
          assert.deepStrictEqual(asked, [])
        }
        assert.strictEqual((yield* check(client, domains, { budget_credits: 12 })).svc.credits_charged, "12")
        yield* assertBalance(client, "288")
      })
    )

    it.effect("a balance below the maximum refuses the call with nobody asked", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "5" })
        const [answer, asked] = yield* asking(check(client, ["unclear-1.test", "unclear-2.test"]))
        assertRefused(answer, "insufficient_credits", { required: "6", credits_available: "5" })
        assert.deepStrictEqual(asked, [])
      })
    )

    it.effect("a dry run asks nobody, reserves nothing, and names the maximum of the real call", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const domains = ["yes-1.test", "www.yes-1.test", "unreadable-1.test"]
        const [answer, asked] = yield* asking(check(client, domains, { dry_run: true, budget_credits: 7.5 }))
        const { plan } = resultOf(answer)
        assert.strictEqual(plan.plan_version, 3)
        assert.strictEqual(plan.credits_estimate, "6")
        assert.deepStrictEqual(plan.would, {
          companies: 2,
          candidate_sources: 2,
          maximum_credits: "6",
          budget_credits: "7.5"
        })
        assert.deepStrictEqual(plan.would_exceed, [])
        assert.deepStrictEqual(asked, [])
        assertRefused(yield* check(client, domains, { dry_run: true, budget_credits: 5 }), "invalid_request", {
          reason: "budget_too_low",
          minimum_credits: "6"
        })
        const poor = yield* makeClient({ credits: "5" })
        const over = yield* check(poor, domains, { dry_run: true })
        assert.deepStrictEqual(resultOf(over).plan.would_exceed, ["insufficient_credits"])
        yield* assertBalance(client, "300")
      })
    )

    it.effect("the same request gets the same answer, and a repeat under its key is the stored one, free", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const domains = world()
          .companies.slice(0, 20)
          .map(({ domain }) => domain)
        const first = yield* client.call("check_companies", { question: QUESTION, company_domains: domains })
        assertHonest(first)
        const [again] = yield* asking(check(client, domains))
        assert.deepStrictEqual(again.result, first.result)
        const kept = yield* client.call(
          "check_companies",
          { question: QUESTION, company_domains: domains.slice(0, 3) },
          { key: "once" }
        )
        const input = { company_domains: domains.slice(0, 3), question: QUESTION }
        const [replay, asked] = yield* asking(client.call("check_companies", input, { key: "once" }))
        assert.isTrue(replay.svc.replayed)
        assert.deepStrictEqual([replay.result, asked], [kept.result, []])
        assertRefused(
          yield* client.call("check_companies", { ...input, question: `${QUESTION}!` }, { key: "once" }),
          "idempotency_conflict"
        )
      })
    )

    it.effect("the companies of the world are told apart by what their pages say", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        const said = new Set<string | null>()
        for (let start = 0; start < 100; start += 20) {
          const domains = world()
            .companies.slice(start, start + 20)
            .map(({ domain }) => domain)
          const answer = yield* check(client, domains)
          assertHonest(answer)
          for (const company of companiesOf(answer)) {
            said.add(company.answer)
            if (company.answer === "yes") assert.match(company.excerpt ?? "", /free trial/)
          }
        }
        assert.isTrue(said.has("yes") && said.has("not_found") && said.has(null), [...said].join())
        const open = yield* check(
          client,
          world()
            .companies.slice(0, 20)
            .map(({ domain }) => domain),
          {
            question: "Is there a free trial for enterprise customers?"
          }
        )
        assert.include(
          companiesOf(open).map(({ answer }) => answer),
          "unclear"
        )
      })
    )

    it.effect("a reader's pages of somebody else are not believed, and a judge's nonsense neither", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const source of [SITES, JUDGE]) {
          const answer = yield* whileSources([source], Behaviour.Garbage(), check(client, ["yes-1.test"]))
          assertRefused(answer, "provider_unavailable")
        }
        const [twice, asked] = yield* asking(
          whileSources([SITES, JUDGE], Behaviour.Twice(), check(client, ["yes-1.test"]))
        )
        assertHonest(twice)
        const [company] = companiesOf(twice)
        assert.strictEqual(new Set(company?.pages_read).size, company?.pages_read.length)
        assert.deepStrictEqual(asked, [SITES, JUDGE])
        yield* assertBalance(client, "297")
      })
    )

    it.effect("no source for any company: 503, refunded, with the wait that the sources ask for", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const domains = ["yes-1.test", "yes-2.test", "unreadable-1.test"]
        for (const source of [SITES, JUDGE]) {
          const failing = Behaviour.Fail({ reason: "rate_limited", retryAfterSeconds: 7 })
          const call = client.call("check_companies", { question: QUESTION, company_domains: domains }, { key: source })
          assertRefused(yield* whileSources([source], failing, call), "provider_unavailable", {
            retry_after_seconds: 7
          })
          yield* assertBalance(client, source === SITES ? "300" : "294")
          const later = yield* call
          assert.strictEqual(later.svc.credits_charged, "6")
        }
      })
    )

    it.effect("a source that fails for one company leaves it free and fails no other", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        const failing = Behaviour.Fail({ reason: "transient" })
        yield* faults.script(SITES, [Behaviour.Answer(), failing])
        const read = yield* check(client, numbered("yes", 3))
        assertHonest(read)
        assert.strictEqual(read.svc.credits_charged, "6")
        assert.lengthOf(
          companiesOf(read).filter(({ status }) => status === "unreadable"),
          1
        )
        yield* faults.script(JUDGE, [failing])
        const judged = yield* check(client, numbered("yes", 3))
        assertHonest(judged)
        assert.strictEqual(judged.svc.credits_charged, "6")
        assert.lengthOf(
          companiesOf(judged).filter(({ answer }) => answer === "unclear"),
          1
        )
      })
    )

    it.effect("a company whose source never answers is given up, and fails no other", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        for (const [source, answer] of [
          [SITES, null],
          [JUDGE, "unclear"]
        ] as const) {
          yield* faults.forgetCalls
          yield* faults.script(source, [Behaviour.Never()])
          const open = yield* Effect.forkChild(check(client, numbered("yes", 12)))
          yield* untilAsked(JUDGE, source === SITES ? 11 : 12)
          yield* TestClock.adjust("15 seconds")
          const ended = yield* Fiber.join(open)
          assertHonest(ended)
          assert.strictEqual(ended.svc.credits_charged, "33")
          assert.lengthOf(
            companiesOf(ended).filter((company) => company.answer === answer),
            1
          )
        }
      })
    )

    it.effect("a live workspace without sources is told so", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ kind: "live" })
        assertRefused(yield* check(client, ["yes-1.test"]), "tool_unavailable", { tool: "check_companies" })
      })
    )

    it.effect("the charge is 3 for each yes or not_found, at most the plan's maximum and the ceiling", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "100000" })
        for (const { input } of fc.sample(aCompanyCheck, { numRuns: runs, seed: 20_261_107 })) {
          const [preview, asked] = yield* asking(client.call("check_companies", { ...input, dry_run: true }))
          assert.deepStrictEqual(asked, [])
          const answer = yield* client.call("check_companies", input)
          const { budget_credits: budget, company_domains: domains } = input
          const distinct = new Set(domains as ReadonlyArray<string>).size
          const maximum = times(credits("3"), distinct)
          if (typeof budget === "number" && fromNumberRoundedDown(budget) < maximum) {
            for (const refused of [preview, answer]) {
              assertRefused(refused, "invalid_request", { minimum_credits: format(maximum) })
            }
            continue
          }
          assert.strictEqual(resultOf(preview).plan.credits_estimate, format(maximum))
          assert.lengthOf(companiesOf(answer), distinct)
          assertHonest(answer)
          assert.isTrue(credits(answer.svc.credits_charged) <= maximum)
        }
      })
    )
  })
}
