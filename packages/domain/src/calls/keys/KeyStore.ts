import { Context, type Effect, type Option } from "effect"
import type { Credits } from "../../kernel/money/Credits.js"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"
import type { KeyState } from "./KeyMachine.js"
import type { Capability, Scope } from "../../verbs/Policy.js"

/** A key as its owner set it. The secret itself is never kept, only its SHA-256. */
export interface ApiKey {
  readonly keyId: string
  readonly workspaceId: string
  /** Its workspace's kind, which never changes; read with the key. */
  readonly workspaceKind: WorkspaceKind
  readonly name: string
  /** The first characters of the secret, for a person to recognise it by. */
  readonly prefix: string
  readonly state: KeyState
  readonly pausedAtMillis: number | null
  readonly scopes: ReadonlyArray<Scope>
  readonly capabilitiesOff: ReadonlyArray<Capability>
  readonly autonomousExternalActions: boolean
  /** Null: no cap. */
  readonly monthlySpendCap: Credits | null
  readonly premiumAllowance: Credits
  readonly ratePerMinute: number
  readonly runRequired: boolean
  readonly createdAtMillis: number
}

export class KeyStore extends Context.Tag("@outbound/domain/calls/keys/KeyStore")<
  KeyStore,
  {
    readonly insert: (key: ApiKey, secretHash: string) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly get: (keyId: string) => Effect.Effect<Option.Option<ApiKey>, StoreUnavailable>
    /** Locks the key, so that an admission under way decides before or after the change, never across it. */
    readonly lock: (keyId: string) => Effect.Effect<Option.Option<ApiKey>, StoreUnavailable, Tx>
    readonly update: (key: ApiKey) => Effect.Effect<void, StoreUnavailable, Tx>
    /** What each key of a workspace cost and holds in the month (`YYYY-MM`, UTC); nothing where none is named. */
    readonly spentIn: (
      workspaceId: string,
      month: string
    ) => Effect.Effect<ReadonlyMap<string, Credits>, StoreUnavailable>
    readonly list: (workspaceId: string) => Effect.Effect<ReadonlyArray<ApiKey>, StoreUnavailable>
  }
>() {}
