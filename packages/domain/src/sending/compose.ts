import { render, renderSubject } from "../campaigns/template.js"
import type { OutgoingMessage } from "../ports/providers/SendingProvider.js"
import type { ClaimedMessage } from "./SendingStore.js"

/** The RFC 5322 `Message-ID` of a message, without its angle brackets: stable, and recognisable as ours. */
export const rfcMessageId = (messageId: string, domain: string): string => `${messageId}@${domain}`

/** The message's id in ours, of a `Message-ID` that an answer names; null where it is none of ours. */
export const messageIdOf = (rfcId: string): string | null =>
  /^<?([0-9a-f-]{36})@[^<>@\s]+>?$/i.exec(rfcId.trim())?.[1]?.toLowerCase() ?? null

/** What every message ends with: who sends it, and the way out (CAN-SPAM). */
const footer = (postalAddress: string, unsubscribeUrl: string): string =>
  `\n\n--\n${postalAddress}\nUnsubscribe: ${unsubscribeUrl}\n`

/** The subject of the step, or of the thread that it continues. */
const subjectOf = (claimed: ClaimedMessage): string => {
  const { campaign, message, lead } = claimed
  for (let index = message.stepIndex; index >= 0; index -= 1) {
    const subject = campaign.sequence[index]?.subject
    if (subject != null) {
      const rendered = renderSubject(subject, lead)
      return index === message.stepIndex ? rendered : `Re: ${rendered}`
    }
  }
  return ""
}

/** Writes a claimed message. A step with a subject of its own begins a new thread. */
export const compose = (claimed: ClaimedMessage, unsubscribeUrl: string): OutgoingMessage => {
  const { campaign, lead, mailbox, message } = claimed
  const step = campaign.sequence[message.stepIndex]
  const name = [lead.firstName, lead.lastName].filter((part) => part !== null).join(" ")
  const continues = step?.subject == null
  return {
    workspaceId: message.workspaceId,
    campaignId: campaign.campaignId,
    campaignLeadId: lead.campaignLeadId,
    stepIndex: message.stepIndex,
    messageId: rfcMessageId(message.messageId, mailbox.domain),
    from: { address: mailbox.address, name: mailbox.displayName },
    to: { address: lead.email, name: name === "" ? null : name },
    subject: subjectOf(claimed),
    text: `${render(step?.body ?? "", lead)}${footer(claimed.postalAddress ?? "", unsubscribeUrl)}`,
    references: continues ? claimed.thread.map((id) => rfcMessageId(id, mailbox.domain)) : [],
    unsubscribeUrl
  }
}
