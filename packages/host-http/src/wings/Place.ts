import type { resolveBy } from "@outbound/adapters/site/Gate.js"
import type { OutboundConfig } from "../Config.js"

/** Where wings meet what is outside: the configuration, and how other machines are found. */
export interface Place {
  readonly config: OutboundConfig
  readonly outside: { readonly isAtHome: boolean; readonly resolve: ReturnType<typeof resolveBy> }
}
