import type { Recipient, SequenceStep } from "../../kernel/sequences/Sequence.js"
import { wordedBy } from "../../kernel/sequences/variants.js"
import { mergedPieces, type MergedPiece, oneLine, renderSubject } from "../../kernel/sequences/template.js"
import { FOOTER_WORDS } from "../../kernel/words/languages.js"
import type { FooterWords } from "../../kernel/words/notice.js"
import { replySubject } from "../../kernel/sequences/replySubject.js"
import type { MailMark } from "../mail/mailMark.js"
import type { OutgoingMessage } from "../../sources/ports/SendingProvider.js"
import type { ClaimedMessage } from "./SendingStore.js"

/** A message's RFC 5322 `Message-ID` without angle brackets: stable, and recognisable as ours. */
export const rfcMessageId = (messageId: string, domain: string): string => `${messageId}@${domain}`

/** Our message id in a `Message-ID`; null: not ours. */
export const messageIdOf = (rfcId: string): string | null =>
  /^<?([0-9a-f-]{36})@[^<>@\s]+>?$/i.exec(rfcId.trim())?.[1]?.toLowerCase() ?? null

/** What the footer says of why they are written to: the words of their country, or a link to them. */
export const noticeText = ({ language, notice }: FooterWords, unsubscribeUrl: string): string =>
  notice === null ? "" : notice === "link" ? `${FOOTER_WORDS[language].why}: ${unsubscribeUrl}/why\n` : `\n${notice}\n`

/** What the footer of every message begins with, up to the word for the way out. */
export const footerStart = (postalAddress: string): string => `\n\n--\n${postalAddress}\n`

/** The footer of every message: the sender and the unsubscribe link (CAN-SPAM), in the recipient's language, and their notice. */
export const footer = (postalAddress: string, unsubscribeUrl: string, words: FooterWords): string =>
  `${footerStart(postalAddress)}${FOOTER_WORDS[words.language].unsubscribe}: ${unsubscribeUrl}\n${noticeText(words, unsubscribeUrl)}`

/** The step that began this step's thread: itself, if it has its own subject. */
const threadStart = (sequence: ReadonlyArray<SequenceStep>, stepIndex: number): number =>
  Math.max(
    0,
    sequence.slice(0, stepIndex + 1).findLastIndex((step) => step.subject !== null)
  )

/** The subject of the step, or of the thread it continues. */
const subjectOf = (sequence: ReadonlyArray<SequenceStep>, stepIndex: number, recipient: Recipient): string => {
  const start = threadStart(sequence, stepIndex)
  const rendered = renderSubject(sequence[start]?.subject ?? "", recipient)
  return start === stepIndex ? rendered : replySubject(rendered)
}

/** The recipient's name in `To`; null: the address stands alone. */
export const recipientName = ({ firstName, lastName }: Recipient): string | null =>
  oneLine([firstName, lastName].join(" ")) || null

/** A step's message to a recipient: everything in it that is theirs. Its text is the body's pieces and the footer. */
export interface MergedMessage {
  readonly toName: string | null
  readonly subject: string
  readonly body: ReadonlyArray<MergedPiece>
}

/** The message as it will leave. What an approval page shows and what is sent are both made here. */
export const mergedMessage = (
  sequence: ReadonlyArray<SequenceStep>,
  stepIndex: number,
  recipient: Recipient
): MergedMessage => ({
  toName: recipientName(recipient),
  subject: subjectOf(sequence, stepIndex, recipient),
  body: mergedPieces(sequence[stepIndex]?.body ?? "", recipient)
})

/** Composes a claimed message. A step with its own subject begins a new thread. */
export const compose = (
  claimed: ClaimedMessage,
  words: FooterWords,
  unsubscribeUrl: string,
  mark: MailMark
): OutgoingMessage => {
  const { campaign, lead, mailbox, message, thread } = claimed
  const sequence = wordedBy(campaign.sequence, [...thread.map(({ variant }) => variant), message.variant])
  const { body, subject, toName } = mergedMessage(sequence, message.stepIndex, lead)
  const text = body.map((piece) => piece.text).join("")
  return {
    workspaceId: message.workspaceId,
    campaignId: campaign.campaignId,
    campaignLeadId: lead.campaignLeadId,
    stepIndex: message.stepIndex,
    messageId: rfcMessageId(message.messageId, mailbox.domain),
    from: { address: mailbox.address, name: oneLine(mailbox.displayName) },
    to: { address: lead.email, name: toName },
    subject,
    text: `${text}${footer(claimed.postalAddress ?? "", unsubscribeUrl, words)}`,
    // Each earlier step was sent exactly once, so `thread` is indexed by step.
    references: thread
      .slice(threadStart(sequence, message.stepIndex))
      .map(({ messageId }) => rfcMessageId(messageId, mailbox.domain)),
    unsubscribeUrl,
    mark
  }
}
