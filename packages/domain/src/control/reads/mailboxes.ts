import { Effect, Option } from "effect"
import { cursors as makeCursors } from "../../calls/cursor.js"
import { answering } from "../../calls/Handler.js"
import { iso } from "../../kernel/text.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { MailboxMachine } from "../../outreach/sending/MailboxMachine.js"
import { mailboxCap } from "../../outreach/sending/planner.js"
import type { SenderUse } from "../../outreach/sending/ramp.js"
import { SendingStore } from "../../outreach/sending/SendingStore.js"
import { dayStart } from "../../outreach/sending/Dispatcher.js"
import { DAY_MILLIS } from "../../kernel/durations.js"
import { type ListMailboxes, MAILBOXES_PAGE_DEFAULT } from "../../verbs/ListMailboxes.js"
import { ConsoleReads, type MailboxLine, type MailboxRecord } from "../console/ConsoleReads.js"

const RECORD_DAYS = 30

/** Never delivered, or given back. */
export const isGone = ({ state }: Pick<MailboxLine, "state">): boolean => MailboxMachine.is.gone(state)

/** A mailbox as callers see it. `mailboxDailySends`: the workspace's cap for each. `use`: of an own mailbox. */
export const shownMailbox = (
  line: MailboxLine,
  record: Pick<MailboxRecord, "sent" | "bounced"> | undefined,
  mailboxDailySends: number,
  use: SenderUse | null,
  nowMillis: number
) => ({
  mailbox: line.address,
  domain: line.domain,
  kind: line.kind,
  state: line.state,
  paused_because: line.pauseReason,
  // Nothing makes one that is gone active again.
  cap_today: isGone(line) ? 0 : mailboxCap(mailboxDailySends, use, line.sendsToday, nowMillis),
  sent_today: line.sendsToday,
  sent_last_30_days: record?.sent ?? 0,
  bounced_last_30_days: record?.bounced ?? 0,
  resting_until:
    line.restsUntilMillis === null || line.restsUntilMillis <= nowMillis ? null : iso(line.restsUntilMillis)
})

export const listMailboxes = Effect.gen(function* () {
  const reads = yield* ConsoleReads
  const sendings = yield* SendingStore
  const workspaces = yield* WorkspaceStore
  const cursors = yield* makeCursors
  return answering<typeof ListMailboxes>((request, { nowMillis, workspaceId }) =>
    Effect.gen(function* () {
      const filters = { state: request.state ?? null }
      const after = yield* Effect.fromResult(cursors.decode(workspaceId, filters, request.cursor))
      const limit = request.limit ?? MAILBOXES_PAGE_DEFAULT
      const lines = yield* reads.mailboxes(
        workspaceId,
        dayStart(nowMillis),
        after?.id ?? null,
        limit + 1,
        filters.state
      )
      const records = new Map(
        (yield* reads.mailboxRecords(workspaceId, nowMillis - RECORD_DAYS * DAY_MILLIS)).map((one) => [
          one.mailboxId,
          one
        ])
      )
      const { caps } = Option.getOrThrow(yield* workspaces.get(workspaceId))
      const book = yield* sendings.uses(workspaceId, nowMillis, "day")
      const { nextCursor, shown } = cursors.cut(workspaceId, filters, { rows: lines, limit }, (last) => ({
        atMillis: 0,
        id: last.mailboxId
      }))
      return {
        mailboxes: shown.map((line) =>
          shownMailbox(line, records.get(line.mailboxId), caps.mailboxDailySends, book.of(line.mailboxId), nowMillis)
        ),
        next_cursor: nextCursor
      }
    })
  )
})
