import { DisposableDomains } from "@outbound/domain/kernel/people/DisposableDomains.js"
import { Layer } from "effect"
import { isDisposable } from "./judge.js"

/** A list of those that are known. */
export const layer = Layer.succeed(DisposableDomains, { has: isDisposable })
