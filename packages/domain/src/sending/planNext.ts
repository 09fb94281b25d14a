import type { Campaign } from "../campaigns/Campaign.js"
import type { SendingProvider } from "../ports/providers/SendingProvider.js"

/** After the last step a person's answer is waited for so long before their sequence counts as finished. */
export const ANSWER_WAIT_DAYS = 10

/** When the next step is due after `stepsSent` of them; after the last one, when the wait for an answer is over. */
export const nextDue = (
  campaign: Pick<Campaign, "sequence">,
  stepsSent: number,
  sentAtMillis: number,
  pace: SendingProvider["pace"]
): number => sentAtMillis + (campaign.sequence[stepsSent]?.waitDays ?? ANSWER_WAIT_DAYS) * pace.dayMillis
