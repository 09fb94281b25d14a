import { Effect } from "effect"
import type { Tenant } from "../support/Desk.js"

/** Lays what a wing shows before the console: `newId` is the id of its thing, `leadIds` are of leads that there are. */
export type Furnish<E, R> = (
  of: Tenant,
  nowMillis: number,
  newId: string,
  leadIds: ReadonlyArray<string>
) => Effect.Effect<void, E, R>

export const nothing: Furnish<never, never> = () => Effect.void
