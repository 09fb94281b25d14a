import { Context } from "effect"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"

/** A workspace's own credential with a vendor. */
export interface OwnKey {
  readonly workspaceId: string
  /** The vendor's name in the configuration. */
  readonly vendor: string
  /** Sealed as `own_key`, bound to workspace and vendor. */
  readonly sealedSecret: string
  /** Its last characters, to recognise it by. */
  readonly last4: string
  /** The address of the owner who added it. */
  readonly addedBy: string
  readonly addedAtMillis: number
  /** When the vendor refused it, if it hasn't accepted it since. Null: not known to be refused. */
  readonly refusedAtMillis: number | null
}

export class OwnKeyStore extends Context.Service<
  OwnKeyStore,
  {
    /** Adds the credential or replaces the workspace's earlier one with the vendor. */
    readonly put: (key: OwnKey) => InTx<void>
    /** By vendor name. */
    readonly list: (workspaceId: string) => FromStore<ReadonlyArray<OwnKey>>
    /** False: there was none. */
    readonly remove: (workspaceId: string, vendor: string) => InTx<boolean>
    /** Records a refusal, unless the credential is newer. */
    readonly refused: (workspaceId: string, vendor: string, atMillis: number) => FromStore<void>
    /** Clears an earlier refusal. */
    readonly accepted: (workspaceId: string, vendor: string, atMillis: number) => FromStore<void>
  }
>()("@outbound/domain/sources/ownKeys/OwnKeyStore") {}
