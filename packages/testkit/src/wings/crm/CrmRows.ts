import type { CrmConnection, MappedOwner, NewCrmWrite } from "@outbound/domain/wings/crm/CrmStore.js"
import type { CrmWriteState } from "@outbound/domain/wings/crm/CrmWriteMachine.js"
import { type CrmMark } from "@outbound/domain/wings/crm/marks.js"
import { keyOf, Table, type UndoLog } from "../../memory/Table.js"

export interface CrmMarkRow extends CrmMark {
  readonly workspaceId: string
  readonly generation: number
}

export interface CrmWriteRow extends NewCrmWrite {
  readonly state: CrmWriteState
  readonly attempts: number
  readonly dueAtMillis: number
  readonly claim: { readonly claimId: string; readonly atMillis: number } | null
  readonly endedAtMillis: number | null
}

/** What is kept of CRMs. */
export const crmTables = (log: UndoLog) => ({
  /** By workspace. */
  crmConnections: new Table<CrmConnection>(log),
  /** By workspace, value, standing and record. */
  crmMarks: new Table<CrmMarkRow, "value" | "workspace">(log, {
    value: ({ value, workspaceId }) => keyOf(workspaceId, value),
    workspace: ({ workspaceId }) => workspaceId
  }),
  /** By workspace and owner. */
  crmOwners: new Table<MappedOwner & { readonly workspaceId: string }>(log),
  /** By workspace and write. */
  crmWrites: new Table<CrmWriteRow>(log)
})
