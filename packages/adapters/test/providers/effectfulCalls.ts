import type { ProviderFailure } from "@outbound/domain/ports/providers/ProviderFailure.js"
import type { VendorScheduled } from "@outbound/domain/ports/providers/VendorScheduled.js"
import { vendorFaultsSuite } from "@outbound/testkit/contracts/providers/vendorFaults.js"
import type { Answer, Exchange } from "@outbound/testkit/vendors/Exchange.js"
import { makeReplayServer } from "@outbound/testkit/vendors/ReplayServer.js"
import { Effect, type Scope } from "effect"

/** A call that buys, sends, or changes something at a sending vendor. */
export interface Effectful {
  readonly exchanges: ReadonlyArray<Exchange>
  /** Which of them has the effect; the first unless said. */
  readonly faulty?: number
  readonly ask: (provider: VendorScheduled) => Effect.Effect<unknown, ProviderFailure>
}

let isDone = false

/** What is done after a look, and looked at again: the last exchange is what is seen once it was done. */
export const provenBy = (
  look: Exchange,
  act: Exchange,
  after: Answer,
  between: ReadonlyArray<Exchange> = []
): ReadonlyArray<Exchange> => [
  look,
  ...between,
  { ...act, request: { ...act.request, when: () => (isDone = true) } },
  { request: { ...look.request, when: () => isDone }, answer: after }
]

/** Asks anew, as if nothing had been done. */
const askAnew =
  ({ ask }: Effectful) =>
  (provider: VendorScheduled) =>
    Effect.suspend(() => {
      isDone = false
      return ask(provider)
    })

/** A fault at every byte of each of these calls, at a vendor that is reached at the server's address. */
export const everyByteOf = (
  vendor: string,
  adapterAt: (url: string) => Effect.Effect<{ readonly provider: VendorScheduled }, never, Scope.Scope>,
  calls: Readonly<Record<string, Effectful>>
): void => {
  const make = Effect.gen(function* () {
    const server = yield* makeReplayServer
    const { provider } = yield* adapterAt(server.url)
    return { source: provider, server }
  })
  for (const [says, call] of Object.entries(calls)) {
    vendorFaultsSuite(
      { name: `${vendor}, ${says}`, make },
      { says, request: null, exchanges: call.exchanges },
      { hasEffect: true, faulty: call.faulty ?? 0 },
      askAnew(call)
    )
  }
}
