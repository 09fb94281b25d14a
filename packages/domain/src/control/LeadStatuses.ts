import { Clock, Context, Effect, Layer, Option } from "effect"
import { Ids } from "../kernel/ports/Ids.js"
import { type FromStore, UnitOfWork } from "../kernel/ports/UnitOfWork.js"
import type { InterestStatus } from "../kernel/sequences/Sequence.js"
import { CampaignStore } from "../outreach/campaigns/CampaignStore.js"
import { makeMarkLead } from "../outreach/interest/markLead.js"
import type { SignedIn } from "./users/UserStore.js"

/** A person says what became of a lead, as `set_lead_status` does. The surface checks the member's permission. */
export class LeadStatuses extends Context.Service<
  LeadStatuses,
  {
    /**
     * Returns the status before; null: there was none. None: there is no such lead. Null as the new status takes one back
     * that was the first.
     */
    readonly set: (
      by: SignedIn,
      campaignLeadId: string,
      status: InterestStatus | null
    ) => FromStore<Option.Option<{ readonly before: InterestStatus | null }>>
  }
>()("@outbound/domain/control/LeadStatuses") {}

export const layer = Layer.effect(
  LeadStatuses,
  Effect.gen(function* () {
    const campaigns = yield* CampaignStore
    const ids = yield* Ids
    const markLead = yield* makeMarkLead
    const { atomically } = yield* UnitOfWork
    return LeadStatuses.of({
      set: ({ session, user }, campaignLeadId, status) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          const found = yield* campaigns.lockPerson(session.workspaceId, campaignLeadId)
          if (Option.isNone(found)) return Option.none()
          const lead = found.value
          const by = { source: "console" as const, requestId: ids.next(nowMillis), by: user.email }
          yield* markLead(lead, status, by, nowMillis)
          return Option.some({ before: lead.interestStatus })
        }).pipe(atomically)
    })
  })
)
