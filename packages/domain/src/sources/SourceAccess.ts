import { Context, Effect, Option, type Redacted } from "effect"
import type { JsonObject } from "../kernel/canonical.js"
import type { ProviderFailure } from "./ports/ProviderFailure.js"
import { type Circuits, noCircuits } from "./Circuits.js"
import { noFollowUps, type Later } from "./Later.js"
import type { VendorCost } from "./VendorCost.js"

/** How a caller asks sources: for which workspace, with what is known of the sources, and with whom a lookup is shared. */
export interface SourceAccess {
  /** Whose call it is; null: nobody's, as where the service asks for itself. */
  readonly workspaceId: string | null
  /** By what verb; null where none was called. */
  readonly verb: string | null
  readonly circuits: Context.Tag.Service<Circuits>
  /** Makes identical lookups that are under way at the same time once, within one workspace. */
  readonly together: <A, E, R>(key: string, lookup: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * The workspace's own credential with a vendor; none: the service's is used. Fails where one is stored that can't be
   * used any more.
   */
  readonly ownKey: (vendor: string) => Effect.Effect<Option.Option<Redacted.Redacted>, ProviderFailure>
  /** Takes note that a vendor refused the workspace's own credential, for its owners to see. */
  readonly ownKeyRefused: (vendor: string) => Effect.Effect<void>
  /** Takes note that a vendor took it, where it is known to have refused it before. */
  readonly ownKeyAccepted: (vendor: string) => Effect.Effect<void>
  /** Answers that come after the call that asked for them. */
  readonly later: Later
  /** Takes note of what a vendor charges for its answer, so that the call's margin can be told. */
  readonly spent: (cost: VendorCost) => Effect.Effect<void>
  /** Takes note of what an answer rests on, for whoever asks later why it was given. Holds no secret. */
  readonly evidence: (source: string, facts: JsonObject) => Effect.Effect<void>
}

/** Access on behalf of no workspace: nothing is known, shared or kept. */
export const noAccess: SourceAccess = {
  workspaceId: null,
  verb: null,
  circuits: noCircuits,
  together: (_key, lookup) => lookup,
  ownKey: () => Effect.succeedNone,
  ownKeyRefused: () => Effect.void,
  ownKeyAccepted: () => Effect.void,
  later: noFollowUps,
  spent: () => Effect.void,
  evidence: () => Effect.void
}

/** The access of the call under way. The pipeline sets it for every call; outside a call it is `noAccess`. */
export class CurrentSourceAccess extends Context.Reference<CurrentSourceAccess>()(
  "@outbound/domain/sources/SourceAccess",
  {
    defaultValue: () => noAccess
  }
) {}
