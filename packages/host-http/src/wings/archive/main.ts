import { archive as archiveIn, type Kept } from "@outbound/adapters/wings/archive/Archive.js"
import { Clock, Effect } from "effect"
import { mkdir } from "node:fs/promises"
import { resolve } from "node:path"
import type { DatabaseConfig } from "../../Config.js"
import { opened } from "../../main/Operator.js"
import type { ArchiveReport } from "./ArchiveActions.js"

export { archivedLines } from "@outbound/adapters/wings/archive/TrailParts.js"
export { verifyArchive } from "@outbound/adapters/wings/archive/Verify.js"

/** `outbound archive FOLDER` */
export const archive = (config: DatabaseConfig, folder: string, kept: Kept): Effect.Effect<ArchiveReport, unknown> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { connection, url } = yield* opened({ database: config })
      const now = yield* Clock.currentTimeMillis
      const path = resolve(folder)
      yield* Effect.tryPromise(() => mkdir(path, { recursive: true, mode: 0o700 }))
      const { months, trails } = yield* Effect.provide(archiveIn(url, path, kept, now), connection)
      return {
        months,
        trails: trails.map(({ events, file, workspaceId }) => ({ file, workspace_id: workspaceId, events }))
      }
    })
  )
