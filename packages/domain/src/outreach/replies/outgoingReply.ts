import { replySubject } from "../../kernel/sequences/replySubject.js"
import { oneLine } from "../../kernel/sequences/template.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import type { OutgoingReply } from "../../sources/ports/SendingProvider.js"
import { rfcMessageId } from "../sending/compose.js"
import type { Mailbox } from "../sending/SendingStore.js"
import { cut } from "../../kernel/text/cut.js"
import type { Reply } from "./ReplyStore.js"
import type { SentReply } from "./SentReplyStore.js"

/** Longest subject that a reply takes over. */
export const SUBJECT_CHARS_MAX = 500

/** What a reply takes from the inbound message. The caller chooses none of it. */
export interface ReplyDraft {
  /** Normalised. */
  readonly toEmail: string
  readonly fromEmail: string
  readonly subject: string
  readonly references: ReadonlyArray<string>
}

const subjectOf = (subject: string): string => replySubject(cut(oneLine(subject), SUBJECT_CHARS_MAX))

/**
 * How to reply to an inbound message. Null: impossible, because it is a bounce report, its sender is unusable or
 * erased, or the receiving mailbox is unknown.
 */
export const replyDraftTo = (reply: Reply): ReplyDraft | null => {
  const toEmail = usableEmail(reply.fromEmail)
  const fromEmail = reply.toEmail === null ? null : usableEmail(reply.toEmail)
  if (toEmail === null || fromEmail === null || reply.classification === "bounce") return null
  return {
    toEmail,
    fromEmail,
    subject: subjectOf(reply.subject),
    references: [reply.inReplyTo, reply.messageId].filter((id) => id !== null)
  }
}

/** The reply as its mailbox sends it. */
export const composeReply = (sent: SentReply, mailbox: Mailbox): OutgoingReply => ({
  workspaceId: sent.workspaceId,
  campaignId: sent.campaignId,
  campaignLeadId: sent.campaignLeadId,
  messageId: rfcMessageId(sent.sentReplyId, mailbox.domain),
  from: { address: mailbox.address, name: oneLine(mailbox.displayName) },
  to: sent.toEmail,
  subject: sent.subject,
  text: sent.bodyText,
  references: sent.references
})
