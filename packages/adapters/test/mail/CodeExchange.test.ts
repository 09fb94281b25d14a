import { assert, describe, it } from "@effect/vitest"
import {
  type ConsentFailed,
  type MailClient,
  MailClients
} from "@outbound/domain/outreach/sending/connect/MailClients.js"
import { scopeOf } from "@outbound/domain/outreach/sending/connect/consent.js"
import { type ConsentMood, type ConsentProvider, consentProvider } from "@outbound/testkit/mail/ConsentProvider.js"
import { Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import { layer } from "../../src/mail/CodeExchange.js"

const BACK = "http://outbound.test/console/mailboxes/connected"
const VERIFIER = "v".repeat(43)

const clientOf = (provider: ConsentProvider): MailClient => ({
  provider: "google",
  authorizeUrl: provider.authorizeUrl,
  tokenUrl: provider.tokenUrl,
  clientId: provider.clientId,
  clientSecret: Redacted.make(provider.clientSecret)
})

/** A code of the provider's own page. */
const codeFrom = (provider: ConsentProvider): Effect.Effect<string> =>
  Effect.promise(async () => {
    const url = new URL(provider.authorizeUrl)
    url.searchParams.set("redirect_uri", BACK)
    url.searchParams.set("scope", scopeOf("google"))
    url.searchParams.set("code_challenge", createHash("sha256").update(VERIFIER).digest("base64url"))
    const answer = await fetch(url, { redirect: "manual" })
    return new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? ""
  })

const exchange = (
  provider: ConsentProvider,
  of: { readonly code: string; readonly verifier?: string },
  isAtHome = true
) =>
  Effect.gen(function* () {
    const clients = yield* MailClients
    const asked = { code: of.code, verifier: of.verifier ?? VERIFIER, redirectUri: BACK }
    return yield* clients.exchange(clientOf(provider), asked)
  }).pipe(Effect.provide(layer([clientOf(provider)], { isAtHome, timeoutMillis: 500 })))

describe("the exchange of a consent for a refresh token", () => {
  it.live("gives the token for a code that this service began with its verifier, and a code works once", () =>
    Effect.gen(function* () {
      const provider = yield* consentProvider
      const code = yield* codeFrom(provider)
      const token = yield* exchange(provider, { code })
      assert.deepStrictEqual([Redacted.value(token)], provider.given())
      assert.strictEqual((yield* Effect.flip(exchange(provider, { code }))).reason, "used")
      const other = yield* codeFrom(provider)
      assert.strictEqual(
        (yield* Effect.flip(exchange(provider, { code: other, verifier: "w".repeat(43) }))).reason,
        "used"
      )
      assert.lengthOf(provider.given(), 1)
    }).pipe(Effect.scoped)
  )

  it.live("of a provider that behaves badly it says why, asks once, and holds nothing that was sent or answered", () =>
    Effect.gen(function* () {
      const provider = yield* consentProvider
      const expected: ReadonlyArray<readonly [ConsentMood, ConsentFailed["reason"]]> = [
        ["no_refresh_token", "no_refresh"],
        ["fewer_scopes", "scope"],
        ["client_refused", "client"],
        ["garbage", "unreachable"],
        ["too_long", "unreachable"],
        ["broken", "unreachable"],
        ["silent", "unreachable"],
        ["hangs_up", "unreachable"]
      ]
      for (const [mood, reason] of expected) {
        provider.be("well")
        const code = yield* codeFrom(provider)
        provider.be(mood)
        const before = provider.exchanges()
        const failed = yield* Effect.flip(exchange(provider, { code }))
        assert.strictEqual(failed.reason, reason, mood)
        assert.strictEqual(provider.exchanges(), before + 1, mood)
        const told = JSON.stringify(failed) + String(failed)
        for (const secret of [code, VERIFIER, provider.clientSecret]) assert.notInclude(told, secret)
      }
    }).pipe(Effect.scoped)
  )

  it.live("goes to public addresses alone, unless the service runs where its user is", () =>
    Effect.gen(function* () {
      const provider = yield* consentProvider
      const code = yield* codeFrom(provider)
      assert.strictEqual((yield* Effect.flip(exchange(provider, { code }, false))).reason, "unreachable")
      assert.strictEqual(provider.exchanges(), 0)
    }).pipe(Effect.scoped)
  )
})
