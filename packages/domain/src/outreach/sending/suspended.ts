import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import type { SendingState } from "../../kernel/workspaces/WorkspaceStore.js"

/** What refuses every purchase and every message while a kill stands; null where none does. */
export const suspended = ({ suspendedAtMillis, suspendedReason }: SendingState): AnyWireError | null =>
  suspendedAtMillis === null
    ? null
    : refuse("agent_suspended", {
        suspended_at: new Date(suspendedAtMillis).toISOString(),
        reason: suspendedReason
      })
