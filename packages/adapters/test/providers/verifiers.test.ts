import { assert, describe, it } from "@effect/vitest"
import type { EmailCheck } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { type Case, SECRET, told } from "@outbound/testkit/contracts/providers/sources.js"
import { makeVendorUnderTest, vendorSuite } from "@outbound/testkit/contracts/providers/vendor.js"
import type { Match } from "@outbound/testkit/vendors/Exchange.js"
import { Effect, Option, Redacted } from "effect"
import { hunter } from "../../src/providers/hunter/Hunter.js"
import { millionVerifier } from "../../src/providers/million_verifier/MillionVerifier.js"
import { reacher } from "../../src/providers/reacher/Reacher.js"
import { reoon } from "../../src/providers/reoon/Reoon.js"
import { zeroBounce } from "../../src/providers/zero_bounce/ZeroBounce.js"

const PERSON = "pat.doe@acme.example"

const check = (status: EmailCheck["status"], isCatchAllDomain = false): EmailCheck => ({ status, isCatchAllDomain })

type Members = Readonly<Record<string, unknown>>

/** How a vendor is asked about the person, and what its answer always holds. */
const verifies =
  (request: Match, usual: Members) =>
  (says: string, members: Members, expected: EmailCheck, spent: number): Case<string, EmailCheck> => ({
    says: `${says} is ${expected.status}`,
    request: PERSON,
    exchanges: [{ request, answer: { json: { ...usual, ...members } } }],
    expected,
    spent
  })

const million = verifies(
  { method: "GET", path: "/api/v3/", query: { api: SECRET, email: PERSON, timeout: "15" } },
  {
    email: PERSON,
    quality: "",
    resultcode: 1,
    subresult: "",
    free: false,
    role: false,
    didyoumean: "",
    credits: 99,
    executiontime: 1,
    error: "",
    livemode: true
  }
)

vendorSuite(millionVerifier, {
  email_verifier: {
    cases: [
      million("ok", { result: "ok" }, check("valid"), 1),
      million("ok of a role", { result: "ok", role: true }, check("risky"), 1),
      million("invalid", { result: "invalid" }, check("invalid"), 1),
      million("disposable", { result: "disposable" }, check("invalid"), 1),
      million("catch_all", { result: "catch_all" }, check("catch_all_unknown", true), 1),
      million("unknown", { result: "unknown" }, check("unknown"), 1),
      million("an error of time", { result: "error", error: "timeout" }, check("unknown"), 0),
      million("an error that it does not explain", { result: "error" }, check("unknown"), 0)
    ],
    wire: {
      hasEffect: true,
      failures: [
        { says: "does not know the key", answer: { json: { error: "apikey not found" } }, reason: "account" },
        {
          says: "has no credits left",
          answer: { json: { result: "error", error: "Insufficient credits" } },
          reason: "account"
        },
        {
          says: "is asked with its test key",
          answer: { json: { result: "ok", error: "", livemode: false } },
          reason: "account"
        },
        { says: "fails on its side", answer: { json: { error: `internal, ${SECRET}` } }, reason: "unknown_outcome" },
        { says: "says what nobody knows", answer: { json: { result: "splendid" } }, reason: "unknown_outcome" }
      ]
    }
  },
  account: {
    exchanges: [{ request: { method: "GET", path: "/api/v3/credits" }, answer: { json: { credits: 4321 } } }],
    expected: { left: 4321, missing: [] },
    failures: [{ says: "the key is none", answer: { json: { error: "apikey not found" } }, reason: "account" }]
  }
})

const asReoon = verifies(
  { method: "GET", path: "/api/v1/verify", query: { key: SECRET, email: PERSON, mode: "power" } },
  {
    email: PERSON,
    overall_score: 80,
    is_valid_syntax: true,
    is_catch_all: false,
    is_deliverable: true,
    mx_records: ["mx.acme.example"],
    verification_mode: "power"
  }
)

