import { assert, describe, it, layer as describeLayer } from "@effect/vitest"
import { Control } from "@outbound/domain/control/Control.js"
import { KEY_NAME_CHARS_MAX } from "@outbound/domain/control/KeyControl.js"
import { keyNameOf } from "@outbound/domain/control/oauth/issuing.js"
import { OPEN_REQUESTS_MAX, UNUSED_CLIENTS_MAX } from "@outbound/domain/control/oauth/lifetimes.js"
import { type Asked, OAuth } from "@outbound/domain/control/oauth/OAuth.js"
import type { AuthorizationRequest } from "@outbound/domain/control/oauth/OAuthStore.js"
import type { Scope } from "@outbound/domain/verbs/Policy.js"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { office } from "../../src/contracts/service/controlSupport.js"
import {
  allow,
  anAddress,
  answerIn,
  askedBy,
  consented,
  DOCUMENT,
  keyOf,
  newVerifier,
  type Parameters,
  redeemed,
  refusedAs,
  registered,
  waiting
} from "../../src/contracts/service/oauthStories.js"
import { SUITE } from "../../src/contracts/service/stories.js"
import { Memory } from "../../src/memory/Memory.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import { quietMemory } from "../../src/service/Service.js"

describe("the name of a grant's key", () => {
  const name = (clientName: string, clientId = DOCUMENT, clientKind: "document" | "registered" = "document") =>
    keyNameOf({ clientId, clientKind, clientName } as AuthorizationRequest)

  it("is the client's own, and the host of its document", () => {
    assert.strictEqual(name("Assistant"), "Assistant (client.example)")
    assert.strictEqual(name("Assistant", "any", "registered"), "Assistant")
  })

  it("always shows the end of the host, which says whose it is, and is never too long", () => {
    const host = `${"a".repeat(60)}.${"b".repeat(60)}.owner.example`
    const shown = name("A".repeat(300), `https://${host}/client.json`)
    assert.lengthOf(shown, KEY_NAME_CHARS_MAX)
    assert.isTrue(shown.endsWith(`${host.slice(-80)})`))
    assert.isTrue(shown.startsWith("A".repeat(KEY_NAME_CHARS_MAX - 83)))
    assert.lengthOf(name("A".repeat(300), "any", "registered"), KEY_NAME_CHARS_MAX)
  })

  it("never ends within a character", () => {
    const almost = "A".repeat(KEY_NAME_CHARS_MAX - 1)
    assert.strictEqual(name(`${almost}\u{1F4EC}`, "any", "registered"), almost)
  })
})

