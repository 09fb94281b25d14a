import { BOUNCE_REASONS } from "@outbound/domain/outreach/mail/bounceReasons.js"
import type { InboundEvent } from "@outbound/domain/outreach/mail/Inbound.js"
import {
  AUTOMATIC,
  CLASSIFICATIONS,
  HTML_READ_CHARS_MAX,
  READ_CHARS_MAX
} from "@outbound/domain/outreach/meaning/Classification.js"
import {
  REFERRAL_STATES,
  REPLIES_SEARCHED_MAX,
  ReplyStore,
  SET_ASIDE_MILLIS
} from "@outbound/domain/outreach/replies/ReplyStore.js"
import { Effect, Option, Result, Schema, Struct } from "effect"
import { LeadRow } from "./CampaignRows.js"
import {
  changes,
  column,
  date,
  dateOrNull,
  firstRow,
  hasRows,
  literals,
  mapOf,
  Millis,
  rows,
  run,
  storable
} from "./Columns.js"
import type { Statement } from "./Sql.js"
import { columnsOf, storeLayer, texts, textsOrNull, timesOrNull, valuesOf } from "./Table.js"

const Classification = Schema.NullOr(Schema.Literals(CLASSIFICATIONS))

const ReplyRow = Schema.Struct({
  ...texts("workspaceId", "replyId", "campaignId", "campaignLeadId"),
  threadId: Schema.NullOr(Schema.String),
  fromEmail: Schema.String,
  toEmail: Schema.NullOr(Schema.String),
  ...texts("subject", "snippet", "bodyText"),
  bodyHtml: Schema.NullOr(Schema.String),
  bodyTruncated: Schema.Boolean,
  classification: Classification,
  ...textsOrNull("messageId", "inReplyTo"),
  receivedAtMillis: Millis
})

const HandlingRow = Schema.Struct({
  replyId: Schema.String,
  ...timesOrNull("readAtMillis", "handledAtMillis"),
  ownerUserId: Schema.NullOr(Schema.String),
  referral: Schema.NullOr(Schema.Literals(REFERRAL_STATES))
})

const { addressHash, email, state, interestStatus, providerSyncStatus } = LeadRow.fields

const ReplyWithLeadRow = Schema.Struct({
  ...ReplyRow.fields,
  addressHash,
  leadEmail: email,
  leadState: state,
  interestStatus,
  providerSyncStatus
})

const toReplyWithLead = ({
  addressHash,
  leadEmail,
  leadState,
  interestStatus,
  providerSyncStatus,
  ...reply
}: typeof ReplyWithLeadRow.Type) => ({
  reply,
  lead: {
    campaignLeadId: reply.campaignLeadId,
    addressHash,
    email: leadEmail,
    state: leadState,
    interestStatus,
    providerSyncStatus
  }
})

/** The content of an inbox event, as `PgInbound` writes it. */
const InboundContent = Schema.Struct({
  kind: Schema.Literals(["reply", "bounce", "complaint", "unsubscribe"]),
  source: Schema.Literals(["provider_webhook", "provider_poll"]),
  inReplyTo: Schema.String,
  messageId: Schema.NullOr(Schema.String).pipe(Schema.withDecodingDefault(Effect.succeed(null))),
  fromEmail: Schema.String,
  toEmail: Schema.NullOr(Schema.String),
  ...texts("subject", "bodyText"),
  bodyHtml: Schema.NullOr(Schema.String),
  classification: Classification,
  bounce: Schema.NullOr(
    Schema.Struct({
      type: Schema.Literals(["hard", "soft"]),
      status: Schema.String,
      reason: Schema.optionalKey(Schema.Literals(BOUNCE_REASONS)),
      says: Schema.optionalKey(Schema.String),
      ends: Schema.optionalKey(Schema.Literal(true))
    })
  ),
  byAddressAlone: Schema.optionalKey(Schema.Literal(true)),
  writerDenied: Schema.optionalKey(Schema.Literal(true)),
  named: Schema.optionalKey(Schema.Struct({ idHash: Schema.String, isOfCopy: Schema.Boolean })),
  writtenAt: Schema.optionalKey(Schema.String)
})

/** A raw row: another release may have written content that this one can't read. */
export const RawInboxRow = Schema.Struct({
  ...texts("workspaceId", "provider", "providerEventId"),
  receivedAtMillis: Millis,
  content: Schema.Unknown
})

const decodeContent = Schema.decodeUnknownResult(InboundContent)

