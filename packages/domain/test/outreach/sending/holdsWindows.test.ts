import { assert, describe, it } from "@effect/vitest"
import { noProviders, Providers, type ProviderSet } from "@outbound/domain/sources/ports/Providers.js"
import type { OutboundScheduled } from "@outbound/domain/sources/ports/SendingProvider.js"
import { makeHoldsWindows } from "@outbound/domain/outreach/sending/SendingCalendar.js"
import { Effect } from "effect"

const selling = (windows: boolean): ProviderSet => ({
  ...noProviders,
  sending: { schedules: "outbound", name: "seller", pace: { dayMillis: 1_000, windows } } as OutboundScheduled
})

/** The sandbox's provider has days of its own and no hours; the live one keeps hours. */
const providers = { sandbox: selling(false), live: selling(true) }

const holds = Effect.map(
  makeHoldsWindows,
  (holdsWindows) =>
    (kind: "sandbox" | "live", ...mailboxes: ReadonlyArray<"own" | "purchased">) =>
      holdsWindows(
        kind,
        mailboxes.map((one) => ({ kind: one }))
      )
)

describe("a campaign's hours", () => {
  it.effect("hold as soon as one of its mailboxes is the workspace's own, whatever the others are", () =>
    Effect.gen(function* () {
      const isHeld = yield* holds
      for (const mailboxes of [["own"], ["own", "purchased"], ["purchased", "own"]] as const) {
        assert.isTrue(isHeld("sandbox", ...mailboxes), mailboxes.join())
      }
      assert.isFalse(isHeld("sandbox", "purchased", "purchased"))
    }).pipe(Effect.provideService(Providers, providers))
  )

  it.effect("hold wherever the provider of the workspace's own kind keeps hours", () =>
    Effect.gen(function* () {
      const isHeld = yield* holds
      assert.isTrue(isHeld("live", "purchased"))
      assert.isTrue(isHeld("live"))
      assert.isFalse(isHeld("sandbox"))
    }).pipe(Effect.provideService(Providers, providers))
  )

  it.effect("hold without a provider", () =>
    Effect.gen(function* () {
      assert.isTrue((yield* holds)("live", "purchased"))
    }).pipe(Effect.provideService(Providers, { ...providers, live: noProviders }))
  )
})