vendorSuite(reoon, {
  email_verifier: {
    cases: [
      asReoon("safe", { status: "safe" }, check("valid"), 1),
      asReoon("valid", { status: "valid" }, check("valid"), 1),
      asReoon("invalid", { status: "invalid" }, check("invalid"), 1),
      asReoon("disabled", { status: "disabled" }, check("invalid"), 1),
      asReoon("disposable", { status: "disposable" }, check("invalid"), 1),
      asReoon("spamtrap", { status: "spamtrap" }, check("invalid"), 1),
      asReoon("catch_all", { status: "catch_all", is_catch_all: true }, check("catch_all_unknown", true), 1),
      asReoon("role_account", { status: "role_account" }, check("risky"), 1),
      asReoon("inbox_full", { status: "inbox_full" }, check("risky"), 1),
      asReoon("unknown", { status: "unknown", overall_score: null }, check("unknown"), 1)
    ],
    wire: {
      hasEffect: true,
      failures: [
        {
          says: "does not know the key",
          answer: { json: { status: "error", reason: "Invalid API key." } },
          reason: "account"
        },
        {
          says: "has no credits left",
          answer: { json: { status: "error", reason: "Not enough credits." } },
          reason: "account"
        },
        { says: "fails on its side", answer: { json: { status: "error" } }, reason: "unknown_outcome" }
      ]
    }
  },
  account: {
    exchanges: [
      {
        request: { method: "GET", path: "/api/v1/check-account-balance/", query: { key: SECRET } },
        answer: {
          json: {
            api_status: "active",
            remaining_daily_credits: 150,
            remaining_instant_credits: 5000,
            status: "success"
          }
        }
      },
      {
        request: { method: "GET", path: "/api/v1/check-account-balance/" },
        answer: {
          json: {
            api_status: "disabled",
            remaining_daily_credits: 150,
            remaining_instant_credits: 5000,
            status: "success"
          }
        }
      }
    ],
    expected: { left: 5150, missing: ["Its key is disabled."] }
  }
})

const bounce = verifies(
  { method: "GET", path: "/v2/validate", query: { api_key: SECRET, email: PERSON, ip_address: "", timeout: "15" } },
  { address: PERSON, sub_status: "", free_email: false, account: null, mx_found: "true", processed_at: "2026-01-02" }
)

vendorSuite(zeroBounce, {
  email_verifier: {
    cases: [
      bounce("valid", { status: "valid" }, check("valid"), 1),
      bounce("invalid", { status: "invalid", sub_status: "mailbox_not_found" }, check("invalid"), 1),
      bounce("a full mailbox", { status: "invalid", sub_status: "mailbox_quota_exceeded" }, check("risky"), 1),
      bounce("catch-all", { status: "catch-all" }, check("catch_all_unknown", true), 1),
      bounce("spamtrap", { status: "spamtrap" }, check("invalid"), 1),
      bounce("abuse", { status: "abuse" }, check("risky"), 1),
      bounce("disposable", { status: "do_not_mail", sub_status: "disposable" }, check("invalid"), 1),
      bounce("toxic", { status: "do_not_mail", sub_status: "toxic" }, check("invalid"), 1),
      bounce("a role", { status: "do_not_mail", sub_status: "role_based" }, check("risky"), 1),
      bounce(
        "a role where everything is taken",
        { status: "do_not_mail", sub_status: "role_based_catch_all" },
        check("risky", true),
        1
      ),
      bounce("unknown", { status: "unknown", sub_status: "greylisted" }, check("unknown"), 0)
    ],
    wire: {
      hasEffect: true,
      failures: [
        {
          says: "does not know the key or has no credits",
          answer: { json: { error: "Invalid API Key or your account ran out of credits" } },
          reason: "account"
        },
        {
          says: "says it in a list, with a status",
          answer: { status: 400, json: { error: ["Invalid API Key or your account ran out of credits"] } },
          reason: "account"
        },
        {
          says: "refuses the address",
          answer: { status: 400, json: { error: "Missing parameter: email" } },
          reason: "invalid"
        },
        {
          says: "puts up its shield",
          answer: { status: 403, text: "" },
          reason: "rate_limited",
          retryAfterSeconds: 60
        },
        {
          says: "says for how long its shield is up",
          answer: { status: 403, headers: { "retry-after": "3600" }, text: "" },
          reason: "rate_limited",
          retryAfterSeconds: 3600
        },
        { says: "fails on its side", answer: { json: { error: "try again" } }, reason: "unknown_outcome" }
      ]
    }
  },
  account: {
    exchanges: [
      {
        request: { method: "GET", path: "/v2/getcredits", query: { api_key: SECRET } },
        answer: { json: { Credits: "1234" } }
      },
      { request: { method: "GET", path: "/v2/getcredits" }, answer: { json: { Credits: "1234" } } }
    ],
    expected: { left: 1234, missing: [] },
    failures: [{ says: "-1 credits", answer: { json: { Credits: "-1" } }, reason: "account" }]
  }
})

const smtp = {
  can_connect_smtp: true,
  has_full_inbox: false,
  is_catch_all: false,
  is_deliverable: true,
  is_disabled: false
}
const reach = verifies(
  { method: "POST", path: "/v1/check_email", body: { to_email: PERSON } },
  {
    input: PERSON,
    misc: { is_disposable: false, is_role_account: false },
    mx: { accepts_mail: true, records: ["mx.acme.example."] },
    smtp,
    syntax: { is_valid_syntax: true, domain: "acme.example", username: "pat.doe" }
  }
)

