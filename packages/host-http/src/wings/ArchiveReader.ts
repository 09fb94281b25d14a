import type { SealedTotals } from "@outbound/domain/kernel/trail/seals.js"
import type { Effect, Redacted } from "effect"
import type { RuleReport } from "../commands/Actions.js"

/** How `check --archive` and `trail export --archive` read what was moved out of the database. */
export interface ArchiveReader {
  /** Reads it whole, and compares it with the sums that stand for it. */
  readonly verify: (url: Redacted.Redacted, folder: string) => Effect.Effect<RuleReport, unknown>
  /** The lines of what of a workspace's trail is in it. */
  readonly lines: (folder: string, workspaceId: string, archived: SealedTotals) => AsyncIterable<string>
}
