import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { VendorPerson, VendorReply, VendorScheduled } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { vendorFaultsSuite } from "@outbound/testkit/contracts/providers/vendorFaults.js"
import type { Answer, Exchange } from "@outbound/testkit/vendors/Exchange.js"
import { makeReplayServer } from "@outbound/testkit/vendors/ReplayServer.js"
import { Effect, Redacted, Result, type Scope } from "effect"
import type { Vendor } from "../../src/providers/Vendor.js"

/** A vendor that sends, at a server's address. */
export const sendingAt =
  (vendor: Vendor, path: string, credential: string) =>
  (url: string, settings: Readonly<Record<string, unknown>> = {}) =>
    Effect.gen(function* () {
      const made = yield* Result.getOrThrow(vendor.decode(settings))({
        baseUrl: `${url}${path}`,
        credential: Redacted.make(credential),
        callsPerMinute: null,
        unitMicros: 0,
        declared: {}
      })
      return { ...made, provider: made.sources.sending as VendorScheduled }
    })

/** Somebody of whom nothing is known but an address. */
export const personAt = (name: string): VendorPerson => ({
  campaignLeadId: name,
  email: `${name}@people.test`,
  firstName: null,
  lastName: null,
  companyName: null,
  subjectValues: {},
  bodyValues: {}
})

/** An answer to them, in their thread. */
export const replyTo = (
  { campaignLeadId, email }: VendorPerson,
  there: Pick<VendorReply, "ref" | "person">
): VendorReply => ({
  workspaceId: "w",
  campaignId: "c",
  campaignLeadId,
  messageId: "ours@try-acme.test",
  from: { address: "m1@try-acme.test", name: "Jo" },
  to: email,
  subject: "Re: One",
  text: "Gladly",
  references: ["theirs@people.test"],
  ...there
})

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
