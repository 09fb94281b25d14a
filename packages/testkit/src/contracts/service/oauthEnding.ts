import { assert, layer as describeLayer } from "@effect/vitest"
import { makeOAuthPurge } from "@outbound/domain/control/oauth/OAuthPurge.js"
import { OAuthStore } from "@outbound/domain/control/oauth/OAuthStore.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import {
  callWith,
  consented,
  DOCUMENT,
  type OAuthOnStores,
  redeemed,
  refusedAs,
  sent,
  stateOf,
  TOOLS
} from "./oauthStories.js"
import { SUITE } from "./stories.js"

/** What ends a grant: its client, and that nobody can use it any more. */
export const oauthEndingContract = <E>(name: string, adapter: Layer.Layer<OAuthOnStores, E>): void =>
  describeLayer(adapter, SUITE)(`OAuth, ends (${name})`, (it) => {
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

    it.effect("what its client renewed after it was found to have lapsed stays, with its key", () =>
      Effect.gen(function* () {
        const of = yield* redeemed()
        const store = yield* OAuthStore
        const token = Option.getOrThrow(yield* store.token((yield* Crypto).sha256Hex(of.tokens.refreshToken)))
        const { atomically } = yield* UnitOfWork
        const grant = Option.getOrThrow(yield* atomically(store.lockGrant(token.workspaceId, token.grantId)))
        // It was found a moment before the renewal.
        const found: OAuthStore["Service"] = { ...store, lapsed: () => Effect.succeed([grant]) }
        yield* Effect.flatten(Effect.provideService(makeOAuthPurge, OAuthStore, found))
        assert.strictEqual(yield* stateOf(of), "active")
        assert.strictEqual((yield* callWith(of.tokens.accessToken, "get_me", TOOLS)).status, 200)
        yield* of.oauth.token(of.refreshing(of.tokens.refreshToken))
      })
    )
  })
