import { Context, type Option } from "effect"
import type { Credits } from "../../kernel/money/Credits.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"
import type { KeyState } from "./KeyMachine.js"
import type { Capability, Scope } from "../../verbs/Policy.js"

/** A key and its settings. We store only the SHA-256 of its secret. */
export interface ApiKey {
  readonly keyId: string
  readonly workspaceId: string
  /** Its workspace's kind, which never changes. */
  readonly workspaceKind: WorkspaceKind
  readonly name: string
  /** The first characters of the secret, so that people recognise the key. */
  readonly prefix: string
  readonly state: KeyState
  readonly pausedAtMillis: number | null
  readonly scopes: ReadonlyArray<Scope>
  readonly capabilitiesOff: ReadonlyArray<Capability>
  readonly autonomousExternalActions: boolean
  /** Null: no cap. */
  readonly monthlySpendCap: Credits | null
  /** The most of one day (UTC). Null: no cap. */
  readonly dailySpendCap: Credits | null
  readonly premiumAllowance: Credits
  readonly ratePerMinute: number
  readonly runRequired: boolean
  readonly createdAtMillis: number
}

export class KeyStore extends Context.Service<
  KeyStore,
  {
    readonly insert: (key: ApiKey, secretHash: string) => InTx<void>
    readonly get: (keyId: string) => FromStore<Option.Option<ApiKey>>
    /** The SHA-256 of the secret of a key of this workspace, under which its calls are admitted. */
    readonly hashOf: (workspaceId: string, keyId: string) => FromStore<Option.Option<string>>
    /** Locks the key, so that a concurrent admission decides entirely before or after the change. */
    readonly lock: (keyId: string) => InTx<Option.Option<ApiKey>>
    readonly update: (key: ApiKey) => InTx<void>
    /** What each key of a workspace spent and holds in the month (`YYYY-MM`, UTC). Empty if no keys are named. */
    readonly spentIn: (workspaceId: string, month: string) => FromStore<ReadonlyMap<string, Credits>>
    readonly list: (workspaceId: string) => FromStore<ReadonlyArray<ApiKey>>
  }
>()("@outbound/domain/calls/keys/KeyStore") {}
