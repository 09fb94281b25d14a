import { Effect } from "effect"
import type { Tenant } from "../support/Desk.js"

/** What a wing laid before the console, where every page and form is visited. */
export interface Laid {
  /** Ids, by the part of a page's path that they follow. */
  readonly ids?: Readonly<Record<string, string>>
  readonly pages?: ReadonlyArray<{ readonly name: string; readonly path: string }>
  /** Forms that only owners may send, as they would be taken. */
  readonly forOwners?: ReadonlyArray<readonly [path: string, form: Readonly<Record<string, string>>]>
}

/** Lays what a wing shows before the console: `newId` is the id of its thing, `leadIds` are of leads that there are. */
export type Furnish<E, R> = (
  of: Tenant,
  nowMillis: number,
  newId: string,
  leadIds: ReadonlyArray<string>
) => Effect.Effect<Laid, E, R>

export const nothing: Furnish<never, never> = () => Effect.succeed({})
