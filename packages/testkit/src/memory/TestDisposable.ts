import { DisposableDomains } from "@outbound/domain/kernel/people/DisposableDomains.js"
import { Layer } from "effect"

/** One domain is disposable. */
export const DISPOSABLE = "throwaway.test"

export const layer = Layer.succeed(DisposableDomains, { has: (domain) => domain === DISPOSABLE })
