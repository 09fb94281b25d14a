import type { Effect, Either } from "effect"
import type { AnyWireError } from "../kernel/errors/Wire.js"
import type { ApiKey } from "./keys/KeyStore.js"
import type { Credits } from "../kernel/money/Credits.js"
import type { ProviderSet } from "../sources/ports/Providers.js"
import type { StoreUnavailable, Tx } from "../kernel/ports/UnitOfWork.js"
import type { AnyVerb, RequestOf, ResultOf, WouldOf } from "../verbs/Verb.js"
import type { Route } from "../sources/ports/Source.js"
import type { WorkspaceKind } from "../kernel/workspaces/WorkspaceStore.js"
import type { AdmittedCall, Reservation, Settlement, SubjectCheck } from "./Attempt.js"
import type { Events } from "./Events.js"

/** What a plan may depend on: who calls, and which sources serve them. */
export interface PlanContext {
  readonly key: ApiKey
  readonly providers: ProviderSet
}

/** Who calls, and under what the call is bound. */
export interface CallScope {
  readonly requestId: string
  readonly workspaceId: string
  readonly workspaceKind: WorkspaceKind
  readonly keyId: string
  readonly nowMillis: number
  /** SHA-256 of verb and canonical request, without `dry_run` and tokens. */
  readonly baseFingerprint: string
  /** SHA-256 of the confirmation or offer token that the request holds. */
  readonly tokenHash: string | null
  readonly idempotencyKey: string | null
}

/** How a call ended well, or in part. */
export interface Finish<Result> {
  readonly result: Result
  /** At most the plan's maximum. */
  readonly charge: Credits
  /** The approval, or the offer, whose token stands blank (`""`) in the result's `confirmation_token` or `offer_token`. */
  readonly approvalId?: string
  readonly cache?: NonNullable<Settlement["cache"]>
  /** What a repeat under the same Idempotency-Key is told, where the result can't be given again. */
  readonly repeat?: AnyWireError
  /** What it failed with after a part was delivered, which is charged. The handler then fails with it as well. */
  readonly failure?: AnyWireError
  /** A final refusal after an effect: a repeat is told the same. `Call.refuseIn` sets it. */
  readonly refusal?: AnyWireError
  /** The answer broke off, or its client left. */
  readonly interrupted?: true
}

/** A settled call: what is answered, and what a repeat is answered. Only `Call.settle` and `settleIn` make one. */
export interface Finished {
  readonly body: string
  readonly charged: Credits
  readonly available: Credits
  readonly approvalId: string | null
}

/** An admitted call in its handler's hands. A handler ends it with exactly one of `settle` and `settleIn`. */
export interface Call<P extends Reservation, Result> extends CallScope {
  readonly plan: P
  readonly admitted: AdmittedCall<P>
  readonly providers: ProviderSet
  /** The call's answer, event by event; null where its surface takes none. */
  readonly events: Events | null
  readonly settle: (finish: Finish<Result>) => Effect.Effect<Finished, StoreUnavailable | AnyWireError>
  /** In the handler's own transaction, last: it locks the account. */
  readonly settleIn: (finish: Finish<Result>) => Effect.Effect<Finished, StoreUnavailable | AnyWireError, Tx>
  /**
   * Instead of these: ends the call with a final refusal that had an effect, in the transaction of that effect. It is
   * kept for repeats. Once the transaction stands the handler fails with it.
   */
  readonly refuseIn: (refusal: AnyWireError) => Effect.Effect<void, StoreUnavailable | AnyWireError, Tx>
}

/** What a verb does. Its plan is pure and serves dry run and call alike. */
export interface Handler<V extends AnyVerb, P extends Plan = Plan> {
  readonly plan: (request: RequestOf<V>, context: PlanContext) => Either.Either<P, AnyWireError>
  /** Looks at what the call is about, without changing anything. */
  readonly subject?: (request: RequestOf<V>, scope: CallScope) => Effect.Effect<SubjectCheck, StoreUnavailable>
  /** The verb's part of a dry-run plan. */
  readonly would?: (
    request: RequestOf<V>,
    plan: P,
    scope: CallScope
  ) => Effect.Effect<WouldOf<V>, AnyWireError | StoreUnavailable>
  readonly perform: (
    request: RequestOf<V>,
    call: Call<P, ResultOf<V>>
  ) => Effect.Effect<Finished, AnyWireError | StoreUnavailable>
}

export interface Plan extends Reservation {
  readonly warnings: ReadonlyArray<string>
  /** Set where the verb takes a route. */
  readonly route: { readonly used: Route; readonly source: "request" | "default" } | null
}

/** The plan of a verb that costs nothing. */
export const freePlan = (maximum: Credits): Plan => ({ maximum, capabilities: [], warnings: [], route: null })
