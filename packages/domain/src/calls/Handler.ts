import { Either } from "effect"
import type { AnyWireError } from "../kernel/errors/Wire.js"
import type { ApiKey } from "./keys/KeyStore.js"
import { type Credits, zero } from "../kernel/money/Credits.js"
import type { ProviderSet } from "../sources/ports/Providers.js"
import type { FromStore, InTx } from "../kernel/ports/UnitOfWork.js"
import type { AnyVerb, RequestOf, ResultOf, WouldOf } from "../verbs/Verb.js"
import type { Route } from "../sources/ports/Source.js"
import type { WorkspaceKind } from "../kernel/workspaces/WorkspaceStore.js"
import type { AdmittedCall, Reservation, Settlement, SubjectCheck } from "./Attempt.js"
import type { Events } from "./Events.js"

/** What a plan may depend on: the caller and the sources that serve it. */
export interface PlanContext {
  readonly key: ApiKey
  readonly providers: ProviderSet
}

/** The caller, and what binds the call. */
export interface CallScope {
  readonly requestId: string
  readonly workspaceId: string
  readonly workspaceKind: WorkspaceKind
  readonly keyId: string
  readonly nowMillis: number
  /** SHA-256 of verb and canonical request, without `dry_run` and tokens. */
  readonly baseFingerprint: string
  /** SHA-256 of the request's confirmation or offer token. */
  readonly tokenHash: string | null
  readonly idempotencyKey: string | null
  /** The signed-in person who asks in their own name; null: an agent. */
  readonly byUserId: string | null
}

/** How a call ended, fully or partly successful. */
export interface Finish<Result> {
  readonly result: Result
  /** Never more than the plan's maximum. */
  readonly charge: Credits
  /** The approval or offer whose token is blank (`""`) in the result's `confirmation_token` or `offer_token`. */
  readonly approvalId?: string
  readonly cache?: NonNullable<Settlement["cache"]>
  /** The answer to a repeat under the same Idempotency-Key, if the result can't be given again. */
  readonly repeat?: AnyWireError
  /** The failure after a partial, charged delivery. The handler then fails with it as well. */
  readonly failure?: AnyWireError
  /** A final refusal after an effect; repeats get it too. `Call.refuseIn` sets it. */
  readonly refusal?: AnyWireError
  /** Nothing came of the call. A repeat under the same Idempotency-Key runs as a new call. */
  readonly runsAgain?: true
  /** The answer broke off, or its client disconnected. */
  readonly interrupted?: true
}

/** A settled call: its answer, and the answer to repeats. Only `Call.settle` and `settleIn` create one. */
export interface Finished {
  readonly body: string
  readonly charged: Credits
  readonly available: Credits
  readonly approvalId: string | null
}

/** An admitted call, as its handler sees it. A handler ends it with exactly one `settle` or `settleIn`. */
export interface Call<P extends Reservation, Result> extends CallScope {
  readonly plan: P
  readonly admitted: AdmittedCall<P>
  readonly providers: ProviderSet
  /** The call's event stream; null if its surface accepts none. */
  readonly events: Events | null
  readonly settle: (finish: Finish<Result>) => FromStore<Finished, AnyWireError>
  /** Settles in the handler's own transaction. It locks the account, so call it last. */
  readonly settleIn: (finish: Finish<Result>) => InTx<Finished, AnyWireError>
  /**
   * Answers the call in the handler's own transaction, and keeps its reservation open for the operation that it began.
   * Only for a verb that `accepts`.
   */
  readonly acceptIn: (result: Result) => InTx<Finished, AnyWireError>
  /**
   * Ends the call with a final refusal, in the transaction of the refusal's effect. Repeats get the same refusal. After
   * the commit the handler fails with it.
   */
  readonly refuseIn: (refusal: AnyWireError) => InTx<void, AnyWireError>
}

/** A verb's behaviour. Its plan is pure and serves both dry run and call. */
export interface Handler<V extends AnyVerb, P extends Plan = Plan> {
  readonly plan: (request: RequestOf<V>, context: PlanContext) => Either.Either<P, AnyWireError>
  /** Reads the call's subject without changing anything. */
  readonly subject?: (request: RequestOf<V>, scope: CallScope) => FromStore<SubjectCheck>
  /** The verb's part of a dry-run plan. */
  readonly would?: (request: RequestOf<V>, plan: P, scope: CallScope) => FromStore<WouldOf<V>, AnyWireError>
  readonly perform: (request: RequestOf<V>, call: Call<P, ResultOf<V>>) => FromStore<Finished, AnyWireError>
}

export interface Plan extends Reservation {
  readonly warnings: ReadonlyArray<string>
  /** Set if the verb takes a route. */
  readonly route: { readonly used: Route; readonly source: "request" | "default" } | null
}

export const FREE_PLAN: Plan = { maximum: zero, capabilities: [], warnings: [], route: null }

/** Plans a verb that costs nothing. */
export const free = (): Either.Either<Plan> => Either.right(FREE_PLAN)
