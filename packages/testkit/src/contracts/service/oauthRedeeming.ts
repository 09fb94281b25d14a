import { assert, layer as describeLayer } from "@effect/vitest"
import { Control } from "@outbound/domain/control/Control.js"
import { OAuth, type Tokens } from "@outbound/domain/control/oauth/OAuth.js"
import * as OAuthLive from "@outbound/domain/control/oauth/OAuthLive.js"
import { GRANTABLE_SCOPES } from "@outbound/domain/control/oauth/scopes.js"
import { Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import {
  anAddress,
  askedBy,
  callWith,
  consented,
  newVerifier,
  DOCUMENT,
  keyOf,
  type OAuthOnStores,
  type Parameters,
  redeemed,
  refusedAs,
  RESOURCE,
  stateOf,
  TOOLS
} from "./oauthStories.js"
import { SUITE } from "./stories.js"

const AT_ONCE = 10

/** Codes and refresh tokens for tokens: whose they are, and that each is used once. */
export const oauthRedeemingContract = <E>(name: string, adapter: Layer.Layer<OAuthOnStores, E>): void =>
  describeLayer(adapter, SUITE)(`OAuth, redeeming (${name})`, (it) => {
    const NOT_THEIRS: ReadonlyArray<
      readonly [what: string, error: "invalid_grant" | "invalid_request" | "invalid_target", given: Parameters]
    > = [
      ["another verifier", "invalid_grant", { code_verifier: newVerifier() }],
      ["a verifier that is none", "invalid_grant", { code_verifier: "short" }],
      ["no verifier", "invalid_request", { code_verifier: null }],
      ["another client's id", "invalid_grant", { client_id: "svc_client_01890000-0000-7000-8000-000000000000" }],
      ["no client", "invalid_request", { client_id: null }],
      ["another redirect", "invalid_grant", { redirect_uri: "http://127.0.0.1/back" }],
      ["another audience", "invalid_target", { resource: "https://other.example/mcp" }],
      ["another code", "invalid_grant", { code: `svc_code_${"A".repeat(43)}` }]
    ]
    for (const [what, error, given] of NOT_THEIRS) {
      it.effect(`a code is not redeemed with ${what}, and is still good for its client`, () =>
        Effect.gen(function* () {
          const of = yield* consented()
          yield* refusedAs(error, of.oauth.token(of.redeeming(given)))
          assert.strictEqual((yield* of.oauth.token(of.redeeming())).scopes.length, GRANTABLE_SCOPES.length)
        })
      )
    }

    it.effect("a code is good for a minute", () =>
      Effect.gen(function* () {
        const [late, intime] = [yield* consented(), yield* consented()]
        yield* TestClock.adjust("59 seconds")
        yield* intime.oauth.token(intime.redeeming({ redirect_uri: null, resource: null }))
        yield* TestClock.adjust("1 seconds")
        yield* refusedAs("invalid_grant", late.oauth.token(late.redeeming()))
      })
    )

    it.effect("a code that is used twice ends what the first use was given", () =>
      Effect.gen(function* () {
        const of = yield* redeemed()
        assert.strictEqual((yield* callWith(of.tokens.accessToken, "get_me", TOOLS)).status, 200)
        yield* refusedAs("invalid_grant", of.oauth.token(of.redeeming()))
        assert.strictEqual(yield* stateOf(of), "revoked")
        assert.strictEqual((yield* callWith(of.tokens.accessToken, "get_me", TOOLS)).status, 401)
        yield* refusedAs("invalid_grant", of.oauth.token(of.refreshing(of.tokens.refreshToken)))
      })
    )

    it.effect("of any number who redeem a code at once, one is served, and then none", () =>
      Effect.gen(function* () {
        const of = yield* consented()
        const tries = Array.from({ length: AT_ONCE }, () => Effect.result(of.oauth.token(of.redeeming())))
        const served = (yield* Effect.all(tries, { concurrency: "unbounded" })).filter(Result.isSuccess)
        assert.lengthOf(served, 1)
        assert.strictEqual((yield* callWith(served[0]!.success.accessToken, "get_me", TOOLS)).status, 401)
      })
    )

    it.effect("of any number who use a refresh token at once, at any host, all are given the same tokens", () =>
      Effect.gen(function* () {
        const of = yield* redeemed()
        const hosts = [of.oauth, yield* Effect.provide(OAuth, Layer.fresh(OAuthLive.layer))]
        const using = of.refreshing(of.tokens.refreshToken)
        const tries = hosts.flatMap((oauth) => Array.from({ length: AT_ONCE }, () => oauth.token(using)))
        const [first, ...others] = yield* Effect.all(tries, { concurrency: "unbounded" })
        for (const other of others) assert.deepStrictEqual(other, first)
        assert.notInclude([of.tokens.accessToken, of.tokens.refreshToken], first!.accessToken)
        assert.strictEqual((yield* callWith(first!.accessToken, "get_me", TOOLS)).status, 200)
        yield* of.oauth.token(of.refreshing(first!.refreshToken))
        assert.strictEqual(yield* stateOf(of), "active")
      })
    )

    it.effect("a client whose answer was lost asks again within a minute, and is given what is left of it", () =>
      Effect.gen(function* () {
        const of = yield* redeemed()
        const using = of.oauth.token(of.refreshing(of.tokens.refreshToken))
        const lost = yield* using
        yield* TestClock.adjust("59 seconds")
        assert.deepStrictEqual(yield* using, { ...lost, expiresInSeconds: lost.expiresInSeconds - 59 })
        // A late call of the same program, while another of its calls has renewed already.
        const next = yield* of.oauth.token(of.refreshing(lost.refreshToken))
        assert.strictEqual((yield* using).refreshToken, lost.refreshToken)
        assert.strictEqual((yield* callWith(next.accessToken, "get_me", TOOLS)).status, 200)
      })
    )

    it.effect("a refresh token that is used after a minute ends the grant, whoever used it first", () =>
      Effect.gen(function* () {
        const of = yield* redeemed()
        const first = yield* of.oauth.token(of.refreshing(of.tokens.refreshToken))
        yield* TestClock.adjust("60 seconds")
        yield* refusedAs("invalid_grant", of.oauth.token(of.refreshing(of.tokens.refreshToken)))
        assert.strictEqual(yield* stateOf(of), "revoked")
        yield* refusedAs("invalid_grant", of.oauth.token(of.refreshing(first.refreshToken)))
      })
    )

    it.effect("a refresh token that is used once its client has renewed twice since ends the grant", () =>
      Effect.gen(function* () {
        const of = yield* redeemed()
        let token = of.tokens.refreshToken
        for (let renewals = 0; renewals < 3; renewals++) {
          token = (yield* of.oauth.token(of.refreshing(token))).refreshToken
        }
        yield* refusedAs("invalid_grant", of.oauth.token(of.refreshing(of.tokens.refreshToken)))
        assert.strictEqual(yield* stateOf(of), "revoked")
      })
    )

    it.effect("a used refresh token is worth nothing to another client, nor once the key is revoked", () =>
      Effect.gen(function* () {
        const of = yield* redeemed()
        const { refreshToken } = of.tokens
        yield* of.oauth.token(of.refreshing(refreshToken))
        yield* refusedAs("invalid_grant", of.oauth.token(of.refreshing(refreshToken, { client_id: DOCUMENT })))
        assert.strictEqual(yield* stateOf(of), "active")
        const { keyId } = yield* keyOf(of)
        yield* Effect.flatMap(Control, (control) => control.revokeKey(of.owner, keyId))
        yield* refusedAs("invalid_grant", of.oauth.token(of.refreshing(refreshToken)))
      })
    )

    it.effect("a refresh token that is used twice, days apart, ends the grant with the tokens of both", () =>
      Effect.gen(function* () {
        const of = yield* redeemed()
        const stolen = yield* of.oauth.token(of.refreshing(of.tokens.refreshToken))
        yield* TestClock.adjust("20 days")
        yield* refusedAs("invalid_grant", of.oauth.token(of.refreshing(of.tokens.refreshToken)))
        assert.strictEqual(yield* stateOf(of), "revoked")
        assert.strictEqual((yield* callWith(stolen.accessToken, "get_me", TOOLS)).status, 401)
        yield* refusedAs("invalid_grant", of.oauth.token(of.refreshing(stolen.refreshToken)))
      })
    )

    it.effect("a renewal leaves out scopes of other services, and names what was granted", () =>
      Effect.gen(function* () {
        const of = yield* redeemed({ scopes: ["data:read"] })
        const renewed = yield* of.oauth.token(
          of.refreshing(of.tokens.refreshToken, { scope: "openid offline_access data:read" })
        )
        assert.deepStrictEqual(renewed.scopes, ["data:read"])
      })
    )

    it.effect("a renewal that repeats what was asked for gives what was granted, and never more", () =>
      Effect.gen(function* () {
        const of = yield* redeemed({ scopes: ["data:read"] })
        let { refreshToken } = of.tokens
        for (const scope of ["data:read campaign:write usage:read", "trail:read", "data:read reply:send"]) {
          const renewed = yield* of.oauth.token(of.refreshing(refreshToken, { scope }))
          assert.deepStrictEqual(renewed.scopes, ["data:read"])
          const me = yield* callWith(renewed.accessToken, "get_me", TOOLS)
          assert.deepStrictEqual(me.result.scopes, ["data:read"])
          refreshToken = renewed.refreshToken
        }
      })
    )

    const NOT_RENEWED: ReadonlyArray<
      readonly [what: string, error: "invalid_grant" | "invalid_target", given: (of: Tokens) => Parameters]
    > = [
      ["another client's id", "invalid_grant", () => ({ client_id: DOCUMENT })],
      ["an access token", "invalid_grant", ({ accessToken }) => ({ refresh_token: accessToken })],
      ["another audience", "invalid_target", () => ({ resource: "https://other.example/mcp" })]
    ]
    for (const [what, error, given] of NOT_RENEWED) {
      it.effect(`a grant is not renewed with ${what}, and still by its client`, () =>
        Effect.gen(function* () {
          const of = yield* redeemed({ scopes: ["data:read"] })
          const { refreshToken } = of.tokens
          yield* refusedAs(error, of.oauth.token(of.refreshing(refreshToken, given(of.tokens))))
          const renewed = yield* of.oauth.token(of.refreshing(refreshToken, { scope: "data:read", resource: RESOURCE }))
          assert.deepStrictEqual(renewed.scopes, ["data:read"])
        })
      )
    }

    it.effect("parameters that are sent twice, and grants of another type, are refused", () =>
      Effect.gen(function* () {
        const of = yield* consented()
        const twice = of.redeeming()
        twice.append("code", "another")
        yield* refusedAs("invalid_request", of.oauth.token(twice))
        yield* refusedAs("unsupported_grant_type", of.oauth.token(of.redeeming({ grant_type: "client_credentials" })))
        yield* refusedAs("invalid_request", of.oauth.token(of.redeeming({ grant_type: null })))
        const asked = askedBy(of.client.clientId, newVerifier())
        asked.append("redirect_uri", "https://evil.example/")
        yield* refusedAs("invalid_request", of.oauth.ask(asked, anAddress()))
      })
    )
  })
