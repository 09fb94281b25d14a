import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { dayStart } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { dayOf, USE_DAYS } from "@outbound/domain/outreach/sending/ramp.js"
import { UseBook, type UseRow } from "@outbound/domain/outreach/sending/UseBook.js"
import { keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

/** The last books of each workspace, and what they were made from. */
const books = new WeakMap<Tables, Map<string, { readonly from: string; readonly book: UseBook }>>()

/** What own mailboxes of a workspace sent in the days that count, message by message. For reading: a claim asks for each lead. */
export const useBook = (tables: Tables, workspaceId: string, nowMillis: number): UseBook => {
  const { mailboxes, messages, outcomes, receivers } = tables
  const from = [dayOf(nowMillis), ...[mailboxes, messages, outcomes, receivers].map(({ writes }) => writes)].join(" ")
  const known = books.get(tables) ?? new Map<string, { readonly from: string; readonly book: UseBook }>()
  books.set(tables, known)
  const before = known.get(workspaceId)
  if (before?.from === from) return before.book
  const book = bookOf(tables, workspaceId, nowMillis)
  known.set(workspaceId, { from, book })
  return book
}

const bookOf = (tables: Tables, workspaceId: string, nowMillis: number): UseBook => {
  const mailboxes = tables.mailboxes.filter((one) => one.workspaceId === workspaceId && one.kind === "own")
  const sinceMillis = dayStart(nowMillis) - USE_DAYS * DAY_MILLIS
  const own = new Set(mailboxes.map(({ mailboxId }) => mailboxId))
  const refused = new Set<string>()
  const rows = tables.messages.where("workspace", workspaceId).flatMap((message): ReadonlyArray<UseRow> => {
    const { campaignLeadId, claimedAtMillis, mailboxId, messageId, state } = message
    if (!own.has(mailboxId) || claimedAtMillis < sinceMillis) return []
    const outcome = tables.outcomes.get(keyOf(workspaceId, messageId))
    const receiver = tables.receivers.get(keyOf(workspaceId, messageId)) ?? null
    const day = dayOf(claimedAtMillis)
    const hasLeft = MessageMachine.is.left(state)
    // Each person counts once a day, however often they were tried.
    const person = keyOf(mailboxId, receiver ?? "", String(day), campaignLeadId)
    const isRefused = outcome === "refused" && !refused.has(person)
    if (isRefused) refused.add(person)
    const isTaken = !MessageMachine.is.unsent(state) && claimedAtMillis >= dayStart(nowMillis)
    return [
      {
        mailboxId,
        receiver,
        day,
        taken: isTaken ? 1 : 0,
        delivered: hasLeft && outcome === undefined ? 1 : 0,
        refused: isRefused ? 1 : 0,
        bounced: outcome === "hard_bounce" ? 1 : 0,
        complained: outcome === "complaint" ? 1 : 0
      }
    ]
  })
  return new UseBook(mailboxes, rows)
}
