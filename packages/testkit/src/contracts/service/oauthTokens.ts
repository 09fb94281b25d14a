import { assert, layer as describeLayer } from "@effect/vitest"
import { ApprovalWatch } from "@outbound/domain/calls/approvals/ApprovalWatch.js"
import { Control } from "@outbound/domain/control/Control.js"
import { SCOPES, NEVER_GRANTED } from "@outbound/domain/verbs/Policy.js"
import { OAuthStore } from "@outbound/domain/control/oauth/OAuthStore.js"
import { GRANTABLE_SCOPES } from "@outbound/domain/control/oauth/scopes.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { BASE_URL } from "../../service/Service.js"
import { decide } from "../../service/Client.js"
import {
  answerIn,
  callWith,
  keyOf,
  keysOf,
  type OAuthOnStores,
  REDIRECT,
  redeemed,
  refusedAs,
  STATE,
  stateOf,
  TOOLS
} from "./oauthStories.js"
import { SUITE } from "./stories.js"

/** What a token is worth: it acts as its key, where the tools are, for as long as both last. */
export const oauthTokensContract = <E>(name: string, adapter: Layer.Layer<OAuthOnStores, E>): void =>
  describeLayer(adapter, SUITE)(`OAuth, tokens (${name})`, (it) => {
    it.effect("a client that a human allows acts with what they ticked, as a key of its name", () =>
      Effect.gen(function* () {
        const of = yield* redeemed({ scopes: ["data:read", "usage:read"] })
        const answer = answerIn(of.redirectTo)
        assert.isTrue(of.redirectTo.startsWith(`${REDIRECT}&`))
        assert.deepStrictEqual([answer.get("of"), answer.get("state"), answer.get("iss")], ["us", STATE, BASE_URL])
        assert.deepStrictEqual(of.tokens.scopes, ["data:read", "usage:read"])
        assert.strictEqual(of.tokens.expiresInSeconds, 3_600)
        const key = yield* keyOf(of)
        assert.deepStrictEqual([key.state, key.scopes], ["active", ["data:read", "usage:read"]])
        const me = yield* callWith(of.tokens.accessToken, "get_me", TOOLS)
        assert.deepStrictEqual([me.status, me.result.key.id], [200, key.keyId])
      })
    )

    it.effect("calls by a token are metered, limited and repeated as those of its key", () =>
      Effect.gen(function* () {
        const of = yield* redeemed()
        const first = yield* callWith(of.tokens.accessToken, "verify_email", { ...TOOLS, key: "once" })
        const renewed = yield* of.oauth.token(of.refreshing(of.tokens.refreshToken))
        const again = yield* callWith(renewed.accessToken, "verify_email", { ...TOOLS, key: "once" })
        assert.deepStrictEqual([first.status, again.status], [200, 200])
        assert.deepStrictEqual(again.result, first.result)
        assert.deepStrictEqual([first.svc.replayed ?? false, again.svc.replayed], [false, true])
        assert.strictEqual(again.rate!.remaining, first.rate!.remaining - 1)
        const keys = yield* keysOf(of.owner)
        const spent = keys.find(({ key }) => key.name === "Assistant")!.spentThisMonth
        assert.strictEqual(spent, credits(first.svc.credits_charged))
      })
    )

    it.effect("what a token asks a human for is asked by its key, and watched by the token until it is decided", () =>
      Effect.gen(function* () {
        const of = yield* redeemed()
        const watch = yield* ApprovalWatch
        const { accessToken } = of.tokens
        const input = { daily_sends: 50, brand: "acme", identity: { first_name: "Ada", last_name: "Lovelace" } }
        const asked = yield* callWith(accessToken, "setup_sending", { ...TOOLS, input })
        const url: string = asked.result.approval_url
        const isDecided = watch.isDecided(accessToken, url.slice(url.lastIndexOf("/") + 1))
        assert.isFalse(yield* isDecided)
        yield* decide(of.manager, url, "approve")
        assert.isTrue(yield* isDecided)
      })
    )

    it.effect("a token is no credential anywhere but where the tools are", () =>
      Effect.gen(function* () {
        const { tokens } = yield* redeemed()
        for (const bearer of [tokens.accessToken, tokens.refreshToken]) {
          assert.strictEqual((yield* callWith(bearer, "get_me", {})).status, 401)
        }
        assert.strictEqual((yield* callWith(tokens.refreshToken, "get_me", TOOLS)).status, 401)
        assert.strictEqual((yield* callWith(`svc_access_${"A".repeat(43)}`, "get_me", TOOLS)).status, 401)
      })
    )

    it.effect("an access token lasts an hour, a refresh token 30 days from its making", () =>
      Effect.gen(function* () {
        const of = yield* redeemed()
        yield* TestClock.adjust("3599 seconds")
        assert.strictEqual((yield* callWith(of.tokens.accessToken, "get_me", TOOLS)).status, 200)
        yield* TestClock.adjust("1 seconds")
        assert.strictEqual((yield* callWith(of.tokens.accessToken, "get_me", TOOLS)).status, 401)
        yield* TestClock.adjust("29 days")
        const renewed = yield* of.oauth.token(of.refreshing(of.tokens.refreshToken))
        assert.strictEqual((yield* callWith(renewed.accessToken, "get_me", TOOLS)).status, 200)
        yield* TestClock.adjust("30 days")
        yield* refusedAs("invalid_grant", of.oauth.token(of.refreshing(renewed.refreshToken)))
        assert.strictEqual(yield* stateOf(of), "active")
      })
    )

    it.effect("whatever its key is given later, a token never answers people, reads the trail or changes keys", () =>
      Effect.gen(function* () {
        const of = yield* redeemed()
        const control = yield* Control
        const { keyId } = yield* keyOf(of)
        yield* control.setPolicy(of.owner, keyId, { scopes: SCOPES })
        for (const verb of ["get_trail", "kill", "reply_to_thread"] as const) {
          const answer = yield* callWith(of.tokens.accessToken, verb, TOOLS)
          assert.deepStrictEqual([answer.status, answer.error.code], [403, "forbidden"], verb)
          assert.include(NEVER_GRANTED, answer.error.details.required_scope)
        }
        const renewed = yield* of.oauth.token(of.refreshing(of.tokens.refreshToken))
        assert.deepStrictEqual(renewed.scopes, GRANTABLE_SCOPES)
      })
    )

    it.effect("a key that is tightened tightens its tokens; one that is revoked ends them", () =>
      Effect.gen(function* () {
        const of = yield* redeemed()
        const control = yield* Control
        const { keyId } = yield* keyOf(of)
        yield* control.setPolicy(of.member, keyId, { scopes: ["usage:read"] })
        assert.strictEqual((yield* callWith(of.tokens.accessToken, "verify_email", TOOLS)).status, 403)
        const renewed = yield* of.oauth.token(of.refreshing(of.tokens.refreshToken))
        assert.deepStrictEqual(renewed.scopes, ["usage:read"])
        yield* control.revokeKey(of.owner, keyId)
        for (const { accessToken } of [of.tokens, renewed]) {
          assert.strictEqual((yield* callWith(accessToken, "get_me", TOOLS)).status, 401)
        }
        yield* refusedAs("invalid_grant", of.oauth.token(of.refreshing(renewed.refreshToken)))
      })
    )

    it.effect("of secrets only digests are kept", () =>
      Effect.gen(function* () {
        const of = yield* redeemed()
        const store = yield* OAuthStore
        const crypto = yield* Crypto
        for (const secret of [of.tokens.accessToken, of.tokens.refreshToken]) {
          assert.isTrue(Option.isNone(yield* store.token(secret)))
          assert.isTrue(Option.isSome(yield* store.token(crypto.sha256Hex(secret))))
        }
        assert.match(of.tokens.accessToken, /^svc_access_[\w-]{43}$/)
        assert.match(of.tokens.refreshToken, /^svc_refresh_[\w-]{43}$/)
      })
    )
  })
