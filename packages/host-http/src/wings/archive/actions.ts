import { Effect } from "effect"
import type { ArchiveActions } from "./ArchiveActions.js"

export const archiveActions: ArchiveActions = {
  archive: (config, folder, kept) =>
    Effect.flatMap(
      Effect.promise(() => import("./main.js")),
      ({ archive }) => archive(config.database, folder, kept)
    )
}