vendorSuite(reacher, {
  email_verifier: {
    cases: [
      reach("safe", { is_reachable: "safe" }, check("valid"), 0),
      reach("invalid", { is_reachable: "invalid", smtp: { ...smtp, is_deliverable: false } }, check("invalid"), 0),
      reach("risky", { is_reachable: "risky", smtp: { ...smtp, has_full_inbox: true } }, check("risky"), 0),
      reach(
        "risky where everything is taken",
        { is_reachable: "risky", smtp: { ...smtp, is_catch_all: true } },
        check("catch_all_unknown", true),
        0
      ),
      reach(
        "a server that could not be asked",
        { is_reachable: "unknown", smtp: { type: "SmtpError", message: "timed out" } },
        check("unknown"),
        0
      )
    ],
    wire: {
      hasEffect: false,
      failures: [
        {
          says: "refuses the secret",
          answer: { status: 400, text: 'Invalid request header "x-reacher-secret"' },
          reason: "account"
        },
        { says: "refuses the question", answer: { status: 400, json: { error: "no address" } }, reason: "invalid" }
      ]
    }
  },
  account: {
    exchanges: [
      {
        request: { method: "POST", path: "/v1/check_email", body: { to_email: "no-address" } },
        answer: { json: { input: "no-address", is_reachable: "invalid", smtp } }
      }
    ],
    expected: { left: null, missing: [] },
    needsNoCredential: true
  }
})

describe("what an answer cost", () => {
  it.effect("is told in the vendor's unit, and in money where it is the service that pays", () =>
    Effect.gen(function* () {
      const { made, server } = yield* makeVendorUnderTest(zeroBounce)
      server.on({ request: { method: "GET", path: "/v2/validate" }, answer: { json: { status: "valid" } } })
      const verify = made.sources.email_verifier!.verify(PERSON)
      const cost = { vendor: "zero_bounce", unit: "credit", amount: 1 }
      assert.deepStrictEqual((yield* told(verify))[0].spent, [{ ...cost, micros: 9_000 }])
      const own = Option.some(Redacted.make("an-own-key-0123"))
      assert.deepStrictEqual((yield* told(verify, own))[0].spent, [{ ...cost, micros: 0 }])
    })
  )
})

describe("a vendor that repeats whom it was asked about", () => {
  const says = `${PERSON} and key.credit@plan.example: not today`
  it.effect.each([
    ["million_verifier", millionVerifier, { json: { error: says } }, "unknown_outcome"],
    ["reoon", reoon, { json: { status: "error", reason: says } }, "unknown_outcome"],
    ["zero_bounce", zeroBounce, { json: { error: [says] } }, "unknown_outcome"],
    ["hunter", hunter, { status: 400, json: { errors: [{ id: "wrong", details: says }] } }, "invalid"]
  ] as const)(
    "%s is not repeated in logs, and no word in an address is taken for its own",
    ([, vendor, answer, reason]) =>
      Effect.gen(function* () {
        const { made, server } = yield* makeVendorUnderTest(vendor)
        server.on({ request: { method: "GET", path: /verif|valid|\/$/ }, answer })
        const [, failure] = yield* told(Effect.flip(made.sources.email_verifier!.verify(PERSON)))
        assert.match(String(failure.cause), /^(says \[address\] and \[address\]: not today|status 400)$/)
        assert.strictEqual(failure.reason, reason)
      })
  )
})

describe("what is not confirmed of a vendor is a setting", () => {
  it.effect("reoon: how sure it must be of an address where everything is taken", () =>
    Effect.gen(function* () {
      const { made, server } = yield* makeVendorUnderTest(reoon, { catch_all_score_min: 90, mode: "quick" })
      const request: Match = { method: "GET", path: "/api/v1/verify", query: { mode: "quick" } }
      const verify = told(made.sources.email_verifier!.verify(PERSON))
      const catchAll = { status: "catch_all", is_deliverable: true, is_catch_all: true }
      server.on({ request, answer: { json: { ...catchAll, overall_score: 95 } } })
      assert.deepStrictEqual((yield* verify)[1], check("catch_all_valid", true))
      server.on({ request, answer: { json: { ...catchAll, overall_score: 85 } } })
      assert.deepStrictEqual((yield* verify)[1], check("catch_all_unknown", true))
    })
  )

  it.effect("reacher: in whose name it asks, and where", () =>
    Effect.gen(function* () {
      const settings = { path: "/v0/check_email", from_email: "check@own.example", hello_name: "own.example" }
      const { made, server } = yield* makeVendorUnderTest(reacher, settings, null)
      const body = { to_email: PERSON, from_email: settings.from_email, hello_name: settings.hello_name }
      server.on({
        request: {
          method: "POST",
          path: "/v0/check_email",
          body,
          when: ({ headers }) => !("x-reacher-secret" in headers)
        },
        answer: { json: { is_reachable: "safe" } }
      })
      assert.deepStrictEqual((yield* told(made.sources.email_verifier!.verify(PERSON)))[1], check("valid"))
    })
  )
})
