import { Effect } from "effect"
import type { MovingActions } from "../../../src/wings/moving/MovingActions.js"

export const scriptedMoving: MovingActions = {
  exportWorkspace: (_config, workspaceId, file) =>
    Effect.succeed({
      file,
      workspace_id: workspaceId,
      name: "Acme",
      made_at: "2026-05-04T12:00:00.000Z",
      rows: 12,
      suppressed: 1,
      campaigns_active: 2
    }),
  importWorkspace: () =>
    Effect.succeed({
      workspace_id: "018f0000-0000-7000-8000-000000000001",
      name: "Acme",
      made_at: "2026-05-04T12:00:00.000Z",
      rows: 12,
      suppressed: 3,
      campaigns_paused: 2,
      approvals_cancelled: 1,
      people_known: 0
    })
}
