import { archiveActions } from "./archive/actions.js"
import { movingActions } from "./moving/actions.js"

/** What the commands of every wing have done for them, a line each. It is loaded when a command needs it. */
export const WING_ACTIONS = { ...archiveActions, ...movingActions }

export type WingActions = typeof WING_ACTIONS
