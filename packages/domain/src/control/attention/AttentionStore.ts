import { Context, type Option } from "effect"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { Look, Plan } from "./plan.js"

/** A plan with what was said of its items. */
export interface Attended {
  readonly plan: Plan
  /** In the order of their positions. */
  readonly looks: ReadonlyArray<Look>
}

/** The same with the address of the person. */
export interface ListedAttention extends Attended {
  readonly email: string
}

/** What people are asked to look at before they approve, and what they said. */
export class AttentionStore extends Context.Service<
  AttentionStore,
  {
    /** Keeps the plan, unless this person has one for this request. */
    readonly keep: (plan: Plan) => InTx<void>
    /** Of everybody who was asked, in the order in which their plans were drawn. */
    readonly ofApproval: (workspaceId: string, approvalId: string) => FromStore<ReadonlyArray<ListedAttention>>
    readonly find: (workspaceId: string, approvalId: string, userId: string) => FromStore<Option.Option<Attended>>
    /** Keeps what somebody says of an item, in place of what they said before. */
    readonly say: (plan: Pick<Plan, "approvalId" | "userId" | "workspaceId">, look: Look) => InTx<void>
    /** The latest plans of requests that are decided, newest first. */
    readonly latest: (workspaceId: string, limit: number) => FromStore<ReadonlyArray<ListedAttention>>
  }
>()("@outbound/domain/control/attention/AttentionStore") {}
