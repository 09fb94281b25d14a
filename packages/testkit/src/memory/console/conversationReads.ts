import { type ConsoleReads, REPLIES_COUNTED_MAX } from "@outbound/domain/control/console/ConsoleReads.js"
import {
  type AnswerLine,
  CONVERSATION_ANSWERS_MAX,
  CONVERSATION_TEXT_CHARS,
  type OurAnswerLine
} from "@outbound/domain/control/console/Conversation.js"
import type { Classification } from "@outbound/domain/outreach/meaning/Classification.js"
import type { Reply } from "@outbound/domain/outreach/replies/ReplyStore.js"
import type { SentReply } from "@outbound/domain/outreach/replies/SentReplyStore.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { Option } from "effect"
import type { Memory } from "../Memory.js"
import { ascending, descending, keyOf } from "../Table.js"

const cutText = (text: string): string => [...text].slice(0, CONVERSATION_TEXT_CHARS).join("")

const ourAnswerOf = (answer: SentReply): OurAnswerLine => ({
  sentReplyId: answer.sentReplyId,
  replyId: answer.replyId,
  fromEmail: answer.fromEmail,
  subject: answer.subject,
  text: cutText(answer.bodyText),
  isCut: [...answer.bodyText].length > CONVERSATION_TEXT_CHARS,
  state: answer.state,
  atMillis: answer.sentAtMillis ?? answer.createdAtMillis
})

const answerOf = (reply: Reply): AnswerLine => ({
  replyId: reply.replyId,
  fromEmail: reply.fromEmail,
  subject: reply.subject,
  text: cutText(reply.bodyText),
  isCut: reply.bodyTruncated || [...reply.bodyText].length > CONVERSATION_TEXT_CHARS,
  classification: reply.classification,
  receivedAtMillis: reply.receivedAtMillis
})

/** What the page of an answer shows. */
export const conversationReads = ({
  read
}: Memory["Service"]): Pick<ConsoleReads["Service"], "conversation" | "repliesByClass"> => ({
  repliesByClass: (workspaceId, campaignId) =>
    read((tables) => {
      const counts = new Map<Classification | null, number>()
      const newest = tables.replies
        .where("workspace", workspaceId)
        .filter((reply) => campaignId === null || reply.campaignId === campaignId)
        .sort(descending(({ receivedAtMillis }) => receivedAtMillis))
        .slice(0, REPLIES_COUNTED_MAX)
      for (const { classification } of newest) counts.set(classification, (counts.get(classification) ?? 0) + 1)
      return [...counts].map(([classification, count]) => ({ classification, count }))
    }),
  conversation: (workspaceId, campaignLeadId) =>
    read((tables) => {
      const lead = tables.leads.get(keyOf(workspaceId, campaignLeadId))
      const campaign = lead && tables.campaigns.get(keyOf(workspaceId, lead.campaignId))
      if (lead === undefined || campaign === undefined) return Option.none()
      const sent = tables.messages
        .where("lead", keyOf(workspaceId, campaignLeadId))
        .filter(({ state }) => MessageMachine.is.left(state))
        .sort(ascending(({ stepIndex }) => stepIndex))
        .map(({ mailboxId, sentAtMillis, stepIndex }) => ({
          stepIndex,
          sentAtMillis: sentAtMillis ?? 0,
          fromAddress: tables.mailboxes.get(keyOf(workspaceId, mailboxId))?.address ?? ""
        }))
      const answers = tables.replies
        .where("workspace", workspaceId)
        .filter((reply) => reply.campaignLeadId === campaignLeadId)
        .sort(
          descending(
            ({ receivedAtMillis }) => receivedAtMillis,
            ({ replyId }) => replyId
          )
        )
        .slice(0, CONVERSATION_ANSWERS_MAX)
        .reverse()
      const ours = tables.sentReplies
        .where("workspace", workspaceId)
        .filter((answer) => answer.campaignLeadId === campaignLeadId)
        .sort(
          ascending(
            ({ createdAtMillis }) => createdAtMillis,
            ({ sentReplyId }) => sentReplyId
          )
        )
        .slice(0, 2 * CONVERSATION_ANSWERS_MAX)
      return Option.some({ campaign, lead, sent, answers: answers.map(answerOf), ours: ours.map(ourAnswerOf) })
    })
})
