import { assert, describe, it } from "@effect/vitest"
import { grantOf, grantSecret } from "@outbound/domain/outreach/sending/mailGrant.js"
import type { ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import { PostmasterApi } from "@outbound/domain/wings/postmaster/PostmasterApi.js"
import {
  googleForTests,
  type GoogleMood,
  REFRESH_FOR_TESTS
} from "@outbound/testkit/wings/postmaster/GoogleForTests.js"
import { Effect, Redacted } from "effect"
import { layer } from "../../../src/wings/postmaster/GooglePostmaster.js"

const DAYS = { fromMillis: Date.UTC(2026, 10, 14), toMillis: Date.UTC(2026, 10, 20) }

const reached = Effect.gen(function* () {
  const google = yield* googleForTests
  const options = { isAtHome: true, baseUrl: google.url, timeoutMillis: 1_500 }
  const api = yield* PostmasterApi.pipe(Effect.provide(layer(options)))
  const grant = grantOf(
    grantSecret({
      tokenUrl: google.tokenUrl,
      clientId: "client",
      clientSecret: Redacted.make("secret"),
      refreshToken: Redacted.make(REFRESH_FOR_TESTS),
      scope: null
    })
  )
  if (grant === null) return assert.fail("no grant")
  return { google, api, grant, token: Effect.map(api.token(grant), ({ accessToken }) => accessToken) }
})

describe("Google's Postmaster Tools over HTTP", () => {
  it.live(
    "what is asked is as the contract says, and what is answered is read: domains, requirements, the newest rates",
    () =>
      Effect.gen(function* () {
        const { api, google, token } = yield* reached
        google.domains.set("acme.test", {
          requirements: { SPF: "COMPLIANT", DMARC_POLICY: "NEEDS_WORK", NEW_ONE: "STATE_UNSPECIFIED" },
          rates: {
            "2026-11-18": { spamRate: 0.9, rejectRate: 0.5, tempFailRate: 0.5 },
            "2026-11-19": { spamRate: 0.001, rejectRate: 0.02 },
            "2026-11-17": { spamRate: 0.8 }
          }
        })
        google.domains.set("theirs.test", { permission: "NONE" })
        google.domains.set("unproven.test", { verificationState: "UNVERIFIED" })
        google.domains.set("read.test", { permission: "READER" })
        const access = yield* token
        assert.deepStrictEqual(yield* api.domains(access, 10), ["acme.test", "read.test"])
        assert.deepStrictEqual(yield* api.domains(access, 1), ["acme.test"])
        assert.deepStrictEqual(yield* api.requirements(access, "acme.test"), [
          { requirement: "SPF", status: "compliant" },
          { requirement: "DMARC_POLICY", status: "needs_work" },
          { requirement: "NEW_ONE", status: "unknown" }
        ])
        // Of several pages and days the newest day counts, whole.
        assert.deepStrictEqual(yield* api.stats(access, "acme.test", DAYS), {
          day: "2026-11-19",
          spamRate: 0.001,
          rejectRate: 0.02,
          tempFailRate: null
        })
        // A domain that this person may not read says nothing, and is no failure.
        assert.isNull(yield* api.requirements(access, "read.test"))
        assert.isNull(yield* api.stats(access, "read.test", DAYS))
        assert.deepStrictEqual(google.wrong(), [])
      }).pipe(Effect.scoped)
  )

  it.live("every trouble is a failure of its kind, in time, and without a word of Google's in it", () =>
    Effect.gen(function* () {
      const { api, google, grant, token } = yield* reached
      google.domains.set("acme.test", { requirements: {}, rates: {} })
      const access = yield* token
      const expected: Readonly<
        Partial<Record<GoogleMood, readonly [reason: ProviderFailureReason, retryAfterSeconds: number | undefined]>>
      > = {
        token_refused: ["account", undefined],
        no_scope: ["account", undefined],
        quota: ["rate_limited", 7_200],
        broken: ["transient", undefined],
        garbage: ["transient", undefined],
        too_long: ["transient", undefined],
        silent: ["transient", undefined],
        hangs_up: ["transient", undefined]
      }
      for (const [mood, [reason, retryAfterSeconds]] of Object.entries(expected)) {
        google.be(mood as GoogleMood)
        const failure = yield* Effect.flip(api.domains(access, 10))
        assert.deepInclude(failure, { reason }, mood)
        assert.strictEqual(failure.retryAfterSeconds, retryAfterSeconds, mood)
        assert.notInclude(JSON.stringify(failure), "<b>")
      }
      google.be("consent_gone")
      assert.deepInclude(yield* Effect.flip(api.token(grant)), { reason: "account" })
      // Pages without an end are bounded.
      google.be("endless_pages")
      const before = google.asked().length
      yield* api.domains(access, 10)
      assert.isAtMost(google.asked().length - before, 10)
    }).pipe(Effect.scoped)
  )
})
