import { assert, layer as describeLayer } from "@effect/vitest"
import { ApprovalWatch } from "@outbound/domain/approvals/ApprovalWatch.js"
import { Control } from "@outbound/domain/control/Control.js"
import { SCOPES } from "@outbound/domain/keys/Policy.js"
import { makeOAuthPurge } from "@outbound/domain/oauth/OAuthPurge.js"
import { OAuth, type Tokens } from "@outbound/domain/oauth/OAuth.js"
import { OAuthStore } from "@outbound/domain/oauth/OAuthStore.js"
import { GRANTABLE_SCOPES, NEVER_GRANTED } from "@outbound/domain/oauth/scopes.js"
import { credits } from "@outbound/domain/money/Credits.js"
import { Crypto } from "@outbound/domain/ports/Crypto.js"
import type { SignedIn } from "@outbound/domain/users/UserStore.js"
import { Effect, Either, type Layer, Option, TestClock } from "effect"
import { BASE_URL } from "../../service/Service.js"
import { decide } from "../../service/Client.js"
import { growStale, refusedBy, signIn } from "./controlSupport.js"
import {
  allow,
  answerIn,
  askedBy,
  callWith,
  consented,
  newVerifier,
  type ConsentOptions,
  type Consented,
  type OAuthOnStores,
  type Parameters,
  REDIRECT,
  refusedAs,
  registered,
  RESOURCE,
  sent,
  STATE,
  TOOLS,
  waiting
} from "./oauthStories.js"
import { SUITE } from "./stories.js"

const AT_ONCE = 10
const DOCUMENT = "https://client.example/oauth/client.json"

