/** What own mailboxes sent in the last days, and what became of it: the facts of the ramp (`ramp.ts`). */
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { dayStart } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { dayOf, declaredOf, type SenderUse, type Use, USE_DAYS } from "@outbound/domain/outreach/sending/ramp.js"
import { receiverLeft } from "@outbound/domain/outreach/sending/planner.js"
import type { MailboxRef, OwnCandidateOptions, ReceiverRoom } from "@outbound/domain/outreach/sending/SendingStore.js"
import { byDay, UseBook } from "@outbound/domain/outreach/sending/UseBook.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Schema } from "effect"
import { date, rows } from "./Columns.js"
import type { SqlClient } from "./Sql.js"
import { booleans, columnsOf, integers, texts, timesOrNull } from "./Table.js"

const DAY_FIELDS = integers("day", "taken", "delivered", "refused", "bounced", "complained")

const DeclaredFields = {
  declaredSends: Schema.NullOr(Schema.Int),
  ...timesOrNull("declaredSinceMillis", "declaredAtMillis")
}

const UsedMailboxRow = Schema.Struct({ ...texts("mailboxId", "domain"), ...DeclaredFields })
const UseRow = Schema.Struct({ ...texts("mailboxId"), receiver: Schema.NullOr(Schema.String), ...DAY_FIELDS })
const SenderUseRow = Schema.Struct({
  days: Schema.Array(Schema.Struct({ ...booleans("isMailbox", "isThere"), ...DAY_FIELDS })),
  refused: Schema.Array(Schema.Struct({ ...booleans("isMailbox", "isThere"), ...DAY_FIELDS })),
  declared: Schema.Array(
    Schema.Struct({
      ...booleans("isMailbox"),
      ...integers("declaredSends", "declaredSinceMillis", "declaredAtMillis")
    })
  )
})

/** Messages `m` of a day, and what became of them. Two indexes hold what each part reads. */
const DAY = "floor(extract(epoch FROM m.claimed_at) / 86400)::integer"
const ENDED = `
  ${DAY} AS day, 0 AS taken, (count(*) FILTER (WHERE m.outcome IS NULL))::integer AS delivered, 0 AS refused,
  (count(*) FILTER (WHERE m.outcome = 'hard_bounce'))::integer AS bounced,
  (count(*) FILTER (WHERE m.outcome = 'complaint'))::integer AS complained
`
const HAS_ENDED = "m.state = 'sent'"
/** Apart, because people are counted by sorting them, which is dear if it is done for all who were not refused. */
const REFUSED = `
  ${DAY} AS day, 0 AS taken, 0 AS delivered, count(DISTINCT m.address_hash)::integer AS refused, 0 AS bounced,
  0 AS complained
`
const IS_REFUSED = "m.outcome = 'refused'"
/** Of several mailboxes together: each counts its own people, to each organisation. */
const REFUSED_OF_SENDERS = REFUSED.replace("m.address_hash", "(m.mailbox_id, m.receiver, m.address_hash)")
const TAKEN = `${DAY} AS day, count(*)::integer AS taken, 0 AS delivered, 0 AS refused, 0 AS bounced, 0 AS complained`

const sinceOf = (nowMillis: number): number => dayStart(nowMillis) - USE_DAYS * DAY_MILLIS

/** Of all own mailboxes of a workspace. */
export const useBook = (
  sql: SqlClient,
  workspaceId: string,
  nowMillis: number,
  by: "day" | "receiver"
): Effect.Effect<UseBook, StoreUnavailable> => {
  const receiver = sql.literal(by === "receiver" ? "m.receiver" : "NULL::text")
  const ended = (counts: string, which: string) => sql`
    SELECT m.mailbox_id AS "mailboxId", ${receiver} AS receiver, ${sql.literal(counts)}
    FROM mailboxes b JOIN messages m ON m.workspace_id = b.workspace_id AND m.mailbox_id = b.mailbox_id
    WHERE b.workspace_id = ${workspaceId} AND b.kind = 'own' AND m.claimed_at >= ${date(sinceOf(nowMillis))}
      AND ${sql.literal(which)}
    GROUP BY 1, 2, 3
  `
  return Effect.gen(function* () {
    const mailboxes = yield* sql`
      SELECT ${sql.literal(columnsOf(UsedMailboxRow, "b"))} FROM mailboxes b
      WHERE b.workspace_id = ${workspaceId} AND b.kind = 'own'
      ORDER BY b.mailbox_id
    `.pipe(rows("sending.uses", UsedMailboxRow))
    if (mailboxes.length === 0) return new UseBook([], [])
    const days = yield* sql`
      ${ended(ENDED, HAS_ENDED)}
      UNION ALL
      ${ended(REFUSED, IS_REFUSED)}
      UNION ALL
      SELECT m.mailbox_id AS "mailboxId", ${receiver} AS receiver, ${sql.literal(TAKEN)}
      FROM messages m
      WHERE m.workspace_id = ${workspaceId} AND m.claimed_at >= ${date(dayStart(nowMillis))} AND m.state <> 'failed'
      GROUP BY 1, 2, 3
    `.pipe(rows("sending.uses", UseRow))
    return new UseBook(mailboxes, days)
  })
}

/** What one row says of a sender's use, beside what else is in it. */
export const SENDER_USE_FIELDS = SenderUseRow.fields

