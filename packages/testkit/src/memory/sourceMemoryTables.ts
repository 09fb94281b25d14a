import type { LearntPlace, SourceOutcomes } from "@outbound/domain/sources/SourceMemoryStore.js"
import { Table, type UndoLog } from "./Table.js"

export interface OutcomesRow extends SourceOutcomes {
  readonly source: string
  /** Days since 1970. */
  readonly day: number
}

/** What sources learnt: places by company, outcomes by source and day. */
export const sourceMemoryTables = (log: UndoLog) => ({
  companyBoards: new Table<LearntPlace>(log),
  sourceOutcomes: new Table<OutcomesRow>(log)
})
