import { scriptedArchive } from "./archive/scripted.js"
import { scriptedMoving } from "./moving/scripted.js"

/** What the commands of wings have done in tests of the program, a line each. */
export const SCRIPTED_ACTIONS = { ...scriptedArchive, ...scriptedMoving }
