import type { PersonAsk } from "@outbound/domain/control/personFile/PersonRecords.js"
import type { WordsSettings } from "@outbound/domain/kernel/words/notice.js"
import { Table, type UndoLog } from "./Table.js"

/** What a person asked of the workspace, and when it was met. */
export interface PersonRequestRow {
  readonly workspaceId: string
  readonly campaignLeadId: string
  readonly ask: PersonAsk
  readonly askedAtMillis: number
  readonly metAtMillis: number | null
}

export const personTables = (log: UndoLog) => ({
  /** By workspace, lead and what is asked. */
  personRequests: new Table<PersonRequestRow>(log),
  /** What each workspace tells recipients by their country. */
  recipientWords: new Table<WordsSettings>(log)
})
