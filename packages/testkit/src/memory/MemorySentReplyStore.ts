import { SentReplyMachine } from "@outbound/domain/outreach/replies/SentReplyMachine.js"
import { type SentReply, SentReplyStore } from "@outbound/domain/outreach/replies/SentReplyStore.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

/** Whatever was sent, or may have been. */
export const standing = ({ sentReplies }: Tables, workspaceId: string): ReadonlyArray<SentReply> =>
  sentReplies.where("workspace", workspaceId).filter(({ state }) => !SentReplyMachine.is.unsent(state))

export const layer = memoryStore(SentReplyStore, "SentReplyStore", ({ read, write }) => {
  const find = (workspaceId: string, sentReplyId: string) =>
    read(({ sentReplies }) => sentReplies.find(keyOf(workspaceId, sentReplyId)))
  const answering = (workspaceId: string, replyId: string) =>
    read((tables) => Option.fromNullishOr(standing(tables, workspaceId).find((sent) => sent.replyId === replyId)))
  const ofDay = (workspaceId: string, mailboxId: string | null, dayStartMillis: number) =>
    read((tables) => {
      const today = standing(tables, workspaceId).filter(({ createdAtMillis }) => createdAtMillis >= dayStartMillis)
      return { workspace: today.length, mailbox: today.filter((sent) => sent.mailboxId === mailboxId).length }
    })
  return {
    answering,
    lockAnswering: answering,
    ofDay,
    lockDay: ofDay,
    insert: (sent) =>
      write((tables) => {
        if (standing(tables, sent.workspaceId).some(({ replyId }) => replyId === sent.replyId)) {
          throw new Error(`${sent.replyId} is being answered already`)
        }
        tables.sentReplies.insert(keyOf(sent.workspaceId, sent.sentReplyId), sent)
      }),
    get: find,
    ofRequest: (workspaceId, requestId) =>
      read(({ sentReplies }) =>
        Option.fromNullishOr(sentReplies.where("workspace", workspaceId).find((sent) => sent.requestId === requestId))
      ),
    lock: find,
    update: ({ askedAtMillis, lookUps, sentAtMillis, sentReplyId, state, workspaceId }) =>
      write(({ sentReplies }) =>
        sentReplies.update(keyOf(workspaceId, sentReplyId), (sent) => ({
          ...sent,
          state,
          askedAtMillis,
          sentAtMillis,
          lookUps
        }))
      ),
    ofLead: (workspaceId, campaignLeadId, limit) =>
      read((tables) =>
        standing(tables, workspaceId)
          .filter((sent) => sent.campaignLeadId === campaignLeadId)
          .sort(
            ascending(
              (sent) => sent.createdAtMillis,
              (sent) => sent.sentReplyId
            )
          )
          .slice(0, limit)
      )
  }
})
