import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { VendorEvent, VendorScheduled } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { Clock, Effect, Option, Schema } from "effect"
import { textOfHtml } from "../sending/html.js"
import type { VendorHttp } from "../VendorHttp.js"
import { Answering, isOn, listAt, Member, Statistic } from "./shapes.js"
import { type Threaded, threadOf, type Threads } from "./threads.js"

const Statistics = listAt(Statistic, "data", "stats")
type Statistic = typeof Statistic.Type
const Members = listAt(Member, "data", "leads")
const Answers = listAt(Answering, "data", "messages", "paginated_replies")

/** Rows carry whole messages, which bounds the page. */
const SENT_PAGE = 500
/** The vendor may shorten its pages. Only one shorter than this is the last. */
const SHORTEST_PAGE = 100
/** Finding a message's sender takes two calls. */
const LOOKED_UP_MAX = 5
const ANSWERS_PAGE = 20
const MEMBERS_PAGE = 100

/** Entries may appear out of order: this much is read again. */
const OVERLAP_MILLIS = 10 * 60_000

/** How far each list was read, recently sent messages, and the number of reads. */
const Cursor = Schema.fromJsonString(
  Schema.Struct({
    offset: Schema.Number,
    since: Schema.NullOr(Schema.Number),
    newest: Schema.NullOr(Schema.Number),
    seen: Schema.Record(Schema.String, Schema.Number),
    answersAt: Schema.Number,
    answeredSince: Schema.NullOr(Schema.Number),
    answeredNewest: Schema.NullOr(Schema.Number),
    deep: Schema.Number,
    turn: Schema.Number,
    bouncedAt: Schema.Number,
    membersAt: Schema.Number
  })
)
type Cursor = typeof Cursor.Type
const readCursor = Schema.decodeUnknownOption(Cursor)
const writeCursor = Schema.encodeSync(Cursor)
const BEGINNING: Cursor = {
  offset: 0,
  since: null,
  newest: null,
  seen: {},
  answersAt: 0,
  answeredSince: null,
  answeredNewest: null,
  deep: ANSWERS_PAGE,
  turn: 0,
  bouncedAt: 0,
  membersAt: 0
}

const NOBODY = { from: null, to: null }

interface Read {
  readonly events: ReadonlyArray<VendorEvent>
  readonly cursor: Cursor
  readonly hasMore: boolean
}

const later = (one: number | null, other: number): number => (one === null ? other : Math.max(one, other))

const millisOf = (time: string | null): number => Date.parse(time ?? "")

const bounced = (row: Statistic, atMillis: number): ReadonlyArray<VendorEvent> =>
  row.is_bounced !== null && isOn(row.is_bounced)
    ? [{ kind: "bounced", eventId: `bounced:${row.stats_id}`, person: { ref: null, email: row.lead_email }, atMillis }]
    : []

/** A person's outcome. Paused people may resume. */
const fateOf = ({ lead, status }: typeof Member.Type, atMillis: number): ReadonlyArray<VendorEvent> => {
  const person = { ref: lead.id, email: lead.email }
  if (lead.is_unsubscribed !== null && isOn(lead.is_unsubscribed)) {
    return [{ kind: "unsubscribed", eventId: `unsubscribed:${lead.id}`, person, atMillis }]
  }
  const isOver = status === "COMPLETED" || status === "STOPPED" || status === "BLOCKED"
  return isOver ? [{ kind: "finished", eventId: `finished:${lead.id}`, person, atMillis }] : []
}

