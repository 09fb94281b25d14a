import type { PersonAsk } from "@outbound/domain/control/personFile/PersonRecords.js"
import type { WordsSettings } from "@outbound/domain/kernel/words/notice.js"
import type { Holdout } from "@outbound/domain/outreach/launching/holdout/HoldoutStore.js"
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
  recipientWords: new Table<WordsSettings>(log),
  /** By workspace and campaign. */
  holdouts: new Table<Holdout>(log),
  /** By workspace and lead: whether they are held out. */
  arms: new Table<boolean>(log)
})
