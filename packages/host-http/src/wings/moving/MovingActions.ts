import type { Effect } from "effect"
import type { OutboundConfig } from "../../Config.js"

/** A workspace that was written into a file. */
export interface ExportReport {
  readonly file: string
  readonly workspace_id: string
  readonly name: string
  readonly made_at: string
  readonly rows: number
  /** People who must never be emailed. */
  readonly suppressed: number
  /** Campaigns that go on where the export was made. */
  readonly campaigns_active: number
}

/** A workspace that was taken up from a file. */
export interface ImportReport {
  readonly workspace_id: string
  readonly name: string
  readonly made_at: string
  readonly rows: number
  readonly suppressed: number
  readonly campaigns_paused: number
  readonly approvals_cancelled: number
  /** People who sign in here already, by their address. */
  readonly people_known: number
}

/** What `outbound export` and `outbound import` have done for them. */
export interface MovingActions {
  /** Writes one workspace into a new file. */
  readonly exportWorkspace: (
    config: OutboundConfig,
    workspaceId: string,
    file: string
  ) => Effect.Effect<ExportReport, unknown>
  /** Adds the workspace of a file beside the others. */
  readonly importWorkspace: (config: OutboundConfig, file: string) => Effect.Effect<ImportReport, unknown>
}
