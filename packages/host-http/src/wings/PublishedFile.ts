import type { Effect } from "effect"
import type { Actions } from "../commands/Actions.js"
import type { Command, Outcome } from "../commands/Command.js"
import type { OutboundConfig } from "../Config.js"

/** A published file to take over, as `directory import --from` is given it. */
export interface GivenFile {
  readonly from: string
  readonly file: string
  /** Null: not said. */
  readonly part: string | null
  readonly mayShrink: boolean
}

/** What a wing takes over of published files. */
export interface PublishedFiles {
  /** The names that `--from` takes. */
  readonly names: ReadonlyArray<string>
  readonly take: (given: GivenFile) => Effect.Effect<Outcome, unknown>
  /** Further commands of the group `directory`. */
  readonly commands: ReadonlyArray<Command>
}

export type MakePublishedFiles = (
  actions: Pick<Actions, "operate">,
  config: Effect.Effect<OutboundConfig, unknown>
) => PublishedFiles
