import { Context, type Option } from "effect"
import type { Credits } from "../../kernel/money/Credits.js"
import type { Job } from "../../kernel/ports/LongWork.js"
import type { CapacityOrder } from "../../sources/ports/SendingProvider.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { OperationStatus } from "./OperationMachine.js"

export interface OperationRef {
  readonly workspaceId: string
  readonly operationId: string
}

/** The key of a job that is about one thing of one workspace. Ids contain no slash. */
export const keyOf = ({ operationId, workspaceId }: OperationRef): string => `${workspaceId}/${operationId}`

export const refOf = (key: string): OperationRef => {
  const [workspaceId = "", operationId = ""] = key.split("/")
  return { workspaceId, operationId }
}

export const operationJob = (ref: OperationRef): Job => ({ kind: "operation", key: keyOf(ref) })

export interface OperationItem {
  readonly id: string
  readonly kind: string
  readonly status: "pending" | "active" | "done" | "failed"
  readonly detail: string | null
}

/** Lists of data calls, each named as its verb. */
export const LIST_KINDS = ["verify_emails", "enrich_people", "find_intent_of_list"] as const

export const OPERATION_KINDS = ["setup_sending", "reply", ...LIST_KINDS] as const

interface OperationOf<Kind extends (typeof OPERATION_KINDS)[number]> {
  readonly workspaceId: string
  readonly operationId: string
  readonly kind: Kind
  readonly status: OperationStatus
  /** The call that caused it. */
  readonly requestId: string
  readonly items: ReadonlyArray<OperationItem>
  readonly error: string | null
  readonly createdAtMillis: number
  readonly updatedAtMillis: number
  readonly finishedAtMillis: number | null
}

export interface PurchaseOperation extends OperationOf<"setup_sending"> {
  readonly order: CapacityOrder
  /** The price per domain; refunded for undelivered ones. */
  readonly creditsPerDomain: Credits
}

/** A reply in a thread. Its id is that of the call that sends it. */
export type ReplyOperation = OperationOf<"reply">

/** A list of rows, which are kept apart (`lists/ListStore.ts`). Its call holds the reservation. */
export type ListOperation = OperationOf<(typeof LIST_KINDS)[number]>

export type Operation = PurchaseOperation | ReplyOperation | ListOperation

export const isList = (operation: Operation): operation is ListOperation =>
  LIST_KINDS.some((kind) => kind === operation.kind)

export class OperationStore extends Context.Service<
  OperationStore,
  {
    readonly insert: (operation: Operation) => InTx<void>
    readonly get: (workspaceId: string, operationId: string) => FromStore<Option.Option<Operation>>
    readonly lock: (workspaceId: string, operationId: string) => InTx<Option.Option<Operation>>
    readonly update: (operation: Operation) => InTx<void>
    /** Unfinished operations, oldest first. */
    readonly open: (limit: number) => FromStore<ReadonlyArray<OperationRef>>
  }
>()("@outbound/domain/outreach/operations/OperationStore") {}
