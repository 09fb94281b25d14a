import { Context, type Effect } from "effect"
import { type Circuits, unlearning } from "./Circuits.js"

/** How whoever asks sources reaches them: what is known of them, and with whom a lookup may be shared. */
export interface Reach {
  readonly circuits: Context.Tag.Service<Circuits>
  /** Makes identical lookups that are under way at the same time once, within one workspace. */
  readonly together: <A, E, R>(key: string, lookup: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Nothing is known, and nothing is shared. */
export const alone: Reach = { circuits: unlearning, together: (_key, lookup) => lookup }

/** That of the call under way. The pipeline sets it for every call; who asks on nobody's behalf is alone. */
export class Upstreams extends Context.Reference<Upstreams>()("@outbound/domain/providers/Upstreams", {
  defaultValue: () => alone
}) {}
