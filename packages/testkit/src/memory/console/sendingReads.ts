import type { ConsoleReads, MailboxRecord, OperationLine } from "@outbound/domain/control/console/ConsoleReads.js"
import type { ListRow } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import type { Operation } from "@outbound/domain/outreach/operations/OperationStore.js"
import { RowMachine } from "@outbound/domain/outreach/operations/lists/RowMachine.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { hasRoom } from "@outbound/domain/outreach/sending/planner.js"
import { MailboxMachine, type MailboxState } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { Option } from "effect"
import type { Memory } from "../Memory.js"
import { isCrmUnread } from "../keptOut.js"
import { useBook } from "../ownUse.js"
import { ascending, keyOf } from "../Table.js"
import type { Tables } from "../Tables.js"
import { part, tally } from "./part.js"

const rowsOf = (rows: ReadonlyArray<ListRow>) =>
  rows.length === 0
    ? null
    : {
        ended: rows.filter(({ endedAtMillis }) => endedAtMillis !== null).length,
        failed: rows.filter(({ state }) => RowMachine.is.failed(state)).length,
        total: rows.length
      }

const operationLine = ({ listRows }: Tables, operation: Operation): OperationLine => ({
  operationId: operation.operationId,
  kind: operation.kind,
  status: operation.status,
  brand: "order" in operation ? operation.order.brand : null,
  items: operation.items,
  rows: rowsOf(listRows.where("list", keyOf(operation.workspaceId, operation.operationId))),
  error: operation.error,
  createdAtMillis: operation.createdAtMillis,
  finishedAtMillis: operation.finishedAtMillis
})

/** How much each mailbox has claimed since then. */
const sendsSince = (tables: Tables, workspaceId: string, sinceMillis: number): ReadonlyMap<string, number> => {
  const claimed = tables.messages
    .where("workspace", workspaceId)
    .filter(({ claimedAtMillis, state }) => !MessageMachine.is.unsent(state) && claimedAtMillis >= sinceMillis)
  return new Map(Object.entries(tally(claimed.map(({ mailboxId }) => mailboxId))) as Array<[string, number]>)
}

/** What the pages about sending show. */
export const sendingReads = ({
  read
}: Memory["Service"]): Pick<
  ConsoleReads["Service"],
  "sending" | "mailboxes" | "mailboxRecords" | "operation" | "operations"
> => ({
  sending: (workspaceId, dayStartMillis, nowMillis) =>
    read((tables) => {
      const workspace = tables.workspaces.get(workspaceId)
      if (workspace === undefined) throw new Error("there is no such workspace")
      const { suspendedAtMillis = null, suspendedReason = null } = tables.sending.get(workspaceId) ?? {}
      const mailboxes = tables.mailboxes.filter((mailbox) => mailbox.workspaceId === workspaceId)
      const today = sendsSince(tables, workspaceId, dayStartMillis)
      const book = useBook(tables, workspaceId, nowMillis)
      const isWithRoom = (mailboxId: string, sends: number) =>
        hasRoom(workspace.caps.mailboxDailySends, book.of(mailboxId), sends, nowMillis)
      const none = Object.fromEntries(MailboxMachine.states.map((state) => [state, 0])) as Record<MailboxState, number>
      return {
        kind: workspace.kind,
        postalAddress: workspace.postalAddress,
        suspendedAtMillis,
        suspendedReason,
        dailySends: workspace.caps.dailySends,
        mailboxDailySends: workspace.caps.mailboxDailySends,
        sendsToday: [...today.values()].reduce((sum, sends) => sum + sends, 0),
        mailboxes: { ...none, ...tally(mailboxes.map(({ state }) => state)) },
        isCrmUnread: isCrmUnread(tables, workspaceId, nowMillis),
        mailboxesWithRoom: mailboxes.filter(
          (mailbox) =>
            MailboxMachine.is.sending(mailbox.state) && isWithRoom(mailbox.mailboxId, today.get(mailbox.mailboxId) ?? 0)
        ).length
      }
    }),

  mailboxes: (workspaceId, dayStartMillis, after, limit, state = null) =>
    read((tables) => {
      const today = sendsSince(tables, workspaceId, dayStartMillis)
      return tables.mailboxes
        .filter(
          (mailbox) =>
            mailbox.workspaceId === workspaceId &&
            (after === null || mailbox.mailboxId > after) &&
            (state === null || mailbox.state === state)
        )
        .sort(ascending(({ mailboxId }) => mailboxId))
        .slice(0, limit)
        .map((mailbox) => ({
          mailboxId: mailbox.mailboxId,
          kind: mailbox.kind,
          domain: mailbox.domain,
          address: mailbox.address,
          displayName: mailbox.displayName,
          state: mailbox.state,
          pauseReason: mailbox.pauseReason,
          createdAtMillis: mailbox.createdAtMillis,
          activeAtMillis: mailbox.activeAtMillis,
          upkeepPaidUntilMillis: mailbox.upkeepPaidUntilMillis,
          restsUntilMillis: mailbox.restsUntilMillis,
          declaredSends: mailbox.declaredSends,
          declaredSinceMillis: mailbox.declaredSinceMillis,
          declaredAtMillis: mailbox.declaredAtMillis,
          sendsToday: today.get(mailbox.mailboxId) ?? 0
        }))
    }),

  mailboxRecords: (workspaceId, sinceMillis) =>
    read((tables) => {
      const records = new Map<string, MailboxRecord>()
      const sent = tables.messages
        .where("workspace", workspaceId)
        .filter(({ sentAtMillis, state }) => MessageMachine.is.left(state) && (sentAtMillis ?? 0) >= sinceMillis)
      for (const { campaignLeadId, mailboxId, messageId, stepIndex } of sent) {
        const lead = tables.leads.get(keyOf(workspaceId, campaignLeadId))
        const outcome = tables.outcomes.get(keyOf(workspaceId, messageId))
        const isAnswered = lead !== undefined && LeadMachine.is.replied(lead.state) && lead.stepsSent === stepIndex + 1
        const known = records.get(mailboxId) ?? { mailboxId, sent: 0, replied: 0, bounced: 0, complained: 0 }
        records.set(mailboxId, {
          mailboxId,
          sent: known.sent + 1,
          replied: known.replied + (isAnswered ? 1 : 0),
          bounced: known.bounced + (outcome === "hard_bounce" ? 1 : 0),
          complained: known.complained + (outcome === "complaint" ? 1 : 0)
        })
      }
      return [...records.values()]
    }),

  operation: (workspaceId, operationId) =>
    read((tables) => {
      const found = tables.operations.get(keyOf(workspaceId, operationId))
      return Option.map(Option.fromNullishOr(found), ({ operation }) => operationLine(tables, operation))
    }),

  operations: (workspaceId, wanted) =>
    read((tables) => {
      const own = tables.operations.filter(({ operation }) => operation.workspaceId === workspaceId)
      const placeOf = ({ operation }: (typeof own)[number]) => ({
        at: operation.createdAtMillis,
        id: operation.operationId
      })
      return part(own, placeOf, wanted).map(({ operation }) => operationLine(tables, operation))
    })
})
