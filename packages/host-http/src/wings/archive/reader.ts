import { Effect } from "effect"
import type { ArchiveReader } from "../ArchiveReader.js"

/** Loaded when an archive is read. */
export const archiveReader: ArchiveReader = {
  verify: (url, folder) =>
    Effect.flatMap(
      Effect.promise(() => import("./main.js")),
      ({ verifyArchive }) => verifyArchive(url, folder)
    ),
  lines: async function* (folder, workspaceId, archived) {
    const { archivedLines } = await import("./main.js")
    yield* archivedLines(folder, workspaceId, archived)
  }
}