const repliesIn = (thread: ReadonlyArray<Threaded>, row: Answering): ReadonlyArray<VendorEvent> => {
  const mailbox = thread.findLast(({ from, isReply }) => !isReply && from !== "")?.from ?? ""
  return thread.flatMap((one): ReadonlyArray<VendorEvent> => {
    if (!one.isReply) return []
    const email = row.lead_email ?? one.from
    return [
      {
        kind: "reply",
        eventId: `reply:${one.messageId ?? one.statsId ?? row.email_lead_id ?? email}:${one.atMillis}`,
        person: { ref: row.email_lead_id, email },
        atMillis: one.atMillis,
        messageId: one.messageId,
        fromEmail: one.from === "" ? email : one.from,
        mailbox: one.to === "" ? mailbox : one.to,
        subject: one.subject,
        text: textOfHtml(one.body).trim(),
        html: one.body,
        // The vendor shows automatic replies only as a person's category: our own classifier decides.
        isAutomatic: false
      }
    ]
  })
}

export const makeEvents = (http: VendorHttp, threads: Threads): VendorScheduled["events"] => {
  const at = (ref: string, action: string) => `/campaigns/${encodeURIComponent(ref)}${action}`

  const statistics = (ref: string, query: Readonly<Record<string, string | number | null>>) =>
    http.get(Statistics, at(ref, "/statistics"), { limit: SENT_PAGE, ...query })

  /** The mailbox that sent a message, known only from the person's thread; empty if that doesn't tell. */
  const senderOf = (ref: string, row: Statistic) =>
    Effect.gen(function* () {
      const id = yield* threads.idIn(ref, row.lead_email)
      if (id === null) return ""
      const thread = yield* threads.of(ref, id)
      const sent = thread.filter(({ isReply }) => !isReply)
      return (sent.find(({ statsId }) => statsId === row.stats_id) ?? sent.at(-1))?.from ?? ""
    })

  const sentEvent = (ref: string, row: Statistic, atMillis: number): Effect.Effect<VendorEvent, ProviderFailure> =>
    Effect.map(senderOf(ref, row), (mailbox) => ({
      kind: "sent",
      eventId: row.stats_id,
      person: { ref: null, email: row.lead_email },
      atMillis,
      stepIndex: row.sequence_number === null || row.sequence_number < 1 ? null : row.sequence_number - 1,
      mailbox
    }))

  /** Reads some of the unknown sent messages. The vendor may ignore the start time, so we skip older rows. */
  const readSent = (ref: string, cursor: Cursor, nowMillis: number) =>
    Effect.gen(function* () {
      const { newest: before, offset, since } = cursor
      const time = since === null ? null : new Date(since).toISOString()
      const rows = yield* statistics(ref, { offset, sent_time_start_date: time })
      const events: Array<VendorEvent> = []
      const seen = new Map(Object.entries(cursor.seen))
      let newest = before
      let read = 0
      let lookedUp = 0
      for (const row of rows) {
        const sentAt = millisOf(row.sent_time)
        const isNew = !Number.isNaN(sentAt) && (since === null || sentAt >= since) && !seen.has(row.stats_id)
        if (isNew && lookedUp >= LOOKED_UP_MAX) break
        read += 1
        if (isNew) {
          lookedUp += 1
          events.push(yield* sentEvent(ref, row, sentAt))
          seen.set(row.stats_id, sentAt)
          newest = later(newest, sentAt)
        }
        events.push(...bounced(row, nowMillis))
      }
      const from = newest === null ? null : newest - OVERLAP_MILLIS
      const known = Object.fromEntries([...seen].filter(([, sentAt]) => from === null || sentAt >= from))
      const hasMore = read < rows.length || rows.length >= SHORTEST_PAGE
      return {
        events,
        cursor: {
          ...cursor,
          newest,
          seen: known,
          ...(hasMore ? { offset: offset + read } : { offset: 0, since: from })
        },
        hasMore
      } satisfies Read
    })

  const answersFrom = (ref: string, offset: number) =>
    Effect.map(
      http.read(Answers, {
        method: "POST",
        path: "/master-inbox/inbox-replies",
        query: { fetch_message_history: "true" },
        body: {
          offset,
          limit: ANSWERS_PAGE,
          filters: { emailStatus: "Replied", campaignId: [Number(ref)] },
          sortBy: "REPLY_TIME_DESC"
        }
      }),
      (rows) => ({
        rows,
        isFull: rows.length >= ANSWERS_PAGE,
        // An ignored filter must not match others.
        ours: rows.filter(({ email_campaign_id }) => email_campaign_id === ref)
      })
    )

  const threadIn = (row: Answering) => (row.email_history === null ? null : threadOf(row.email_history, NOBODY))

  /** Reads new replies, latest first, and cycles through a page of older ones in case one was missed. */
  const readAnswers = (ref: string, cursor: Cursor) =>
    Effect.gen(function* () {
      const { answeredSince: since } = cursor
      const { isFull, ours, rows } = yield* answersFrom(ref, cursor.answersAt)
      const isFresh = ({ last_reply_time: time }: Answering) => since === null || !(millisOf(time) < since)
      const fresh = ours.filter(isFresh)
      const events: Array<VendorEvent> = []
      let newest = cursor.answeredNewest
      for (const row of fresh) {
        const { email_lead_id: id } = row
        const replies = repliesIn(threadIn(row) ?? (id === null ? [] : yield* threads.of(ref, id)), row)
        events.push(...replies)
        for (const { atMillis } of replies) newest = later(newest, atMillis)
      }
      if (isFull && rows.every(isFresh)) {
        const answersAt = cursor.answersAt + ANSWERS_PAGE
        return { events, cursor: { ...cursor, answersAt, answeredNewest: newest }, hasMore: true } satisfies Read
      }
      const older = isFull || cursor.answersAt > 0 ? yield* answersFrom(ref, cursor.deep) : null
      for (const row of older?.ours ?? []) events.push(...repliesIn(threadIn(row) ?? [], row))
      return {
        events,
        cursor: {
          ...cursor,
          answersAt: 0,
          answeredNewest: newest,
          answeredSince: newest === null ? null : newest - OVERLAP_MILLIS,
          deep: older?.isFull === true ? cursor.deep + ANSWERS_PAGE : ANSWERS_PAGE
        },
        hasMore: false
      } satisfies Read
    })

  /** Reads people's outcomes, page by page: bounces and all people in turn. */
  const readFates = (ref: string, cursor: Cursor, nowMillis: number) =>
    Effect.gen(function* () {
      const turn = cursor.turn + 1
      if (cursor.turn % 2 === 0) {
        const rows = yield* statistics(ref, { offset: cursor.bouncedAt, email_status: "bounced" })
        const bouncedAt = rows.length >= SHORTEST_PAGE ? cursor.bouncedAt + rows.length : 0
        return { events: rows.flatMap((row) => bounced(row, nowMillis)), cursor: { ...cursor, turn, bouncedAt } }
      }
      const query = { offset: cursor.membersAt, limit: MEMBERS_PAGE }
      const rows = yield* http.get(Members, at(ref, "/leads"), query)
      const membersAt = rows.length >= MEMBERS_PAGE ? cursor.membersAt + rows.length : 0
      return { events: rows.flatMap((row) => fateOf(row, nowMillis)), cursor: { ...cursor, turn, membersAt } }
    })

  return (ref, text) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const from = Option.getOrElse(text === null ? Option.none() : readCursor(text), () => BEGINNING)
      // Finishes partly read replies first.
      const sent: Read =
        from.answersAt > 0 ? { events: [], cursor: from, hasMore: false } : yield* readSent(ref, from, nowMillis)
      if (sent.hasMore) return { ...sent, cursor: writeCursor(sent.cursor) }
      const answers = yield* readAnswers(ref, sent.cursor)
      const events = [...sent.events, ...answers.events]
      if (answers.hasMore) return { events, cursor: writeCursor(answers.cursor), hasMore: true }
      const fates = yield* readFates(ref, answers.cursor, nowMillis)
      return { events: [...events, ...fates.events], cursor: writeCursor(fates.cursor), hasMore: false }
    })
}
