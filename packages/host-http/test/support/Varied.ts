import type { WinnerRule } from "@outbound/domain/outreach/campaigns/winnerRule.js"
import { Memory } from "@outbound/testkit/memory/Memory.js"
import { keyOf } from "@outbound/testkit/memory/Table.js"
import { Effect } from "effect"
import { Desk } from "./Desk.js"
import { furnished } from "./Visitor.js"

/** The running campaign, whose first message was sent to 40 people: of those who got the second variant, all replied. */
export const varied = Effect.gen(function* () {
  const { ours } = yield* Desk
  const { campaignId } = yield* furnished
  const memory = yield* Memory
  const key = keyOf(ours.workspaceId, campaignId)
  yield* memory.atomically(
    memory.write(({ campaigns, leads, messages }) => {
      campaigns.update(key, (campaign) => ({
        ...campaign,
        sequence: campaign.sequence.map((step, index) =>
          index === 0 ? { ...step, otherVariants: [{ subject: "B for <b>{{first_name}}</b>", body: "Body B" }] } : step
        )
      }))
      const sent = messages.filter((message) => message.campaignId === campaignId)
      for (const [index, message] of sent.entries()) {
        messages.update(keyOf(ours.workspaceId, message.messageId), (one) => ({ ...one, variant: index % 2 }))
        leads.update(keyOf(ours.workspaceId, message.campaignLeadId), (lead) => ({
          ...lead,
          state: index % 2 === 1 ? "replied" : "active",
          stepsSent: 1
        }))
      }
    })
  )
  const campaign = memory.read(({ campaigns }) => campaigns.get(key))
  const chosen = Effect.map(campaign, (one) => one?.chosenVariants ?? null)
  const rule = Effect.map(campaign, (one) => one?.winnerRule ?? null)
  /** A rule, and what it or a person chose for the first message. */
  const put = (winnerRule: WinnerRule, variant: number | null) =>
    memory.atomically(
      memory.write(({ campaigns }) =>
        campaigns.update(key, (one) => ({
          ...one,
          winnerRule,
          chosenVariants: variant === null ? null : [variant, null]
        }))
      )
    )
  return { ours, path: `/console/campaigns/${campaignId}`, chosen, rule, put }
})
