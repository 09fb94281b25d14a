import { Effect } from "effect"
import type { ArchiveActions } from "../../../src/wings/archive/ArchiveActions.js"

export const scriptedArchive: ArchiveActions = {
  archive: (_config, folder, { callMonths, trailMonths }) =>
    Effect.succeed({
      months: callMonths > 24 ? [] : [{ folder: `${folder}/2024_10`, rows: 12 }],
      trails: trailMonths === null ? [] : [{ file: `${folder}/trails/1.jsonl.gz`, workspace_id: "w", events: 7 }]
    })
}
