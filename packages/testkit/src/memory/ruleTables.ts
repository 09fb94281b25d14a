import type { Attended } from "@outbound/domain/control/attention/AttentionStore.js"
import type { Verdict } from "@outbound/domain/data/verification/verdicts.js"
import type { WorkspaceRules } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import { Table, type UndoLog } from "./Table.js"

export const ruleTables = (log: UndoLog) => ({
  /** By workspace. */
  workspaceRules: new Table<WorkspaceRules>(log),
  /** By workspace, approval and user. */
  attention: new Table<Attended>(log),
  /** By workspace and person. */
  verdicts: new Table<Verdict>(log)
})
