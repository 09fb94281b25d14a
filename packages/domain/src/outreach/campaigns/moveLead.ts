import { Effect, Either, Option } from "effect"
import { step } from "../../kernel/machine.js"
import { makeTell, ofLead, type Told } from "../../kernel/trail/events.js"
import type { CampaignLead } from "./Campaign.js"
import { CampaignStore } from "./CampaignStore.js"
import { LeadMachine } from "./LeadMachine.js"

export type LeadEvent = (typeof LeadMachine.events)[number]

/** The lead after the event, none where it is refused. Nothing is due for a lead whose sequence has ended. */
export const leadAfter = (lead: CampaignLead, event: LeadEvent): Option.Option<CampaignLead> =>
  Option.map(Either.getRight(step(LeadMachine, lead.state, event)), (state) => ({
    ...lead,
    state,
    nextAtMillis: LeadMachine.is.ended(state) ? null : lead.nextAtMillis
  }))

export interface Move {
  /** What else changes where the event is allowed. */
  readonly and?: Partial<CampaignLead>
  /** What changes even where it is refused. */
  readonly always?: Partial<CampaignLead>
  /** What the trail is told where the lead's state changes. */
  readonly tell?: Pick<Told, "kind"> & Partial<Told> & { readonly nowMillis: number }
}

/**
 * Moves a locked lead: steps its machine, writes what changed and tells the trail, in the caller's transaction. The only
 * way to change the state of one lead. True: its state changed.
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
