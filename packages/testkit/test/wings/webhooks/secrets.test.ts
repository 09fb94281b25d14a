import { assert, it } from "@effect/vitest"
import type { Endpoint } from "@outbound/domain/control/webhooks/WebhookStore.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { makeSecret, ROTATION_MILLIS, sealSecret, secretsOf } from "@outbound/domain/wings/webhooks/Webhooks.js"
import { Effect, Redacted } from "effect"
import { freshId, NOON } from "../../../src/contracts/fixtures.js"
import * as TestCrypto from "../../../src/memory/TestCrypto.js"

it.layer(TestCrypto.layer)("the secrets of a webhook", (it) => {
  const given = Effect.gen(function* () {
    const crypto = yield* Crypto
    const of = { workspaceId: freshId(), endpointId: freshId() }
    const [secret, before] = [makeSecret(crypto), makeSecret(crypto)]
    const endpoint: Endpoint = {
      ...of,
      url: "https://receiver.example.com/events",
      kinds: [],
      state: "enabled",
      sealedSecret: sealSecret(crypto, of, secret),
      previous: { sealedSecret: sealSecret(crypto, of, before), untilMillis: NOON + ROTATION_MILLIS },
      createdAtMillis: NOON
    }
    const signing = (changed: Partial<Endpoint> = {}, atMillis = NOON) =>
      secretsOf(crypto, { ...endpoint, ...changed }, atMillis).map(Redacted.value)
    return { secret, before, signing }
  })

  it.effect("are the new one and, for a day after a rotation, the old one", () =>
    Effect.gen(function* () {
      const { before, secret, signing } = yield* given
      assert.deepStrictEqual(signing(), [secret, before])
      assert.deepStrictEqual(signing({}, NOON + ROTATION_MILLIS - 1), [secret, before])
      assert.deepStrictEqual(signing({}, NOON + ROTATION_MILLIS), [secret])
      assert.deepStrictEqual(signing({ previous: null }), [secret])
    })
  )

  it.effect("open for the endpoint that they were sealed for alone, in its workspace", () =>
    Effect.gen(function* () {
      const { signing } = yield* given
      assert.deepStrictEqual(signing({ endpointId: freshId() }), [])
      assert.deepStrictEqual(signing({ workspaceId: freshId() }), [])
    })
  )
})
