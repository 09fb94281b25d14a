import { assert, layer as describeLayer } from "@effect/vitest"
import { OAuth } from "@outbound/domain/control/oauth/OAuth.js"
import { Effect, type Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { BASE_URL } from "../../service/Service.js"
import { growStale, refusedBy, signIn } from "./controlSupport.js"
import {
  allow,
  anAddress,
  answerIn,
  askedBy,
  consented,
  newVerifier,
  keysOf,
  type OAuthOnStores,
  registered,
  STATE,
  waiting
} from "./oauthStories.js"
import { SUITE } from "./stories.js"

const AT_ONCE = 10

/** What a human decides about what a client asks for. */
export const oauthConsentContract = <E>(name: string, adapter: Layer.Layer<OAuthOnStores, E>): void =>
  describeLayer(adapter, SUITE)(`OAuth, consent (${name})`, (it) => {
    it.effect("only an owner who signed in just now allows; any member denies, and the client is told", () =>
      Effect.gen(function* () {
        const oauth = yield* OAuth
        const of = yield* consented()
        const { clientId } = of.client
        const asking = Effect.map(oauth.ask(askedBy(clientId, newVerifier()), anAddress()), waiting)
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
        const requestId = waiting(yield* oauth.ask(askedBy(of.client.clientId, newVerifier(), asks), anAddress()))
        assert.deepStrictEqual((yield* oauth.request(requestId)).scopes, ["data:read"])
        for (const scopes of [[], ["usage:read"], ["data:read", "usage:read"], ["trail:read"]] as const) {
          yield* refusedBy("invalid", oauth.decide(of.owner, requestId, allow(scopes)))
        }
        assert.lengthOf(yield* keysOf(of.owner), before)
        const deciding = Effect.result(oauth.decide(of.owner, requestId, allow(["data:read"])))
        const decided = yield* Effect.all(
          Array.from({ length: AT_ONCE }, () => deciding),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(decided.filter(Result.isSuccess), 1)
        assert.lengthOf(yield* keysOf(of.owner), before + 1)
      })
    )

    it.effect("a request waits for its human for half an hour", () =>
      Effect.gen(function* () {
        const oauth = yield* OAuth
        const { clientId } = yield* registered()
        const requestId = waiting(yield* oauth.ask(askedBy(clientId, newVerifier()), anAddress()))
        yield* TestClock.adjust("29 minutes")
        assert.strictEqual((yield* oauth.request(requestId)).state, STATE)
        yield* TestClock.adjust("1 minutes")
        yield* refusedBy("not_found", oauth.request(requestId))
      })
    )
  })
