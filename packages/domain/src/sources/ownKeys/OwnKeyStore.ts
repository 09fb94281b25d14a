import { Context, type Effect } from "effect"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"

/** A workspace's own credential with a vendor. */
export interface OwnKey {
  readonly workspaceId: string
  /** As the configuration names the vendor. */
  readonly vendor: string
  /** Sealed for `own_key`, bound to workspace and vendor. */
  readonly sealedSecret: string
  /** Its last characters, by which its owner knows it. */
  readonly last4: string
  /** The address of who brought it. */
  readonly addedBy: string
  readonly addedAtMillis: number
  /** When the vendor refused it, and has not taken it since; null: never, as far as is known. */
  readonly refusedAtMillis: number | null
}

export class OwnKeyStore extends Context.Tag("@outbound/domain/sources/ownKeys/OwnKeyStore")<
  OwnKeyStore,
  {
    /** In the place of the one that the workspace had with the vendor, if it had one. */
    readonly put: (key: OwnKey) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Of a workspace, by the vendor's name. */
    readonly list: (workspaceId: string) => Effect.Effect<ReadonlyArray<OwnKey>, StoreUnavailable>
    /** False: there was none. */
    readonly remove: (workspaceId: string, vendor: string) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /** Takes note of a refusal, unless the key was brought after it. */
    readonly refused: (workspaceId: string, vendor: string, atMillis: number) => Effect.Effect<void, StoreUnavailable>
    /** Takes back a refusal that was noted before. */
    readonly accepted: (workspaceId: string, vendor: string, atMillis: number) => Effect.Effect<void, StoreUnavailable>
  }
>() {}
