import { Effect, Option } from "effect"
import { ProviderFailure } from "../../sources/ports/ProviderFailure.js"
import { Providers } from "../../sources/ports/Providers.js"
import type { InterestMark, OutboundScheduled, OutgoingReply } from "../../sources/ports/SendingProvider.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"
import { askProvider } from "./askProvider.js"
import { makeOwnSender } from "./OwnSender.js"
import type { Sender } from "./Sender.js"
import type { Mailbox } from "./SendingStore.js"
import { makeVendorOf } from "./vendor/asVendor.js"
import { VendorStore } from "./vendor/VendorStore.js"

/** Timeout of a sending provider, for a reply and for its outcome. */
const SEND_SECONDS = 30
const LOOK_UP_SECONDS = 30

const purchased = (provider: OutboundScheduled): Sender => ({
  name: provider.name,
  setInterest: provider.setInterest,
  reply: (reply) =>
    Effect.as(
      askProvider(provider.name, { seconds: SEND_SECONDS, otherwise: "unknown_outcome" }, () => provider.reply(reply)),
      "sent" as const
    ),
  findSent: (reply) =>
    askProvider(provider.name, { seconds: LOOK_UP_SECONDS, otherwise: "transient" }, () => provider.findSent(reply))
})

/** The sender of a mailbox in a vendor's campaign. */
const makeVendorSender = Effect.gen(function* () {
  const vendors = yield* VendorStore
  const vendorOf = yield* makeVendorOf

  /** The vendor's names of the campaign and the person. */
  const atVendor = (name: string, of: Pick<OutgoingReply, "workspaceId" | "campaignId" | "campaignLeadId">) =>
    Effect.gen(function* () {
      const failed = (reason: "invalid" | "transient", cause: unknown) =>
        Effect.fail(new ProviderFailure({ provider: name, reason, cause }))
      const found = yield* Effect.all([
        vendors.get(of.workspaceId, of.campaignId),
        vendors.leadAt(of.workspaceId, of.campaignLeadId)
      ]).pipe(Effect.catchTag("StoreUnavailable", (cause) => failed("transient", cause)))
      const [campaign, at] = found
      if (Option.isNone(campaign) || Option.isNone(at)) return yield* failed("invalid", "it is at no vendor")
      const { ref } = campaign.value
      if (ref === null) return yield* failed("transient", "it is not there yet")
      const asked = yield* vendorOf(campaign.value).pipe(
        Effect.catchTag("StoreUnavailable", (cause) => failed("transient", cause))
      )
      return { ...asked, ref, person: { ref: at.value.vendorLead.ref, email: at.value.lead.email } }
    })

  return (name: string): Sender => ({
    name,
    setInterest: (mark: InterestMark) =>
      Effect.flatMap(atVendor(name, mark), ({ ask, ref }) => ask((vendor) => vendor.setInterest({ ...mark, ref }))),
    reply: (reply, lastCheck) =>
      Effect.gen(function* () {
        const { ask, person, ref } = yield* atVendor(name, reply)
        // Looking the person up took time, so check again.
        const clear = yield* Effect.catchAll(lastCheck, (cause) =>
          Effect.fail(new ProviderFailure({ provider: name, reason: "transient", cause }))
        )
        if (!clear) return "withdrawn" as const
        yield* ask((vendor) => vendor.reply({ ...reply, ref, person }))
        return "sent" as const
      }),
    findSent: (reply, askedAtMillis) =>
      Effect.gen(function* () {
        const { ask, person, ref } = yield* atVendor(name, reply)
        return yield* ask((vendor) => vendor.findSent({ ...reply, ref, person }, askedAtMillis))
      })
  })
})

/** Chooses the sender of a mailbox; this is the only place that does. Null: none is available now. */
export const makeSenderOf = Effect.gen(function* () {
  const providers = yield* Providers
  const ownSender = yield* makeOwnSender
  const vendorSender = yield* makeVendorSender
  return (workspaceKind: WorkspaceKind, mailbox: Mailbox): FromStore<Sender | null> => {
    if (mailbox.kind === "own") return ownSender(mailbox)
    const { sending } = providers[workspaceKind]
    if (sending === null) return Effect.succeed(null)
    return Effect.succeed(sending.schedules === "outbound" ? purchased(sending) : vendorSender(sending.name))
  }
})
