import { Effect } from "effect"
import type { MovingActions } from "./MovingActions.js"

const load = Effect.promise(() => import("./main.js"))

export const movingActions: MovingActions = {
  exportWorkspace: (config, workspaceId, file) =>
    Effect.flatMap(load, ({ writeWorkspace }) => writeWorkspace(config, workspaceId, file)),
  importWorkspace: (config, file) => Effect.flatMap(load, ({ readWorkspace }) => readWorkspace(config, file))
}
