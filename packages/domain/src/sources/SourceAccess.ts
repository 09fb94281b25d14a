import { Context, Effect, type Option, type Redacted } from "effect"
import type { JsonObject } from "../kernel/canonical.js"
import type { ProviderFailure } from "./ports/Source.js"
import { type Circuits, noCircuits } from "./Circuits.js"
import { noFollowUps, type Later } from "./Later.js"
import type { VendorCost } from "./VendorCost.js"

/** How a caller asks sources: on behalf of which workspace, with what knowledge, and sharing lookups with whom. */
export interface SourceAccess {
  /** Null: the service asks for itself. */
  readonly workspaceId: string | null
  /** Null: no verb was called. */
  readonly verb: string | null
  readonly circuits: Circuits["Service"]
  /** Makes identical concurrent lookups of a workspace once. */
  readonly together: <A, E, R>(key: string, lookup: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The workspace's own credential with a vendor. None: use the service's. Fails if the stored one is unusable. */
  readonly ownKey: (vendor: string) => Effect.Effect<Option.Option<Redacted.Redacted>, ProviderFailure>
  /** Records that a vendor refused the workspace's own credential, to show its owners. */
  readonly ownKeyRefused: (vendor: string) => Effect.Effect<void>
  /** Records that a vendor accepted it after an earlier refusal. */
  readonly ownKeyAccepted: (vendor: string) => Effect.Effect<void>
  /** Answers that come after their call. */
  readonly later: Later
  /** Records a vendor's charge, from which the call's margin is computed. */
  readonly spent: (cost: VendorCost) => Effect.Effect<void>
  /** Records the facts behind an answer, for later questions. Holds no secret. */
  readonly evidence: (source: string, facts: JsonObject) => Effect.Effect<void>
}

/** Access without a workspace: nothing is known, shared or kept. */
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

/** The access of the current call, set by the pipeline. Outside a call it is `noAccess`. */
export const CurrentSourceAccess = Context.Reference("@outbound/domain/sources/SourceAccess", {
  defaultValue: () => noAccess
})
