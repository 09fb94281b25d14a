import type { Campaign, CampaignLead } from "../../outreach/campaigns/CampaignStore.js"
import type { Reply } from "../../outreach/replies/ReplyStore.js"
import type { SentReply } from "../../outreach/replies/SentReplyStore.js"

/** Longest text shown of a message in a conversation, in characters. */
export const CONVERSATION_TEXT_CHARS = 4_000

/** Most replies of one conversation; the newest are kept. */
export const CONVERSATION_ANSWERS_MAX = 30

/** A message of ours. Its text is rendered from the campaign and the lead. */
export interface SentLine {
  readonly stepIndex: number
  readonly sentAtMillis: number
  readonly fromAddress: string
}

/** A prospect's message. Third-party text. */
export interface AnswerLine extends Pick<
  Reply,
  "replyId" | "fromEmail" | "subject" | "classification" | "receivedAtMillis"
> {
  /** At most `CONVERSATION_TEXT_CHARS`. */
  readonly text: string
  readonly isCut: boolean
}

/** Our reply in a thread, written by an agent or a person, and approved by a person. */
export interface OurAnswerLine extends Pick<SentReply, "sentReplyId" | "replyId" | "fromEmail" | "subject" | "state"> {
  /** At most `CONVERSATION_TEXT_CHARS`. */
  readonly text: string
  readonly isCut: boolean
  /** When it was sent; before that, when it was decided. */
  readonly atMillis: number
}

/** All messages between a campaign and one lead. */
export interface Conversation {
  readonly campaign: Campaign
  readonly lead: CampaignLead
  /** In the order of their steps. */
  readonly sent: ReadonlyArray<SentLine>
  /** Oldest first. */
  readonly answers: ReadonlyArray<AnswerLine>
  /** Oldest first. */
  readonly ours: ReadonlyArray<OurAnswerLine>
}
