import { oneLine, render, renderSubject } from "../../kernel/sequences/template.js"
import type { OutgoingMessage } from "../../sources/ports/SendingProvider.js"
import type { ClaimedMessage } from "./SendingStore.js"

/** A message's RFC 5322 `Message-ID` without angle brackets: stable, and recognisable as ours. */
export const rfcMessageId = (messageId: string, domain: string): string => `${messageId}@${domain}`

/** Our message id in a `Message-ID`; null: not ours. */
export const messageIdOf = (rfcId: string): string | null =>
  /^<?([0-9a-f-]{36})@[^<>@\s]+>?$/i.exec(rfcId.trim())?.[1]?.toLowerCase() ?? null

/** The footer of every message: the sender and the unsubscribe link (CAN-SPAM). */
export const footer = (postalAddress: string, unsubscribeUrl: string): string =>
  `\n\n--\n${postalAddress}\nUnsubscribe: ${unsubscribeUrl}\n`

/** The step that began this step's thread: itself, if it has its own subject. */
const threadStart = ({ campaign, message }: ClaimedMessage): number => {
  const upTo = campaign.sequence.slice(0, message.stepIndex + 1)
  return Math.max(
    0,
    upTo.findLastIndex((step) => step.subject !== null)
  )
}

/** The subject of the step, or of the thread it continues. */
const subjectOf = (claimed: ClaimedMessage, start: number): string => {
  const { campaign, message, lead } = claimed
  const rendered = renderSubject(campaign.sequence[start]?.subject ?? "", lead)
  return start === message.stepIndex ? rendered : `Re: ${rendered}`
}

/** Composes a claimed message. A step with its own subject begins a new thread. */
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
    // Each earlier step was sent exactly once, so `thread` is indexed by step.
    references: claimed.thread.slice(start).map((id) => rfcMessageId(id, mailbox.domain)),
    unsubscribeUrl
  }
}