/** What a grant and its tokens are worth, and what ends them. */
export const oauthServiceContract = <E>(name: string, adapter: Layer.Layer<OAuthOnStores, E>): void =>
  describeLayer(adapter, SUITE)(`OAuth (${name})`, (it) => {
    const keysOf = (by: SignedIn) => Effect.flatMap(Control, (control) => control.listKeys(by))

    const keyOf = (of: Consented) =>
      Effect.map(keysOf(of.owner), (keys) => keys.find(({ key }) => key.name === "Assistant")!.key)

    const stateOf = (of: Consented) => Effect.map(keyOf(of), ({ state }) => state)

    const redeemed = (options: ConsentOptions = {}) =>
      Effect.gen(function* () {
        const of = yield* consented(options)
        return { ...of, tokens: yield* of.oauth.token(of.redeeming()) }
      })

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

    it.effect("only an owner who signed in just now allows; any member denies, and the client is told", () =>
      Effect.gen(function* () {
        const oauth = yield* OAuth
        const of = yield* consented()
        const { clientId } = of.client
        const asking = Effect.map(oauth.ask(askedBy(clientId, newVerifier())), waiting)
        const requestId = yield* asking
        yield* refusedBy("owner_required", oauth.decide(of.member, requestId, allow()))
        yield* growStale
        yield* refusedBy("reauthentication_required", oauth.decide(of.owner, requestId, allow()))
        const denied = answerIn((yield* oauth.decide(of.member, requestId, { _tag: "Deny" })).redirectTo)
        assert.deepStrictEqual(
          ["error", "code", "state", "iss"].map((one) => denied.get(one)),
          ["access_denied", null, STATE, BASE_URL]
        )
        yield* refusedBy("not_found", oauth.decide(yield* signIn(of.manager.ownerEmail), requestId, allow()))
      })
    )

    it.effect("nobody allows more than was asked for, nothing at all, or twice", () =>
      Effect.gen(function* () {
        const oauth = yield* OAuth
        const of = yield* consented()
        const before = (yield* keysOf(of.owner)).length
        const asks = { scope: "data:read offline_access" }
        const requestId = waiting(yield* oauth.ask(askedBy(of.client.clientId, newVerifier(), asks)))
        assert.deepStrictEqual((yield* oauth.request(requestId)).scopes, ["data:read"])
        for (const scopes of [[], ["usage:read"], ["data:read", "usage:read"], ["trail:read"]] as const) {
          yield* refusedBy("invalid", oauth.decide(of.owner, requestId, allow(scopes)))
        }
        assert.lengthOf(yield* keysOf(of.owner), before)
        const deciding = Effect.either(oauth.decide(of.owner, requestId, allow(["data:read"])))
        const decided = yield* Effect.all(
          Array.from({ length: AT_ONCE }, () => deciding),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(decided.filter(Either.isRight), 1)
        assert.lengthOf(yield* keysOf(of.owner), before + 1)
      })
    )

    it.effect("a request waits for its human for half an hour", () =>
      Effect.gen(function* () {
        const oauth = yield* OAuth
        const { clientId } = yield* registered()
        const requestId = waiting(yield* oauth.ask(askedBy(clientId, newVerifier())))
        yield* TestClock.adjust("29 minutes")
        assert.strictEqual((yield* oauth.request(requestId)).state, STATE)
        yield* TestClock.adjust("1 minutes")
        yield* refusedBy("not_found", oauth.request(requestId))
      })
    )

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

    it.effect("of any number who redeem a code or use a refresh token at once, one is served, and then none", () =>
      Effect.gen(function* () {
        const race = (of: Consented, given: URLSearchParams) =>
          Effect.gen(function* () {
            const tries = Array.from({ length: AT_ONCE }, () => Effect.either(of.oauth.token(given)))
            const served = (yield* Effect.all(tries, { concurrency: "unbounded" })).filter(Either.isRight)
            assert.lengthOf(served, 1)
            assert.strictEqual((yield* callWith(served[0]!.right.accessToken, "get_me", TOOLS)).status, 401)
          })
        const [byCode, byRefresh] = [yield* consented(), yield* redeemed()]
        yield* race(byCode, byCode.redeeming())
        yield* race(byRefresh, byRefresh.refreshing(byRefresh.tokens.refreshToken))
      })
    )

    it.effect("a refresh token that is used twice ends the grant, with the tokens of both who used it", () =>
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

    const NOT_RENEWED: ReadonlyArray<
      readonly [
        what: string,
        error: "invalid_grant" | "invalid_scope" | "invalid_target",
        given: (of: Tokens) => Parameters
      ]
    > = [
      ["another client's id", "invalid_grant", () => ({ client_id: DOCUMENT })],
      ["an access token", "invalid_grant", ({ accessToken }) => ({ refresh_token: accessToken })],
      ["a scope beyond the grant", "invalid_scope", () => ({ scope: "data:read campaign:write" })],
      ["a scope that is never granted", "invalid_scope", () => ({ scope: "trail:read" })],
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

    it.effect("a client ends its grant with either of its tokens, and no other client does", () =>
      Effect.gen(function* () {
        for (const which of ["accessToken", "refreshToken"] as const) {
          const of = yield* redeemed()
          const token = of.tokens[which]
          yield* refusedAs("unauthorized_client", of.oauth.revoke(sent({ token, client_id: DOCUMENT })))
          assert.strictEqual(yield* stateOf(of), "active")
          yield* of.oauth.revoke(sent({ token, client_id: of.client.clientId }))
          assert.strictEqual(yield* stateOf(of), "revoked")
          assert.strictEqual((yield* callWith(of.tokens.accessToken, "get_me", TOOLS)).status, 401)
          yield* of.oauth.revoke(sent({ token, client_id: of.client.clientId }))
        }
        const { oauth } = yield* consented()
        yield* oauth.revoke(sent({ token: "unknown", client_id: DOCUMENT }))
      })
    )

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
        yield* refusedAs("invalid_request", of.oauth.ask(asked))
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

    it.effect("what nobody can use any more goes, with its key; what somebody can, stays", () =>
      Effect.gen(function* () {
        const purge = yield* makeOAuthPurge
        const untilDone: Effect.Effect<void, unknown> = Effect.flatMap(purge, (found) =>
          found > 0 ? untilDone : Effect.void
        )
        const [unredeemed, used] = [yield* consented(), yield* redeemed()]
        yield* TestClock.adjust("2 minutes")
        yield* untilDone
        assert.deepStrictEqual([yield* stateOf(unredeemed), yield* stateOf(used)], ["revoked", "active"])
        yield* refusedAs("invalid_grant", unredeemed.oauth.token(unredeemed.redeeming()))
        const renewed = yield* used.oauth.token(used.refreshing(used.tokens.refreshToken))
        yield* TestClock.adjust("29 days")
        yield* untilDone
        assert.strictEqual(yield* stateOf(used), "active")
        // The used token is still known: its second use is noticed.
        yield* refusedAs("invalid_grant", used.oauth.token(used.refreshing(renewed.accessToken)))
        yield* TestClock.adjust("2 days")
        yield* untilDone
        assert.strictEqual(yield* stateOf(used), "revoked")
        const store = yield* OAuthStore
        assert.isTrue(Option.isSome(yield* store.client(used.client.clientId)))
        yield* TestClock.adjust("90 days")
        yield* untilDone
        assert.isTrue(Option.isNone(yield* store.client(used.client.clientId)))
      })
    )
  })
