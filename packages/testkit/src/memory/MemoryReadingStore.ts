import { ReadingStore } from "@outbound/domain/outreach/replies/ReadingStore.js"
import { AUTOMATIC } from "@outbound/domain/outreach/meaning/Classification.js"
import { LEARNED_MAX } from "@outbound/domain/outreach/replies/learnedIds.js"
import { SentReplyMachine } from "@outbound/domain/outreach/replies/SentReplyMachine.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending, descending, keyOf } from "./Table.js"

export const layer = memoryStore(ReadingStore, "ReadingStore", ({ read, write }) => ({
  ours: (workspaceId, messageIds) =>
    read(({ messages, sentReplies }) =>
      messageIds.filter((id) => {
        const key = keyOf(workspaceId, id)
        const state = messages.get(key)?.state
        if (state !== undefined) return !MessageMachine.is.unsent(state)
        const answer = sentReplies.get(key)?.state
        return answer !== undefined && !SentReplyMachine.is.unsent(answer)
      })
    ),
  newestTo: ({ addressHash, mailboxId, sinceMillis, untilMillis, workspaceId }) =>
    read(({ leads, messages }) => {
      const [newest] = messages
        .where("workspace", workspaceId)
        .filter(
          (message) =>
            !MessageMachine.is.unsent(message.state) &&
            message.claimedAtMillis >= sinceMillis &&
            message.claimedAtMillis <= untilMillis &&
            leads.get(keyOf(workspaceId, message.campaignLeadId))?.addressHash === addressHash
        )
        .sort(
          descending(
            (message) => Number(message.mailboxId === mailboxId),
            (message) => message.claimedAtMillis,
            (message) => message.messageId
          )
        )
      return Option.map(Option.fromNullishOr(newest), ({ messageId }) => messageId)
    }),
  newestOfLead: (workspaceId, campaignLeadId, untilMillis) =>
    read(({ messages }) => {
      const [newest] = messages
        .where("workspace", workspaceId)
        .filter(
          (message) =>
            message.campaignLeadId === campaignLeadId &&
            !MessageMachine.is.unsent(message.state) &&
            message.claimedAtMillis <= untilMillis
        )
        .sort(descending((message) => message.stepIndex))
      return Option.map(Option.fromNullishOr(newest), ({ messageId }) => messageId)
    }),
  sides: (workspaceId, messageId, address) =>
    read(({ leads, mailboxes, messages, replies, sentReplies }) => {
      const key = keyOf(workspaceId, messageId)
      const leadId = messages.get(key)?.campaignLeadId ?? sentReplies.get(key)?.campaignLeadId
      const lead = leadId === undefined ? undefined : leads.get(keyOf(workspaceId, leadId))
      return Option.map(Option.fromNullishOr(lead), ({ campaignLeadId, email, firstName, lastName }) => ({
        isMailbox: mailboxes.filter((one) => one.workspaceId === workspaceId && one.address === address).length > 0,
        leadEmail: email,
        leadNames: [firstName, lastName].flatMap((name) => name ?? []),
        hasAnswered: replies
          .where("workspace", workspaceId)
          .some(
            (reply) => reply.campaignLeadId === campaignLeadId && !AUTOMATIC.some((one) => one === reply.classification)
          )
      }))
    }),
  leftUnder: (workspaceId, idHashes) =>
    read(
      ({ learnedIds }) =>
        new Map(
          idHashes.flatMap((idHash) => {
            const known = learnedIds.get(keyOf(workspaceId, idHash))
            return known === undefined ? [] : [[idHash, known.messageId] as const]
          })
        )
    ),
  learn: (workspaceId, idHash, messageId) =>
    write(({ learnedIds }) => {
      const key = keyOf(workspaceId, idHash)
      const ofMessage = learnedIds.filter((one) => one.workspaceId === workspaceId && one.messageId === messageId)
      if (!learnedIds.has(key) && ofMessage.length < LEARNED_MAX) learnedIds.insert(key, { workspaceId, messageId })
    }),
  unclassified: (sinceMillis, limit) =>
    read(({ replies, workspaces }) =>
      replies
        .filter(
          ({ classification, receivedAtMillis, workspaceId }) =>
            classification === null && receivedAtMillis >= sinceMillis && workspaces.get(workspaceId)?.kind === "live"
        )
        .sort(
          ascending(
            (reply) => reply.receivedAtMillis,
            (reply) => reply.replyId
          )
        )
        .slice(0, limit)
        .map(({ replyId, workspaceId }) => ({ workspaceId, replyId }))
    ),
  openReply: ({ replyId, workspaceId }) =>
    read(({ replies }) =>
      Option.filter(replies.find(keyOf(workspaceId, replyId)), ({ classification }) => classification === null)
    ),
  classify: (workspaceId, replyId, classification) =>
    write(({ replies }) => {
      const reply = replies.get(keyOf(workspaceId, replyId))
      if (reply === undefined || reply.classification !== null) return false
      replies.update(keyOf(workspaceId, replyId), (row) => ({ ...row, classification }))
      return true
    })
}))
