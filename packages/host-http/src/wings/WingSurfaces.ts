import type { Effect } from "effect"
import type { Surface } from "../http/Exchange.js"
import type { Admits } from "../HttpServer.js"

/** What a wing answers over HTTP, and which names it keeps from having every path. */
export interface WingSurfaces<R> {
  /** Before the core's further surfaces: the first owner of a path gets it. */
  readonly surfaces: Effect.Effect<ReadonlyArray<Surface>, never, R>
  readonly admits: Effect.Effect<Admits, never, R>
}
