import type { LiveVendor } from "../../src/providers/config/makeLive.js"
import { asksOf, outcomeOf } from "../../src/providers/recordVendor.js"
import { type Cassette, VERIFIED } from "../../src/providers/recording/Recording.js"
import { VENDORS } from "../../src/providers/vendors.js"
import { makeReplayServer } from "@outbound/testkit/vendors/ReplayServer.js"
import { Effect, Redacted, Result } from "effect"

/** A vendor with its usual settings, at this address. */
export const vendorAt = (name: string, baseUrl: string, credential: string) =>
  Effect.gen(function* () {
    const facts = VENDORS.find((vendor) => vendor.name === name)
    if (facts === undefined) return yield* Effect.die(new Error(`no vendor is called ${name}`))
    const config = {
      baseUrl,
      credential: Redacted.make(credential),
      callsPerMinute: null,
      unitMicros: facts.unitMicros,
      declared: {}
    }
    const make = Result.getOrThrow(facts.decode({}))
    return { config, facts, settings: {}, make: () => make(config), made: yield* make(config) } satisfies LiveVendor
  })

/** Plays a cassette to the adapter. Returns what the adapter made of it, and what it had made when it was recorded. */
export const replayed = ({ asked, vendor }: Cassette) =>
  Effect.gen(function* () {
    const server = yield* makeReplayServer
    const { made } = yield* vendorAt(vendor, server.url, "a-key-of-no-account")
    const isVerified = asked.some(({ ask }) => ask === "verify_email")
    for (const { exchanges } of asked) {
      for (const { answer, request } of exchanges) {
        const { body, headers, status } = answer
        server.on({
          request: { method: request.method, path: request.path },
          answer: body === "" ? { status, headers, text: "" } : { status, headers, json: body }
        })
      }
    }
    return yield* Effect.forEach(asksOf(made, isVerified ? VERIFIED : null), ([ask, effect]) =>
      Effect.map(outcomeOf(effect), (now) => ({ ask, now, recorded: asked.find((one) => one.ask === ask)?.outcome }))
    )
  })
