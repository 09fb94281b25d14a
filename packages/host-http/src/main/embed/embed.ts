import { heedEffect } from "@outbound/client/oneEffect.js"
import type { EmbedOptions } from "./Embedded.js"
import type { Outbound } from "./Start.js"

export type { AskedApproval, Decision, DecisionResult } from "./approvals.js"
export type { Looking, MessageToLookAt } from "./looking.js"
export type { EmbedOptions } from "./Embedded.js"
export type { NewKey, NewWorkspace, Outbound } from "./Start.js"

/**
 * Starts the service inside this program: it migrates the database, and does the background work until `close`. Rejects
 * with every mistake of the options at once, where the database can't be used, and where the installed `effect` is one that
 * we can't use.
 */
export const embed = async (options: EmbedOptions): Promise<Outbound> => {
  heedEffect()
  // Not before: a library that lacks what a module of ours imports ends the program in words of the loader.
  const { start } = await import("./Start.js")
  return await start(options)
}
