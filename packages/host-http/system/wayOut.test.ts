import { it } from "@effect/vitest"
import { keyringOf } from "@outbound/adapters/platform/Keyring.js"
import { cryptoOf } from "@outbound/adapters/platform/NodeCrypto.js"
import { linkMac } from "@outbound/domain/outreach/suppression/links.js"
import { Effect, Redacted } from "effect"
import { wayOutStory } from "../test/support/wayOut.js"
import { operate, serve } from "./support/Host.js"
import { sharedPlace } from "./support/Place.js"
import { makeTenant } from "./support/Tenant.js"

it.live(
  "the way out of a service over PostgreSQL: opening a link changes nothing, and each button reaches the owner, once",
  () =>
    Effect.gen(function* () {
      const place = yield* sharedPlace
      const host = yield* serve(place)
      const { apiKey, ownerEmail, workspaceId } = yield* makeTenant(place, {
        credits: 10,
        scopes: ["data:read", "campaign:write"]
      })
      // The same keys as the service's own.
      const crypto = cryptoOf(keyringOf(Redacted.make(place.environment["OUTBOUND_SECRET"] ?? "")))
      const { url } = yield* operate(place, "sign-in-link", "--email", ownerEmail)
      const { pathname, search } = new URL(String(url))
      yield* Effect.promise(() =>
        wayOutStory({
          base: host.baseUrl,
          origin: host.publicUrl,
          workspaceId,
          apiKey,
          macOf: (lead) => linkMac(crypto, workspaceId, lead),
          signInPath: () => Promise.resolve(`${pathname}${search}`)
        })
      )
    }),
  120_000
)
