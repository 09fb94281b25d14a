import { assert, describe, it } from "@effect/vitest"
import type { EmailCheck } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { anyCompany } from "@outbound/testkit/contracts/providers/companySource.js"
import { type Case, SECRET, told } from "@outbound/testkit/contracts/providers/sources.js"
import { makeVendorUnderTest, vendorSuite } from "@outbound/testkit/contracts/providers/vendor.js"
import { eventLoopTurn } from "@outbound/testkit/service/patience.js"
import type { Answer, Match } from "@outbound/testkit/vendors/Exchange.js"
import { Clock, Duration, Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { hunter } from "../../src/providers/hunter/Hunter.js"
import { watchRequests } from "./published/watch.js"

// The vendor's own published client sends these so, and its documentation says so.
watchRequests(["hunter"], {
  "POST /discover.headquarters_location.include is [": "a list of places",
  "POST /discover.similar_to is {": "an object with domain"
})

const PERSON = "pat.doe@acme.example"

const check = (status: EmailCheck["status"], isCatchAllDomain = false): EmailCheck => ({ status, isCatchAllDomain })

const RUNNING: Answer = { status: 202, json: { data: { status: "unknown" } } }
const asked: Match = { method: "GET", path: "/v2/email-verifier", query: { email: PERSON } }
const verification = (status: string, members: Readonly<Record<string, unknown>> = {}): Answer => ({
  json: { data: { status, score: 90, accept_all: false, block: false, sources: [], ...members }, meta: {} }
})
const hunt = (
  says: string,
  answer: Answer | readonly [Answer, ...ReadonlyArray<Answer>],
  expected: EmailCheck,
  spent: number
): Case<string, EmailCheck> => ({
  says: `${says} is ${expected.status}`,
  request: PERSON,
  exchanges: [{ request: asked, answer }],
  expected,
  spent
})

const discovers: Match = {
  method: "POST",
  path: "/v2/discover",
  when: ({ body, headers }) => body.similar_to.domain === "acme.example" && headers["x-api-key"] === SECRET
}
const like = { ...anyCompany, search: { kind: "similar", companyDomain: "acme.example" } } as const
const alike = (domain: string, name: string | null, countryCode: string | null) => ({
  domain,
  name,
  description: null,
  descriptionSource: null,
  specialties: [],
  socialUrl: null,
  headcount: null,
  industry: null,
  country: null,
  countryCode,
  city: null,
  foundedYear: null,
  totalFundingUsd: null,
  jobsLast30Days: null,
  lastFundingRoundDate: null,
  lastFundingRoundAmountUsd: null,
  evidence: [
    {
      signal: "similar" as const,
      subject: null,
      text: null,
      summary: "Like acme.example",
      evidenceUrl: null,
      observedAt: "1970-01-01T00:00:00.000Z",
      score: 0.5,
      confidence: "high" as const
    }
  ]
})
const refusal = (status: number, id: string, details: string): Answer => ({
  status,
  json: { errors: [{ id, code: status, details }] }
})

vendorSuite(hunter, {
  settings: { poll_millis: 0 },
  email_verifier: {
    cases: [
      hunt("valid", verification("valid"), check("valid"), 0.5),
      hunt("invalid", verification("invalid"), check("invalid"), 0.5),
      hunt("disposable", verification("disposable"), check("invalid"), 0.5),
      hunt("accept_all", verification("accept_all", { accept_all: true }), check("catch_all_unknown", true), 0.5),
      hunt("webmail", verification("webmail"), check("risky"), 0.5),
      hunt("unknown", verification("unknown"), check("unknown"), 0.5),
      hunt("a mail server without an answer", refusal(222, "smtp_error", "Unexpected response"), check("unknown"), 0),
      hunt(
        "an objection",
        refusal(451, "claimed_email", "The person asked not to be processed."),
        { ...check("unknown"), isObjected: true },
        0
      )
    ],
    wire: {
      hasEffect: true,
      failures: [
        {
          says: "is asked too often, with the status of what is forbidden",
          answer: refusal(403, "rate_limit", "You have reached the rate limit."),
          reason: "rate_limited"
        },
        {
          says: "has nothing left in the plan, with the status of too many requests",
          answer: refusal(429, "too_many_requests", "You have reached your usage limit. Upgrade your plan."),
          reason: "account"
        },
        {
          says: "is asked too often",
          answer: { status: 429, headers: { "retry-after": "9" }, json: {} },
          reason: "rate_limited",
          retryAfterSeconds: 9
        },
        { says: "does not let us in", answer: { status: 403, json: {} }, reason: "account" },
        { says: "refuses the address", answer: refusal(400, "wrong_params", "email is invalid"), reason: "invalid" },
        {
          says: "refuses an address that has words of its own in it",
          answer: refusal(400, "wrong_params", "premium@plans.example is invalid"),
          reason: "invalid"
        }
      ]
    }
  },
  company_source: {
    cases: [
      {
        says: "companies that are like another, each once, without that one",
        request: { ...like, countryCodes: ["DE"], headcountMin: 40, headcountMax: 300 },
        exchanges: [
          {
            request: {
              ...discovers,
              body: {
                headcount: ["51-200"],
                headquarters_location: { include: [{ country: "DE" }] }
              }
            },
            answer: {
              json: {
                data: [
                  { domain: "Beta.Example", organization: "Beta", emails_count: { total: 3 } },
                  { domain: "acme.example", organization: "Acme" },
                  { domain: "www.gamma.example", organization: null },
                  { domain: "beta.example", organization: "Beta Inc" },
                  { domain: "", organization: "Nowhere" }
                ],
                meta: { results: 900 }
              }
            }
          }
        ],
        expected: {
          companies: [alike("beta.example", "Beta", "DE"), alike("gamma.example", null, "DE")],
          moreAvailable: true,
          places: []
        },
        spent: 0
      },
      {
        says: "of any size and anywhere where nothing is said of it, and no more than asked for",
        request: { ...like, limit: 1 },
        exchanges: [
          {
            request: {
              ...discovers,
              when: (request) => JSON.stringify(Object.keys(request.body)) === '["similar_to"]'
            },
            answer: { json: { data: [{ domain: "beta.example" }, { domain: "gamma.example" }] } }
          }
        ],
        expected: { companies: [alike("beta.example", null, null)], moreAvailable: null, places: [] }
      },
      {
        says: "nothing like it",
        request: like,
        exchanges: [{ request: discovers, answer: { json: { data: [], meta: { results: 0 } } } }],
        expected: { companies: [], moreAvailable: false, places: [] }
      }
    ],
    wire: {
      hasEffect: false,
      failures: [
        {
          says: "has no premium filters in its plan",
          answer: refusal(400, "premium_filter", "This filter needs a Premium plan."),
          reason: "account"
        }
      ]
    }
  },
  account: {
    exchanges: [
      {
        request: { method: "GET", path: "/v2/account" },
        answer: {
          json: { data: { plan_name: "Starter", requests: { credits: { used: 12.5, available: 500 } } } }
        }
      }
    ],
    expected: { left: 487.5, missing: [] }
  }
})

const POLL_MILLIS = 2_000

/** A clock whose sleepers are known. */
const watchedClock = Clock.clockWith((clock) =>
  Effect.sync(() => {
    const sleepers = new Set<{ readonly wakesMillis: number }>()
    const watched: Clock.Clock = {
      ...clock,
      sleep: (duration) =>
        Effect.suspend(() => {
          const sleeper = { wakesMillis: clock.currentTimeMillisUnsafe() + Duration.toMillis(duration) }
          sleepers.add(sleeper)
          return Effect.ensuring(
            clock.sleep(duration),
            Effect.sync(() => sleepers.delete(sleeper))
          )
        })
    }
    const isPolling = () => {
      const soonMillis = clock.currentTimeMillisUnsafe() + POLL_MILLIS
      return [...sleepers].some(({ wakesMillis }) => wakesMillis <= soonMillis)
    }
    /** Until it waits to ask again, and not for the answer any more; what comes over a wire is read in the meantime. */
    const untilAsleep = Effect.repeat(eventLoopTurn, { until: isPolling })
    return { watched, untilAsleep }
  })
)

describe("hunter, asked for companies", () => {
  it.effect("says what it can't filter by", () =>
    Effect.gen(function* () {
      const { made } = yield* makeVendorUnderTest(hunter)
      const serves = (criteria: Partial<typeof anyCompany>) =>
        made.sources.company_source!.serves!({ ...like, ...criteria })
      assert.isTrue(serves({ countryCodes: ["DE", "AT"], headcountMin: 10 }))
      assert.isTrue(serves({ headcountMin: 1, headcountMax: 50 }))
      assert.isFalse(serves({ industries: ["Software Development"] }))
      assert.isFalse(serves({ headcountMin: 20, headcountMax: 60 }))
      assert.isFalse(made.sources.company_source!.serves!({ ...anyCompany, search: { kind: "query", query: "any" } }))
    })
  )
})

describe("hunter, while a verification is running", () => {
  it.effect("is asked again after a while, and charges once", () =>
    Effect.gen(function* () {
      const { made, server } = yield* makeVendorUnderTest(hunter)
      server.on({ request: asked, answer: [RUNNING, RUNNING, verification("valid")] })
      const { untilAsleep, watched } = yield* watchedClock
      const asking = yield* Effect.forkChild(
        Effect.provideService(told(made.sources.email_verifier!.verify(PERSON)), Clock.Clock, watched)
      )
      for (const requests of [1, 2]) {
        yield* server.until(requests)
        yield* untilAsleep
        yield* TestClock.adjust(POLL_MILLIS)
      }
      const [{ spent }, answer] = yield* Fiber.join(asking)
      assert.deepStrictEqual([answer, server.received.length, spent.length], [check("valid"), 3, 1])
    })
  )

  it("can't be set to be asked for longer than it is waited for", () => {
    const isSettable = (poll_millis: number) => Result.isSuccess(hunter.decode({ polls_max: 9, poll_millis }))
    assert.deepStrictEqual([2000, 2001].map(isSettable), [true, false])
  })

  it.effect("is asked so often at most, and then not known", () =>
    Effect.gen(function* () {
      const { made, server } = yield* makeVendorUnderTest(hunter, { poll_millis: 0, polls_max: 3 })
      server.on({ request: asked, answer: RUNNING })
      const [{ spent }, answer] = yield* told(made.sources.email_verifier!.verify(PERSON))
      assert.deepStrictEqual([answer, server.received.length, spent], [check("unknown"), 4, []])
    })
  )
})
