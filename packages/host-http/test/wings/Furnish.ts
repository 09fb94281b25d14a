import { Effect } from "effect"
import type { Tenant } from "../support/Desk.js"

/** Ids of what a wing laid before the console, by the part of a page's path that they follow. */
export type Laid = Readonly<Record<string, string>>

/** Lays what a wing shows before the console: `newId` is the id of its thing, `leadIds` are of leads that there are. */
export type Furnish<E, R> = (
  of: Tenant,
  nowMillis: number,
  newId: string,
  leadIds: ReadonlyArray<string>
) => Effect.Effect<Laid | void, E, R>

export const nothing: Furnish<never, never> = () => Effect.void
