import { Context, type Option } from "effect"
import type { FromStore, InTx } from "../kernel/ports/UnitOfWork.js"
import type { ChangeRequestState } from "./ChangeRequestMachine.js"
import type { KeyPolicy, PolicyChange } from "./PolicyChange.js"

/** A loosening that a key asked for and only an owner may decide. Only the decision changes it. */
export interface ChangeRequest {
  readonly changeRequestId: string
  readonly workspaceId: string
  /** The key whose policy would change. */
  readonly keyId: string
  /** The key that asked. */
  readonly requestedByKeyId: string
  readonly change: PolicyChange
  /** The key's policy at the time of the request. */
  readonly before: KeyPolicy
  readonly state: ChangeRequestState
  readonly requestId: string
  readonly createdAtMillis: number
  readonly decidedAtMillis: number | null
  readonly decidedByUserId: string | null
}

export interface ChangeRequestSummary {
  readonly request: ChangeRequest
  readonly keyName: string
  readonly requestedByName: string
  readonly decidedByEmail: string | null
}

export class ChangeRequestStore extends Context.Service<
  ChangeRequestStore,
  {
    readonly insert: (request: ChangeRequest) => InTx<void>
    readonly update: (request: ChangeRequest) => InTx<void>
    readonly get: (workspaceId: string, changeRequestId: string) => FromStore<Option.Option<ChangeRequest>>
    /** A key's open requests, oldest first. They change only under that key's lock. */
    readonly openOfKey: (workspaceId: string, keyId: string) => FromStore<ReadonlyArray<ChangeRequest>>
    /** Newest first, at most `limit`. */
    readonly list: (
      workspaceId: string,
      which: "open" | "closed",
      limit: number
    ) => FromStore<ReadonlyArray<ChangeRequestSummary>>
  }
>()("@outbound/domain/control/ChangeRequestStore") {}
