import { AUTOMATIC, HTML_READ_CHARS_MAX, READ_CHARS_MAX } from "@outbound/domain/outreach/meaning/Classification.js"
import {
  type Handling,
  NOT_HANDLED,
  REPLIES_SEARCHED_MAX,
  type Reply,
  type ReplyFilter,
  ReplyStore
} from "@outbound/domain/outreach/replies/ReplyStore.js"
import type { InboundEvent } from "@outbound/domain/outreach/mail/Inbound.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending, descending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

export const inboxKey = ({ provider, providerEventId, workspaceId }: InboundEvent): string =>
  keyOf(workspaceId, provider, providerEventId)

/** Only by what it is known stays. */
export const takeOut = ({ inbox }: Tables, event: InboundEvent): void =>
  inbox.update(inboxKey(event), (row) => ({
    event: {
      ...row.event,
      fromEmail: "",
      toEmail: null,
      inReplyTo: "",
      messageId: null,
      subject: "",
      bodyText: "",
      bodyHtml: null
    },
    taken: true
  }))

const newestFirst = descending(
  (reply: Reply) => reply.receivedAtMillis,
  (reply: Reply) => reply.replyId
)

const isAmong = (wanted: ReplyFilter["classification"], { classification }: Reply): boolean => {
  if (wanted === "people") return classification === null || !AUTOMATIC.includes(classification)
  return wanted === null || classification === wanted
}

const isWanted = (
  of: Handling,
  wanted: {
    readonly referral?: ReplyFilter["referral"] | undefined
    readonly isOpen?: true | undefined
    readonly ownerUserId?: string | undefined
  }
) =>
  (wanted.referral === undefined || (wanted.referral === "open" ? of.referral === "open" : of.referral !== null)) &&
  (wanted.isOpen === undefined || of.handledAtMillis === null) &&
  (wanted.ownerUserId === undefined || of.ownerUserId === wanted.ownerUserId)

const says = ({ fromEmail, snippet, subject }: Reply, text: string): boolean =>
  [fromEmail, subject, snippet].some((one) => one.toLowerCase().includes(text.toLowerCase()))

export const layer = memoryStore(ReplyStore, "ReplyStore", ({ read, write }) => ({
  insert: (reply) => write(({ replies }) => replies.insert(keyOf(reply.workspaceId, reply.replyId), reply)),
  handling: (workspaceId, replyIds) =>
    read(
      ({ handling, replies }) =>
        new Map(
          replyIds
            .filter((replyId) => replies.get(keyOf(workspaceId, replyId)) !== undefined)
            .map((replyId) => [replyId, handling.get(keyOf(workspaceId, replyId)) ?? NOT_HANDLED])
        )
    ),
  handle: (workspaceId, replyId, change) =>
    write(({ handling, replies }) => {
      const key = keyOf(workspaceId, replyId)
      if (replies.get(key) === undefined) return false
      const was = handling.get(key) ?? NOT_HANDLED
      handling.set(key, { ...was, ...change, readAtMillis: was.readAtMillis ?? change.readAtMillis ?? null })
      return true
    }),
  page: ({ after, campaignId, classification, isOpen, limit, ownerUserId, referral, sinceMillis, text, workspaceId }) =>
    read(({ handling, replies }) =>
      replies
        .where("workspace", workspaceId)
        .filter(
          (reply) =>
            (sinceMillis === null || reply.receivedAtMillis >= sinceMillis) &&
            (campaignId === null || reply.campaignId === campaignId) &&
            isAmong(classification, reply) &&
            isWanted(handling.get(keyOf(workspaceId, reply.replyId)) ?? NOT_HANDLED, {
              isOpen,
              ownerUserId,
              referral
            }) &&
            (after === null || newestFirst({ ...reply, ...after }, reply) < 0)
        )
        .sort(newestFirst)
        .slice(0, text === undefined ? limit : REPLIES_SEARCHED_MAX)
        .filter((reply) => text === undefined || says(reply, text))
        .slice(0, limit)
        .map((reply) => ({
          ...reply,
          bodyText: reply.bodyText.slice(0, READ_CHARS_MAX),
          bodyHtml: reply.bodyHtml?.slice(0, HTML_READ_CHARS_MAX) ?? null
        }))
    ),
  get: (workspaceId, replyId) =>
    read(({ leads, replies }) => {
      const reply = replies.get(keyOf(workspaceId, replyId))
      const lead = reply && leads.get(keyOf(workspaceId, reply.campaignLeadId))
      if (reply === undefined || lead === undefined) return Option.none()
      const { addressHash, campaignLeadId, email, interestStatus, providerSyncStatus, state } = lead
      return Option.some({
        reply,
        lead: { campaignLeadId, addressHash, email, state, interestStatus, providerSyncStatus }
      })
    }),
  lockInbox: (nowMillis, limit) =>
    read(({ inbox }) =>
      inbox
        .filter(({ event, taken }) => !taken && event.receivedAtMillis <= nowMillis)
        .map(({ event }) => event)
        .sort(ascending((event) => event.receivedAtMillis, inboxKey))
        .slice(0, limit)
    ),
  takeFromInbox: (event) =>
    write((tables) => {
      if (tables.inbox.get(inboxKey(event))?.taken === true) throw new Error("it was taken from the inbox before")
      takeOut(tables, event)
    }),
  keepKeys: (event, keys) =>
    write((tables) => {
      const fresh = keys.filter((key) => !tables.inbox.has(inboxKey({ ...event, providerEventId: key })))
      for (const key of fresh) {
        const of = { ...event, providerEventId: key }
        tables.inbox.insert(inboxKey(of), { event: of, taken: false })
        takeOut(tables, of)
      }
      return fresh.length === keys.length
    })
}))
