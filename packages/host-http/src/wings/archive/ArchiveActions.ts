import type { Effect } from "effect"
import type { OutboundConfig } from "../../Config.js"

/** Calls and entries of months that were moved out of the database. */
export interface ArchiveReport {
  /** A folder for each month, or for the months of the oldest partition. */
  readonly months: ReadonlyArray<{ readonly folder: string; readonly rows: number }>
  /** A file for each workspace of whose trail a part was old enough. */
  readonly trails: ReadonlyArray<{ readonly file: string; readonly workspace_id: string; readonly events: number }>
}

/** What `outbound archive` has done for it. */
export interface ArchiveActions {
  /** Moves calls and entries that are older than so many months into a folder. */
  readonly archive: (
    config: OutboundConfig,
    folder: string,
    kept: { readonly callMonths: number; readonly trailMonths: number | null }
  ) => Effect.Effect<ArchiveReport, unknown>
}
