import { heedEffect } from "./oneEffect.js"
import type { ConnectOptions, PromiseClient } from "./Promised.js"

export type { ConnectOptions, PromiseClient } from "./Promised.js"

/**
 * Makes a client over HTTP. Nothing is sent before the first call. Connections that are kept open don't keep the process
 * alive, so a program may end without closing it. Rejects in words where the installed `effect` is one that we can't use.
 */
export const connect = async (options: ConnectOptions): Promise<PromiseClient> => {
  heedEffect()
  // Not before: a library that lacks what a module of ours imports ends the program in words of the loader.
  const { connected } = await import("./Promised.js")
  return await connected(options)
}