/** None: this program can't read the content. */
export const readInboxRow = ({ content, ...event }: typeof RawInboxRow.Type): Option.Option<InboundEvent> =>
  Option.map(Result.getSuccess(decodeContent(content)), (known) => ({ ...event, ...known }))

/** For callers that delete the event unread: it may have been a reply, even an opt-out. */
export const unreadable = ({ content: _content, ...event }: typeof RawInboxRow.Type): InboundEvent => ({
  ...event,
  kind: "reply",
  source: "provider_poll",
  inReplyTo: "",
  messageId: null,
  fromEmail: "",
  toEmail: null,
  subject: "",
  bodyText: "",
  bodyHtml: null,
  classification: null,
  bounce: null
})

/** Most unreadable rows that one look sets aside. */
const SET_ASIDE_MAX = 20

const storableOrNull = (text: string | null): string | null => (text === null ? null : storable(text))

export const layer = storeLayer(ReplyStore, (sql) => {
  const head = sql.literal(columnsOf(ReplyRow.mapFields(Struct.omit(["bodyText", "bodyHtml"])), "r"))

  const lockWaiting = (nowMillis: number, limit: number) =>
    sql`
      SELECT ${sql.literal(columnsOf(RawInboxRow, "i"))} FROM inbound_events i
      WHERE i.content IS NOT NULL AND i.received_at <= ${date(nowMillis)}
        AND (i.set_aside_at IS NULL OR i.set_aside_at <= ${date(nowMillis - SET_ASIDE_MILLIS)})
      ORDER BY i.received_at, i.provider_event_id
      LIMIT ${limit}
      FOR NO KEY UPDATE SKIP LOCKED
    `.pipe(rows("replies.lockInbox", RawInboxRow))

  /** Keeps the row and what it forbids. */
  const setAside = ({ provider, providerEventId, workspaceId }: typeof RawInboxRow.Type, nowMillis: number) =>
    sql`
      UPDATE inbound_events i SET set_aside_at = ${date(nowMillis)}
      WHERE i.workspace_id = ${workspaceId} AND i.provider = ${provider} AND i.provider_event_id = ${providerEventId}
    `.pipe(
      run("replies.lockInbox"),
      Effect.andThen(
        Effect.annotateLogs(Effect.logError("what came in can't be read: it is set aside"), {
          workspace_id: workspaceId,
          provider,
          provider_event_id: providerEventId
        })
      )
    )

  const byPrograms = sql.literal(`(r.classification IN (${literals(AUTOMATIC)}))`)

  return {
    insert: (reply) =>
      sql`
        INSERT INTO replies ${sql.insert(
          valuesOf(ReplyRow, reply, {
            fromEmail: storable(reply.fromEmail),
            toEmail: storableOrNull(reply.toEmail),
            subject: storable(reply.subject),
            snippet: storable(reply.snippet),
            bodyText: storable(reply.bodyText),
            bodyHtml: storableOrNull(reply.bodyHtml)
          })
        )}
      `.pipe(run("replies.insert")),

    page: (filter) => {
      const conditions: Array<Statement.Fragment> = [sql`r.workspace_id = ${filter.workspaceId}`]
      if (filter.campaignId !== null) conditions.push(sql`r.campaign_id = ${filter.campaignId}`)
      if (filter.classification === "people") conditions.push(sql`${byPrograms} IS NOT TRUE`)
      else if (filter.classification !== null) conditions.push(sql`r.classification = ${filter.classification}`)
      if (filter.sinceMillis !== null) conditions.push(sql`r.received_at >= ${date(filter.sinceMillis)}`)
      if (filter.after !== null) {
        const { receivedAtMillis, replyId } = filter.after
        conditions.push(sql`(r.received_at, r.reply_id) < (${date(receivedAtMillis)}, ${replyId}::uuid)`)
      }
      if (filter.isOpen === true) conditions.push(sql`r.handled_at IS NULL`)
      if (filter.referral === "open") conditions.push(sql`r.referral = 'open'`)
      else if (filter.referral === "any") conditions.push(sql`r.referral IS NOT NULL`)
      if (filter.ownerUserId !== undefined) conditions.push(sql`r.owner_user_id = ${filter.ownerUserId}`)
      const part = filter.text === undefined ? null : `%${filter.text.replaceAll(/[\\%_]/g, "\\$&")}%`
      const from =
        part === null
          ? sql`replies r WHERE ${sql.and(conditions)}`
          : sql`(
              SELECT r.* FROM replies r WHERE ${sql.and(conditions)}
              ORDER BY r.received_at DESC, r.reply_id DESC LIMIT ${REPLIES_SEARCHED_MAX}
            ) AS r
            WHERE r.from_email ILIKE ${part} OR r.subject ILIKE ${part} OR r.snippet ILIKE ${part}`
      return sql`
        SELECT ${head}, left(r.body_text, ${READ_CHARS_MAX}) AS "bodyText", left(r.body_html, ${HTML_READ_CHARS_MAX}) AS "bodyHtml" FROM ${from}
        ORDER BY r.received_at DESC, r.reply_id DESC
        LIMIT ${filter.limit}
      `.pipe(rows("replies.page", ReplyRow))
    },

    get: (workspaceId, replyId) =>
      sql`
        SELECT ${sql.literal(columnsOf(ReplyRow, "r"))}, l.address_hash AS "addressHash",
          l.email AS "leadEmail", l.state AS "leadState",
          l.interest_status AS "interestStatus", l.provider_sync_status AS "providerSyncStatus"
        FROM replies r
        JOIN campaign_leads l ON l.workspace_id = r.workspace_id AND l.campaign_lead_id = r.campaign_lead_id
        WHERE r.workspace_id = ${workspaceId} AND r.reply_id = ${replyId}
      `.pipe(firstRow("replies.get", ReplyWithLeadRow, toReplyWithLead)),

    handling: (workspaceId, replyIds) =>
      sql`
        SELECT ${sql.literal(columnsOf(HandlingRow, "r"))} FROM replies r
        WHERE r.workspace_id = ${workspaceId} AND r.reply_id = ANY(${replyIds}::uuid[])
      `.pipe(mapOf("replies.handling", HandlingRow, ({ replyId, ...handling }) => [replyId, handling])),

    handle: (workspaceId, replyId, { handledAtMillis, ownerUserId, readAtMillis, referral }) => {
      const set = [
        ...(readAtMillis === undefined ? [] : [sql`read_at = coalesce(read_at, ${dateOrNull(readAtMillis)})`]),
        ...(handledAtMillis === undefined ? [] : [sql`handled_at = ${dateOrNull(handledAtMillis)}`]),
        ...(ownerUserId === undefined ? [] : [sql`owner_user_id = ${ownerUserId}`]),
        ...(referral === undefined ? [] : [sql`referral = ${referral}`])
      ]
      return sql`
        UPDATE replies r SET ${sql.csv(set)}
        WHERE r.workspace_id = ${workspaceId} AND r.reply_id = ${replyId}
        RETURNING r.reply_id AS "replyId"
      `.pipe(hasRows("replies.handle"))
    },

    lockInbox: (nowMillis, limit) =>
      Effect.gen(function* () {
        let unread = 0
        while (true) {
          const found = yield* lockWaiting(nowMillis, limit)
          const events = found.flatMap((row) => Option.toArray(readInboxRow(row)))
          const bad = found.filter((row) => Option.isNone(readInboxRow(row)))
          yield* Effect.forEach(bad, (row) => setAside(row, nowMillis), { discard: true })
          unread += bad.length
          if (events.length > 0 || bad.length === 0 || unread >= SET_ASIDE_MAX) return events
        }
      }),

    takeFromInbox: (event) =>
      sql`
        UPDATE inbound_events i SET content = NULL, from_email = NULL, answers = NULL, set_aside_at = NULL
        WHERE i.workspace_id = ${event.workspaceId} AND i.provider = ${event.provider}
          AND i.provider_event_id = ${event.providerEventId} AND i.content IS NOT NULL
        RETURNING i.provider_event_id
      `.pipe(changes("replies.takeFromInbox")),

    keepKeys: ({ provider, receivedAtMillis, workspaceId }, keys) =>
      keys.length === 0
        ? Effect.succeed(true)
        : sql`
            INSERT INTO inbound_events (workspace_id, provider, provider_event_id, received_at)
            SELECT ${workspaceId}::uuid, ${provider}::text, k.key, ${date(receivedAtMillis)}
            FROM unnest(${keys}::text[]) AS k (key) ORDER BY k.key
            ON CONFLICT (workspace_id, provider, provider_event_id) DO NOTHING
            RETURNING provider_event_id AS key
          `.pipe(
            column("replies.keepKeys", Schema.String),
            Effect.map((kept) => kept.length === keys.length)
          )
  }
})