/** `receiver`: that it was asked for; null: none. */
export const toSenderUse = (
  { days, declared, refused }: typeof SenderUseRow.Type,
  receiver: string | null
): SenderUse => {
  const of = (isMailbox: boolean, isThere: boolean): Use =>
    byDay([
      ...days.filter((one) => one.isMailbox === isMailbox && one.isThere === isThere),
      ...refused.filter((one) => (one.isMailbox || !isMailbox) && (one.isThere || !isThere))
    ]).filter(({ day: _day, ...counts }) => Object.values(counts).some((count) => count !== 0))
  return {
    mailbox: of(true, false),
    domain: of(false, false),
    at: receiver === null ? null : { mailbox: of(true, true), domain: of(false, true) },
    declared: {
      mailbox: declared.filter(({ isMailbox }) => isMailbox).flatMap(declaredOf),
      domain: declared.flatMap(declaredOf)
    }
  }
}

/**
 * Of one own mailbox and of its domain, in all and to an organisation (or there alone): by the counts that the statements keep
 * which change messages. Who claims holds the workspace's turn. As the parts of a statement: its first expressions, and its
 * columns.
 */
export const senderUseParts = (
  sql: SqlClient,
  { mailboxId, workspaceId }: MailboxRef,
  receiver: string | null,
  nowMillis: number,
  isThereAlone = false
) => {
  const inAll = [sql`(${mailboxId}, '')`, sql`(me.domain, '')`]
  const there = [sql`(${mailboxId}, ${receiver}::text)`, sql`(me.domain, ${receiver}::text)`]
  const asked = [...(isThereAlone ? [] : inAll), ...(receiver === null ? [] : there)]
  const given = sql`
    me AS (
      SELECT b.domain FROM mailboxes b
      WHERE b.workspace_id = ${workspaceId} AND b.mailbox_id = ${mailboxId} AND b.kind = 'own'
    ), senders AS (
      SELECT b.mailbox_id, b.declared_sends, b.declared_since, b.declared_at
      FROM me JOIN mailboxes b ON b.workspace_id = ${workspaceId} AND b.domain = me.domain AND b.kind = 'own'
    ), days AS (
      SELECT c.sender = ${mailboxId} AS "isMailbox", c.receiver <> '' AS "isThere", c.day,
        (COALESCE(sum(c.taken) FILTER (WHERE c.day = ${dayOf(nowMillis)}::integer), 0))::integer AS taken,
        sum(c.delivered)::integer AS delivered, 0 AS refused, sum(c.bounced)::integer AS bounced,
        sum(c.complained)::integer AS complained
      FROM me CROSS JOIN LATERAL (
        VALUES ${sql.csv(asked)}
      ) AS s (sender, receiver)
      JOIN mail_use_counts c ON c.workspace_id = ${workspaceId} AND c.sender = s.sender AND c.receiver = s.receiver
        AND c.day >= ${dayOf(nowMillis) - USE_DAYS}::integer
      GROUP BY 1, 2, 3
    ), refused AS (
      SELECT m.mailbox_id = ${mailboxId} AS "isMailbox", COALESCE(m.receiver = ${receiver}::text, false) AS "isThere",
        ${sql.literal(REFUSED_OF_SENDERS)}
      FROM senders s JOIN messages m ON m.workspace_id = ${workspaceId} AND m.mailbox_id = s.mailbox_id
      WHERE m.claimed_at >= ${date(sinceOf(nowMillis))} AND ${sql.literal(IS_REFUSED)}
      GROUP BY 1, 2, 3
    )
  `
  const columns = sql`
    COALESCE((SELECT json_agg(d) FROM days d), '[]') AS days,
      COALESCE((SELECT json_agg(r) FROM refused r), '[]') AS refused, COALESCE((
      SELECT json_agg(json_build_object(
        'isMailbox', s.mailbox_id = ${mailboxId}, 'declaredSends', s.declared_sends,
        'declaredSinceMillis', floor(extract(epoch FROM s.declared_since) * 1000),
        'declaredAtMillis', floor(extract(epoch FROM s.declared_at) * 1000)
      )) FROM senders s WHERE s.declared_at IS NOT NULL
    ), '[]') AS declared
  `
  return { given, columns }
}

const RoomRow = Schema.Struct({ ...SenderUseRow.fields, ...timesOrNull("restsUntilMillis") })

/** What an organisation still takes of one own mailbox. */
export const roomAt = (
  sql: SqlClient,
  { mailboxId, nowMillis, workspaceId }: OwnCandidateOptions,
  receiver: string
): Effect.Effect<ReceiverRoom, StoreUnavailable> => {
  const { columns, given } = senderUseParts(sql, { workspaceId, mailboxId }, receiver, nowMillis, true)
  return sql`
    WITH ${given}
    SELECT ${columns}, (
      SELECT r.rests_until FROM receiver_rests r
      WHERE r.workspace_id = ${workspaceId} AND r.mailbox_id = ${mailboxId} AND r.receiver = ${receiver}
    ) AS "restsUntilMillis"
  `.pipe(
    rows("sending.roomAt", RoomRow),
    Effect.map(([found]) => ({
      left: receiverLeft(toSenderUse(found ?? { days: [], declared: [], refused: [] }, receiver), nowMillis),
      restsUntilMillis: found?.restsUntilMillis ?? null
    }))
  )
}
