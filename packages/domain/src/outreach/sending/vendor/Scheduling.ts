import { Effect, Option } from "effect"
import type { Campaign } from "../../campaigns/CampaignStore.js"
import { type CompanyRules, shownRules } from "../../campaigns/companyRules.js"
import { type AnyWireError, invalid, refuse } from "../../../kernel/errors/Wire.js"
import { shownHours } from "../../campaigns/recipientHours.js"
import type { Schedule, SequenceStep } from "../../../kernel/sequences/Sequence.js"
import { Providers } from "../../../sources/ports/Providers.js"
import type { VendorScheduled } from "../../../sources/ports/VendorScheduled.js"
import { ownKeyError } from "../../../sources/refusals.js"
import { CurrentSourceAccess } from "../../../sources/SourceAccess.js"
import type { WorkspaceKind } from "../../../kernel/workspaces/WorkspaceStore.js"
import { type Mailbox, SendingStore } from "../SendingStore.js"
import { inKnownZone } from "./knownZone.js"
import { VendorCampaignMachine } from "./VendorCampaignMachine.js"
import { type VendorAccount, VendorStore } from "./VendorStore.js"

/** Why a vendor can't keep a schedule; null: it can. */
export const zoneObstacle = (
  vendor: VendorScheduled,
  schedule: Campaign["schedule"],
  nowMillis: number
): AnyWireError | null =>
  inKnownZone(schedule, vendor.timezones, nowMillis) === null
    ? invalid([
        {
          path: "schedule.timezone",
          message: `can't be used by this workspace's sending provider in ${schedule.timezone}; choose other hours or another time zone`
        }
      ])
    : null

/** Why no vendor can keep the rules: it alone decides when its messages leave. Null: there are none. */
export const ruleObstacle = (
  rules: CompanyRules,
  schedule: Schedule,
  sequence: ReadonlyArray<SequenceStep>
): AnyWireError | null => {
  const named = [
    ...Object.keys(shownRules(rules)),
    ...Object.keys(shownHours(schedule)).map((one) => `schedule.${one}`),
    ...sequence.flatMap(({ otherVariants }, index) =>
      otherVariants === undefined ? [] : [`sequence.${index}.variants`]
    )
  ]
  return named.length === 0
    ? null
    : invalid(
        named.map((path) => ({
          path,
          message: "can't be kept by this workspace's sending provider, which schedules its messages itself"
        }))
      )
}

/** The mailboxes that a campaign sends from: its vendor's, or those that outbound sends from itself. */
export const mailboxesFor = (
  mailboxes: ReadonlyArray<Mailbox>,
  at: { readonly isAtVendor: boolean; readonly hasVendor: boolean }
): ReadonlyArray<Mailbox> => {
  if (at.isAtVendor) return mailboxes.filter(({ kind }) => kind === "purchased")
  return at.hasVendor ? mailboxes.filter(({ kind }) => kind === "own") : mailboxes
}

/** The vendor that will run a campaign, and the credential's owner. */
export interface Scheduler {
  readonly vendor: VendorScheduled
  readonly account: VendorAccount
}

/** Who schedules a campaign: decided at its creation, and final. */
export const makeScheduling = Effect.gen(function* () {
  const vendors = yield* VendorStore
  const sendings = yield* SendingStore
  const providers = yield* Providers

  const vendorOfKind = (kind: WorkspaceKind): VendorScheduled | null => {
    const { sending } = providers[kind]
    return sending?.schedules === "vendor" ? sending : null
  }

  return {
    vendorOfKind,

    /**
     * The vendor that will run a new campaign; null: outbound schedules it. A workspace that has own mailboxes and none
     * of the vendor's uses its own.
     */
    vendorFor: (workspaceId: string, kind: WorkspaceKind) =>
      Effect.gen(function* () {
        const vendor = vendorOfKind(kind)
        if (vendor === null) return null
        const active = yield* sendings.activeMailboxes(workspaceId)
        if (active.length > 0 && active.every(({ kind }) => kind === "own")) return null
        const own = yield* Effect.flatMap(CurrentSourceAccess, (reach) => reach.ownKey(vendor.name)).pipe(
          Effect.mapError((failure) => ownKeyError([failure]) ?? refuse("internal", {}))
        )
        const account: VendorAccount = Option.isSome(own) ? "own" : "service"
        return { vendor, account } satisfies Scheduler
      }),

    /** Assigns a new campaign to its vendor, in the transaction that creates it. */
    open: (
      campaign: Campaign,
      { account, vendor }: Scheduler,
      campaignLeadIds: ReadonlyArray<string>,
      nowMillis: number
    ) =>
      Effect.gen(function* () {
        const { campaignId, workspaceId } = campaign
        yield* vendors.insert({
          workspaceId,
          campaignId,
          vendor: vendor.name,
          account,
          state: VendorCampaignMachine.initial,
          ref: null,
          terms: null,
          askedUntilMillis: null,
          owesPause: false,
          cursor: null,
          readAtMillis: null,
          failures: 0,
          turn: 0
        })
        if (campaignLeadIds.length > 0) yield* vendors.addLeads(campaign, campaignLeadIds, nowMillis)
      })
  }
})
