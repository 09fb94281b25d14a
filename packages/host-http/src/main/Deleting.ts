import { deleteWorkspace } from "@outbound/adapters/postgres/deleting/deleteWorkspace.js"
import { Clock, Effect, Layer } from "effect"
import type { OutboundConfig } from "../Config.js"
import type { DeletionReport } from "../commands/Actions.js"
import { opened } from "./Operator.js"

/** `outbound workspace delete` */
export const removeWorkspace = (
  config: OutboundConfig,
  workspaceId: string,
  name: string
): Effect.Effect<DeletionReport, unknown> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { connection, url } = yield* opened(config)
      yield* Layer.build(connection)
      const at = new Date(yield* Clock.currentTimeMillis)
      const { people, rows, tables, wasDeleted } = yield* deleteWorkspace(url, workspaceId, name, at)
      return { workspace_id: workspaceId, rows, tables, people, was_deleted: wasDeleted }
    })
  )
