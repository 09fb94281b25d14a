import { DAY_MILLIS } from "../../kernel/durations.js"
import { Effect } from "effect"
import { CallJournal } from "../../calls/CallJournal.js"
import { cursors as makeCursors } from "../../calls/cursor.js"
import { answering } from "../../calls/Handler.js"
import { CreditStore } from "../../calls/credits/CreditStore.js"
import { available } from "../../calls/decideAdmission.js"
import { refuse } from "../../kernel/errors/Wire.js"
import { orFail } from "../../kernel/orFail.js"
import { format, zero } from "../../kernel/money/Credits.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import { TrailStore } from "../../kernel/trail/TrailEvent.js"
import { wireEvent } from "../../kernel/trail/wireEvent.js"
import { type GetRequest, type GetTrail, type GetUsage, TRAIL_PAGE_DEFAULT } from "../../verbs/Reads.js"
import { iso, isoOrNull } from "../../kernel/text.js"

const USAGE_DAYS = 30

const notFound = refuse("not_found", {})

export const getUsage = Effect.map(CreditStore, (ledger) =>
  answering<typeof GetUsage>((_request, call) =>
    Effect.gen(function* () {
      const balance = yield* ledger.balance(call.workspaceId)
      const usage = yield* ledger.usageSince(call.workspaceId, call.nowMillis - USAGE_DAYS * DAY_MILLIS)
      return {
        credits_balance: format(balance.balance),
        credits_reserved: format(balance.reserved),
        credits_available: format(available(balance)),
        last_30_days: usage.map((row) => ({
          verb: row.verb,
          calls: row.calls,
          credits_charged: format(row.charged)
        }))
      }
    })
  )
)

export const getRequest = Effect.map(CallJournal, (journal) =>
  answering<typeof GetRequest>((request, call) =>
    Effect.gen(function* () {
      const record = yield* journal.request(call.workspaceId, request.request_id.toLowerCase()).pipe(orFail(notFound))
      return {
        request_id: record.requestId,
        verb: record.verb,
        mode: record.mode,
        status: record.status,
        http_status: record.httpStatus,
        error_code: record.errorCode,
        credits_reserved: format(record.status === "pending" ? record.reserved : zero),
        credits_charged: format(record.charged),
        replayed_count: record.replayedCount,
        interrupted: record.interrupted,
        created_at: iso(record.createdAtMillis),
        finished_at: isoOrNull(record.finishedAtMillis)
      }
    })
  )
)

export const getTrail = Effect.gen(function* () {
  const trail = yield* TrailStore
  const cursors = yield* makeCursors
  return answering<typeof GetTrail>((request, call) =>
    Effect.gen(function* () {
      const { workspaceId } = call
      const email = request.email === undefined ? null : (usableEmail(request.email) ?? request.email)
      const campaignId = request.campaign_id?.toLowerCase() ?? null
      const filters = {
        campaign_id: campaignId,
        email,
        kind: [...(request.kind ?? [])].sort(),
        since: request.since ?? null,
        until: request.until ?? null
      }
      const after = yield* Effect.fromResult(cursors.decode(workspaceId, filters, request.cursor))
      const limit = request.limit ?? TRAIL_PAGE_DEFAULT
      const page = yield* trail.page({
        workspaceId,
        campaignId,
        email,
        kinds: request.kind ?? [],
        sinceMillis: request.since ?? null,
        untilMillis: request.until ?? null,
        limit: limit + 1,
        after: after === null ? null : { observedAtMillis: after.atMillis, eventId: after.id }
      })
      const { nextCursor, shown } = cursors.cut(workspaceId, filters, { rows: page, limit }, (last) => ({
        atMillis: last.observedAtMillis,
        id: last.eventId
      }))
      const archivedUntil = nextCursor === null ? yield* trail.archivedUntil(workspaceId) : null
      const isArchived = archivedUntil !== null && (request.since ?? -Infinity) <= archivedUntil
      return {
        events: shown.map(wireEvent),
        next_cursor: nextCursor,
        ...(isArchived ? { archived_until: iso(archivedUntil) } : {}),
        evaluated_at: iso(call.nowMillis)
      }
    })
  )
})
