import { Array, Effect, Option } from "effect"
import type { CallScope } from "../../calls/Handler.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { type Candidates, faultDetail, INVALID_SHOWN_MAX } from "../campaigns/Importer.js"
import { CampaignStore } from "../campaigns/CampaignStore.js"
import { makeLeave } from "../campaigns/leave.js"
import { LeadMachine } from "../campaigns/LeadMachine.js"
import { type Fault, optOutIn } from "../campaigns/recipients/readRecipient.js"
import { VendorStore } from "../sending/vendor/VendorStore.js"

/** A lead whose row in a call says that they must not be mailed. */
export interface Stopped {
  readonly index: number
  readonly email: string
  readonly campaignId: string
  readonly campaignLeadId: string
  readonly fault: Fault
}

/** The answer's members about them. */
export const stoppedOf = (stopped: ReadonlyArray<Stopped>) =>
  stopped.length === 0
    ? {}
    : {
        leads_stopped: stopped.length,
        stopped: stopped
          .slice(0, INVALID_SHOWN_MAX)
          .map(({ campaignId, campaignLeadId, email, fault: { field, value }, index }) => ({
            index,
            email,
            field,
            value,
            campaign_id: campaignId,
            campaign_lead_id: campaignLeadId
          }))
      }

/** Those whose own row says no, and what says so, by the hash of their address. */
const saidIn = ({ invalid }: Candidates) =>
  new Map(
    invalid.flatMap(({ addressHash, faults, index }) =>
      Option.toArray(Option.map(optOutIn(faults), (fault) => [addressHash, { index, fault }] as const))
    )
  )

/**
 * Whom a call's rows say no of, and who are leads whose mail goes on, or may begin: in this campaign and in every other one that is
 * not over. It is no suppression, so another campaign may write to them once the row is mended. A bounce stops nobody: what came
 * of our own messages says more (contract: campaigns, recipients).
 */
export const makeStopRefusing = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const vendors = yield* VendorStore
  const leave = yield* makeLeave
  const { atomically } = yield* UnitOfWork

  /** Locks them, by their place in the call. */
  const find = (workspaceId: string, said: ReturnType<typeof saidIn>) =>
    Effect.gen(function* () {
      const covered = { addressHashes: [...said.keys()], domains: [] }
      const leads = yield* campaigns.lockLeadsCovered(workspaceId, covered, LeadMachine.in.open)
      return leads
        .flatMap((lead) => {
          const of = said.get(lead.addressHash)
          return of === undefined ? [] : [{ ...of, lead }]
        })
        .toSorted((a, b) => a.index - b.index)
    })

  const shown = ({ fault, index, lead }: Effect.Success<ReturnType<typeof find>>[number]): Stopped => {
    const { campaignId, campaignLeadId, email } = lead
    return { index, email, campaignId, campaignLeadId, fault }
  }

  return {
    would: ({ workspaceId }: CallScope, candidates: Candidates) => {
      const said = saidIn(candidates)
      if (said.size === 0) return Effect.succeed([])
      return Effect.map(atomically(find(workspaceId, said)), Array.map(shown))
    },

    /** Takes them out, in the caller's transaction. Campaigns at vendors are locked last: call `wake` at its end. */
    stop: (scope: CallScope, candidates: Candidates) =>
      Effect.gen(function* () {
        const { nowMillis, requestId, workspaceId } = scope
        const said = saidIn(candidates)
        if (said.size === 0) return []
        const found = yield* find(workspaceId, said)
        for (const ofField of Object.values(Array.groupBy(found, ({ fault }) => fault.field))) {
          const detail = { reason: "opted_out", ...faultDetail([ofField[0].fault]) }
          const leads = ofField.map(({ lead }) => lead)
          yield* leave(workspaceId, leads, { source: "api", requestId, detail }, nowMillis)
        }
        return found.map(shown)
      }),

    wake: ({ nowMillis, workspaceId }: CallScope, stopped: ReadonlyArray<Stopped>) =>
      stopped.length === 0 ? Effect.void : vendors.wakeAll(workspaceId, nowMillis)
  }
})
