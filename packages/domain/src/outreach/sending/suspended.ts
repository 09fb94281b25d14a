import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import type { SendingState } from "../../kernel/workspaces/WorkspaceStore.js"

/** The refusal of every purchase and message during a suspension; null: not suspended. */
export const suspended = ({ suspendedAtMillis, suspendedReason }: SendingState): AnyWireError | null =>
  suspendedAtMillis === null
    ? null
    : refuse("agent_suspended", {
        suspended_at: new Date(suspendedAtMillis).toISOString(),
        reason: suspendedReason
      })