describeLayer(quietMemory, SUITE)("OAuth, where little is missing", (it) => {
  const asking = (given: Parameters | URLSearchParams) =>
    Effect.gen(function* () {
      const oauth = yield* OAuth
      const { clientId } = yield* registered()
      const sent = given instanceof URLSearchParams ? given : askedBy(clientId, newVerifier(), given)
      if (given instanceof URLSearchParams) {
        for (const [name, value] of askedBy(clientId, newVerifier())) if (!sent.has(name)) sent.append(name, value)
      }
      return yield* oauth.ask(sent, anAddress())
    })
  const answered = (asked: Asked) => (asked._tag === "Answered" ? answerIn(asked.redirectTo) : assert.fail("it waits"))

  it.effect("a state that is no state of one client is refused, and is not sent back", () =>
    Effect.gen(function* () {
      for (const state of ["x".repeat(2_001), "a\nb", "schön"]) {
        const answer = answered(yield* asking({ state }))
        assert.deepStrictEqual([answer.get("error"), answer.get("state")], ["invalid_request", null])
      }
      const twice = answered(
        yield* asking(
          new URLSearchParams([
            ["state", "one"],
            ["state", "two"]
          ])
        )
      )
      assert.deepStrictEqual([twice.get("error"), twice.get("state")], ["invalid_request", null])
      const good = answered(yield* asking({ state: "x".repeat(2_000), response_type: "token" }))
      assert.strictEqual(good.get("state"), "x".repeat(2_000))
      waiting(yield* asking({ state: "x".repeat(2_000) }))
      waiting(yield* asking({ state: null }))
    })
  )

  it.effect("a request that could not be kept is an outage, and no answer to its client", () =>
    Effect.gen(function* () {
      const { failNext } = yield* MemoryFaults
      yield* failNext("OAuthStore.insertRequest", 1)
      const failure = yield* Effect.flip(asking({}))
      assert.strictEqual(failure._tag, "StoreUnavailable")
    })
  )

  it.effect("beyond so many, the oldest unused clients and open requests make room", () =>
    Effect.gen(function* () {
      const { atomically, read, write } = yield* Memory
      const client = yield* registered()
      waiting(yield* asking({}))
      yield* atomically(
        write(({ oauthClients, oauthRequests }) => {
          const [request] = oauthRequests.filter(() => true)
          for (let each = 0; each < UNUSED_CLIENTS_MAX; each += 1) {
            const clientId = `flood-${each}`
            oauthClients.set(clientId, { client: { ...client, clientId, createdAtMillis: -1 }, usedAtMillis: null })
          }
          for (let each = 0; each < OPEN_REQUESTS_MAX; each += 1)
            oauthRequests.set(`flood-${each}`, { ...request!, requestId: `flood-${each}`, expiresAtMillis: -1 })
        })
      )
      waiting(yield* asking({}))
      const counts = yield* read(({ oauthClients, oauthRequests }) => [
        oauthClients.filter(({ usedAtMillis }) => usedAtMillis === null).length,
        oauthRequests.filter(() => true).length
      ])
      assert.deepStrictEqual(counts, [UNUSED_CLIENTS_MAX, OPEN_REQUESTS_MAX])
      yield* atomically(
        write(({ oauthClients, oauthRequests }) => {
          for (let each = 0; each < UNUSED_CLIENTS_MAX; each += 1) {
            oauthClients.delete(`flood-${each}`)
            oauthRequests.delete(`flood-${each}`)
          }
        })
      )
    })
  )

  it.effect("what is no id is looked for nowhere", () =>
    Effect.gen(function* () {
      const { watch } = yield* MemoryFaults
      const oauth = yield* OAuth
      const { owner } = yield* office()
      const used = yield* watch(
        Effect.andThen(Effect.flip(oauth.request("no id")), Effect.flip(oauth.decide(owner, "'; --", allow())))
      )
      assert.isFalse(used.some((one) => one === "OAuthStore.request" || one === "OAuthStore.lockRequest"))
    })
  )

  it.effect("a person who allows nothing is told to deny, and one who allows more what may be allowed", () =>
    Effect.gen(function* () {
      const oauth = yield* OAuth
      const { owner } = yield* office()
      const { clientId } = yield* registered()
      const asked = yield* oauth.ask(askedBy(clientId, newVerifier(), { scope: "data:read" }), anAddress())
      const told = (scopes: ReadonlyArray<Scope>) =>
        Effect.map(Effect.flip(oauth.decide(owner, waiting(asked), allow(scopes))), (failure) =>
          JSON.stringify(failure)
        )
      assert.include(yield* told([]), "must include at least one; to allow none, deny")
      assert.include(yield* told(["data:read", "usage:read"]), "must be among the requested scopes")
    })
  )

  it.effect("a refresh token is renewed by itself alone: an access token renews nothing", () =>
    Effect.gen(function* () {
      const of = yield* redeemed()
      yield* refusedAs("invalid_grant", of.oauth.token(of.refreshing(of.tokens.accessToken)))
      assert.strictEqual((yield* keyOf(of)).state, "active")
      yield* of.oauth.token(of.refreshing(of.tokens.refreshToken))
    })
  )

  it.effect("a code whose key was revoked meanwhile is worth nothing", () =>
    Effect.gen(function* () {
      const of = yield* consented()
      const control = yield* Control
      yield* control.revokeKey(of.owner, (yield* keyOf(of)).keyId)
      yield* refusedAs("invalid_grant", of.oauth.token(of.redeeming()))
    })
  )

  it.effect(
    "an answer that was lost is given again long after the clock began, with the whole seconds that are left",
    () =>
      Effect.gen(function* () {
        yield* TestClock.adjust("2 days")
        const of = yield* redeemed()
        const using = of.oauth.token(of.refreshing(of.tokens.refreshToken))
        const lost = yield* using
        yield* TestClock.adjust("1500 millis")
        assert.deepStrictEqual(yield* using, { ...lost, expiresInSeconds: lost.expiresInSeconds - 2 })
      })
  )

  it.effect("a grant that ends for a code used twice is logged as ended by its key", () =>
    Effect.gen(function* () {
      const { read } = yield* Memory
      const of = yield* redeemed()
      const { keyId } = yield* keyOf(of)
      yield* refusedAs("invalid_grant", of.oauth.token(of.redeeming()))
      const [ended] = yield* read(({ controlLog }) =>
        controlLog.filter((entry) => entry.keyId === keyId && entry.action === "revoke_key")
      )
      assert.deepInclude(ended?.actor, { kind: "key", keyId })
    })
  )
})
