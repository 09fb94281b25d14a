/** What is true of an own mailbox's workspace, and what the mailbox and its domain sent, in one statement. */
import type { SenderUse } from "@outbound/domain/outreach/sending/ramp.js"
import type { OwnCandidateOptions } from "@outbound/domain/outreach/sending/SendingStore.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Schema } from "effect"
import { rows } from "./Columns.js"
import { SENDER_USE_FIELDS, senderUseParts, toSenderUse } from "./ownUse.js"
import {
  type FactsLock,
  momentOf,
  toFacts,
  workspaceColumns,
  type WorkspaceFacts,
  WorkspaceFactsRow,
  WORKSPACES
} from "./sendFacts.js"
import type { SqlClient } from "./Sql.js"

export interface OwnFacts {
  readonly workspace: WorkspaceFacts
  readonly use: SenderUse
}

const OwnFactsRow = Schema.Struct({ ...WorkspaceFactsRow.fields, ...SENDER_USE_FIELDS })

/** `receiver`: also what they sent to that organisation. Null: the row that is to be locked is locked by another. */
export const ownFacts = (
  sql: SqlClient,
  operation: string,
  options: OwnCandidateOptions,
  receiver: string | null,
  lock: FactsLock
): Effect.Effect<OwnFacts | null, StoreUnavailable> => {
  const { columns, given } = senderUseParts(sql, options, receiver, options.nowMillis)
  return sql`
    WITH ${momentOf(sql, options)}, ${given}
    SELECT ${workspaceColumns(sql, options, options.mailboxId)}, ${columns}
    FROM ${sql.literal(WORKSPACES)}
    WHERE w.workspace_id = ${options.workspaceId}
    ${sql.literal(lock)}
  `.pipe(
    rows(operation, OwnFactsRow),
    Effect.map(([found]) => {
      if (found === undefined) return null
      const { days, declared, refused, ...workspace } = found
      return { workspace: toFacts(false)(workspace), use: toSenderUse({ days, declared, refused }, receiver) }
    })
  )
}
