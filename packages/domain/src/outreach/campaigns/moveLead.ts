import { Effect, Option, Result } from "effect"
import { step } from "../../kernel/machine.js"
import { makeTell, ofLead, type Told } from "../../kernel/trail/TrailEvent.js"
import { type CampaignLead, CampaignStore } from "./CampaignStore.js"
import { LeadMachine } from "./LeadMachine.js"

export type LeadEvent = (typeof LeadMachine.events)[number]

/** The lead after the event; none: refused. A lead whose sequence has ended has nothing due. */
export const leadAfter = (lead: CampaignLead, event: LeadEvent): Option.Option<CampaignLead> =>
  Option.map(Result.getSuccess(step(LeadMachine, lead.state, event)), (state) => ({
    ...lead,
    state,
    nextAtMillis: LeadMachine.is.ended(state) ? null : lead.nextAtMillis
  }))

export interface Move {
  /** Further changes if the event is allowed. */
  readonly and?: Partial<CampaignLead>
  /** Changes made even if the event is refused. */
  readonly always?: Partial<CampaignLead>
  /** The trail event to write if the lead's state changes. */
  readonly tell?: Pick<Told, "kind"> & Partial<Told> & { readonly nowMillis: number }
}

/**
 * Moves a locked lead in the caller's transaction: steps its machine, writes the changes and the trail. This is the
 * only way to change the state of one lead. True: its state changed.
 */
export const makeMoveLead = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const tell = yield* makeTell
  return (lead: CampaignLead, event: LeadEvent, { always, and, tell: told }: Move = {}) =>
    Effect.gen(function* () {
      const after = leadAfter(lead, event)
      const now = { ...Option.getOrElse(after, () => lead), ...always, ...(Option.isSome(after) ? and : {}) }
      const isMoved = now.state !== lead.state
      if (isMoved || always !== undefined || and !== undefined) yield* campaigns.updateLead(now)
      if (isMoved && told !== undefined) {
        const { nowMillis, ...more } = told
        yield* tell(nowMillis, { source: "system", ...ofLead(lead), ...more })
      }
      return isMoved
    })
})
