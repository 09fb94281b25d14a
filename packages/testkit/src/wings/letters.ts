import { Letters } from "./canary/Letters.js"

/** What measures in the simulation of receivers: letters to an own mailbox at each of these organisations. */
export const lettersTo = (organisations: ReadonlyArray<string>): Letters => new Letters(organisations)
