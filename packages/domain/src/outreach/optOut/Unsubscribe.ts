import { Clock, Context, Effect, Layer, Option } from "effect"
import { type CampaignLead, CampaignStore } from "../campaigns/CampaignStore.js"
import { changes } from "../../kernel/machine.js"
import { LeadMachine } from "../campaigns/LeadMachine.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"

import { makeTell, ofLead } from "../../kernel/trail/TrailEvent.js"
import { leadOfLink, type UnsubscribeLink } from "../suppression/links.js"
import { suppress as makeSuppress } from "./Suppress.js"

/**
 * The unsubscribe link of every message (RFC 8058, CAN-SPAM). It works for anyone who has it, without a credential, at
 * any time, even while sending is suspended.
 */
export class Unsubscribe extends Context.Service<
  Unsubscribe,
  {
    /** Whether we made the link. */
    readonly isGenuine: (link: UnsubscribeLink) => boolean
    /**
     * Unsubscribes the person: suppresses them permanently, stops their sequence, and removes them from all other
     * campaigns. Idempotent. False: not our link, or its person is no longer known.
     */
    readonly unsubscribe: (link: UnsubscribeLink) => FromStore<boolean>
  }
>()("@outbound/domain/outreach/optOut/Unsubscribe") {}

export const layer = Layer.effect(
  Unsubscribe,
  Effect.gen(function* () {
    const campaigns = yield* CampaignStore
    const tell = yield* makeTell
    const crypto = yield* Crypto
    const { atomically } = yield* UnitOfWork
    const suppress = yield* makeSuppress

    const leadIn = (link: UnsubscribeLink): string | null => leadOfLink(crypto, link)

    const leave = (lead: CampaignLead, nowMillis: number) =>
      Effect.gen(function* () {
        const common = { ...ofLead(lead), source: "system" as const }
        if (changes(LeadMachine, lead.state, "unsubscribe")) yield* tell(nowMillis, { ...common, kind: "unsubscribe" })
        yield* suppress(
          { lead, common, sources: ["unsubscribe"], event: "unsubscribe", reason: "unsubscribe" },
          nowMillis
        )
      })

    return Unsubscribe.of({
      isGenuine: (link) => leadIn(link) !== null,
      unsubscribe: (link) =>
        Effect.gen(function* () {
          const campaignLeadId = leadIn(link)
          if (campaignLeadId === null) return false
          const nowMillis = yield* Clock.currentTimeMillis
          return yield* Effect.gen(function* () {
            const lead = yield* campaigns.lockPerson(link.workspaceId, campaignLeadId)
            if (Option.isNone(lead)) return false
            yield* leave(lead.value, nowMillis)
            return true
          }).pipe(atomically)
        })
    })
  })
)
