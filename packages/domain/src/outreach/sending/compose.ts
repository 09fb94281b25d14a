import { oneLine, render, renderSubject } from "../../kernel/sequences/template.js"
import type { OutgoingMessage } from "../../sources/ports/SendingProvider.js"
import type { ClaimedMessage } from "./SendingStore.js"

/** The RFC 5322 `Message-ID` of a message, without its angle brackets: stable, and recognisable as ours. */
export const rfcMessageId = (messageId: string, domain: string): string => `${messageId}@${domain}`

/** The message's id in ours, of a `Message-ID` that an answer names; null where it is none of ours. */
export const messageIdOf = (rfcId: string): string | null =>
  /^<?([0-9a-f-]{36})@[^<>@\s]+>?$/i.exec(rfcId.trim())?.[1]?.toLowerCase() ?? null

/** What every message ends with: who sends it, and the way out (CAN-SPAM). */
export const footer = (postalAddress: string, unsubscribeUrl: string): string =>
  `\n\n--\n${postalAddress}\nUnsubscribe: ${unsubscribeUrl}\n`

/** The step that began the thread of this one: itself, where it has a subject of its own. */
const threadStart = ({ campaign, message }: ClaimedMessage): number => {
  const upTo = campaign.sequence.slice(0, message.stepIndex + 1)
  return Math.max(
    0,
    upTo.findLastIndex((step) => step.subject !== null)
  )
}

/** The subject of the step, or of the thread that it continues. */
const subjectOf = (claimed: ClaimedMessage, start: number): string => {
  const { campaign, message, lead } = claimed
  const rendered = renderSubject(campaign.sequence[start]?.subject ?? "", lead)
  return start === message.stepIndex ? rendered : `Re: ${rendered}`
}

/** Writes a claimed message. A step with a subject of its own begins a new thread. */
export const compose = (claimed: ClaimedMessage, unsubscribeUrl: string): OutgoingMessage => {
  const { campaign, lead, mailbox, message } = claimed
  const step = campaign.sequence[message.stepIndex]
  const name = oneLine([lead.firstName, lead.lastName].filter((part) => part !== null).join(" "))
  const start = threadStart(claimed)
  return {
    workspaceId: message.workspaceId,
    campaignId: campaign.campaignId,
    campaignLeadId: lead.campaignLeadId,
    stepIndex: message.stepIndex,
    messageId: rfcMessageId(message.messageId, mailbox.domain),
    from: { address: mailbox.address, name: oneLine(mailbox.displayName) },
    to: { address: lead.email, name: name === "" ? null : name },
    subject: subjectOf(claimed, start),
    text: `${render(step?.body ?? "", lead)}${footer(claimed.postalAddress ?? "", unsubscribeUrl)}`,
    // Every step before was sent once, so that the thread's messages stand in it by their step.
    references: claimed.thread.slice(start).map((id) => rfcMessageId(id, mailbox.domain)),
    unsubscribeUrl
  }
}
