import { Effect, Result, SchemaAST as AST } from "effect"
import { type AnyWireError, refuse } from "../kernel/errors/Wire.js"
import type { ApiKey } from "./keys/KeyStore.js"
import { type Credits, format, fromNumberRoundedDown, times, wholeUnits, zero } from "../kernel/money/Credits.js"
import type { UploadedRow } from "../kernel/tables/UploadedRow.js"
import type { ProviderSet } from "../sources/ports/Providers.js"
import type { EmailStatus } from "../sources/ports/EmailVerifier.js"
import type { Announcement } from "../kernel/ports/LongWork.js"
import type { FromStore, InTx } from "../kernel/ports/UnitOfWork.js"
import { wireOf } from "../verbs/keywords.js"
import type { AnyVerb, RequestOf, ResultOf, WouldOf } from "../verbs/Verb.js"
import type { Route, Source } from "../sources/ports/Source.js"
import type { WorkspaceKind } from "../kernel/workspaces/WorkspaceStore.js"
import type { AdmittedCall, Reservation, Settlement, SubjectCheck } from "./Attempt.js"
import type { Events } from "./Calls.js"
import type { Capability } from "../verbs/Policy.js"

/** What a plan may depend on: the caller, when they call, and the sources that serve it. */
export interface PlanContext {
  readonly key: ApiKey
  readonly nowMillis: number
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
  /** Beside each row of a list, what a person uploaded; null: nothing was. */
  readonly uploaded: ReadonlyArray<UploadedRow> | null
}

/** What a call found out about an address, which is normalised. */
export interface FoundVerdict {
  readonly email: string
  readonly status: EmailStatus
}

/** How a call ended, fully or partly successful. */
export interface Finish<Result> {
  readonly result: Result
  /** Never more than the plan's maximum. */
  readonly charge: Credits
  /** The approval or offer whose token is blank (`""`) in the result's `confirmation_token` or `offer_token`. */
  readonly approvalId?: string
  readonly cache?: NonNullable<Settlement["cache"]>
  /** What the call found out about whether an address takes mail. */
  readonly verdict?: FoundVerdict
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

/** How a call ends in the transaction of what it did. */
export interface FinishIn<Result> extends Finish<Result> {
  /** The jobs about what it wrote, woken once the transaction is committed. */
  readonly wakes?: ReadonlyArray<Announcement>
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
  /** Settles in the handler's own transaction. It locks the account, then the keys of the jobs, so call it last. */
  readonly settleIn: (finish: FinishIn<Result>) => InTx<Finished, AnyWireError>
  /**
   * Answers the call in the handler's own transaction, and keeps its reservation open for the operation that it began.
   * Only for a verb that `accepts`. It locks what `settleIn` does, so call it last.
   */
  readonly acceptIn: (result: Result, wakes: ReadonlyArray<Announcement>) => InTx<Finished, AnyWireError>
  /**
   * Ends the call with a final refusal, in the transaction of the refusal's effect. Repeats get the same refusal. After
   * the commit the handler fails with it.
   */
  readonly refuseIn: (refusal: AnyWireError) => InTx<void, AnyWireError>
}

/** A verb's behaviour. Its plan is pure and serves both dry run and call. */
export interface Handler<V extends AnyVerb, P extends Plan = Plan> {
  readonly plan: (request: RequestOf<V>, context: PlanContext) => Result.Result<P, AnyWireError>
  /** Reads the call's subject without changing anything. */
  readonly subject?: (request: RequestOf<V>, scope: CallScope) => FromStore<SubjectCheck>
  /** The verb's part of a dry-run plan. */
  readonly would?: (request: RequestOf<V>, plan: P, scope: CallScope) => FromStore<WouldOf<V>, AnyWireError>
  /** What a dry run warns of beside the plan's own warnings. */
  readonly warnings?: (
    request: RequestOf<V>,
    plan: P,
    scope: CallScope
  ) => FromStore<ReadonlyArray<string>, AnyWireError>
  readonly perform: (request: RequestOf<V>, call: Call<P, ResultOf<V>>) => FromStore<Finished, AnyWireError>
}

export interface Plan extends Reservation {
  readonly warnings: ReadonlyArray<string>
  /** Set if the verb takes a route. */
  readonly route: { readonly used: Route; readonly source: "request" | "default" } | null
}

export const FREE_PLAN: Plan = { maximum: zero, capabilities: [], warnings: [], route: null }

/** Plans a verb that costs nothing. */
export const free = (): Result.Result<Plan> => Result.succeed(FREE_PLAN)

/** A verb that costs nothing and only answers: what `answer` finds is settled without a charge. */
export const answering = <V extends AnyVerb>(
  answer: (request: RequestOf<V>, call: Call<Plan, ResultOf<V>>) => FromStore<ResultOf<V>, AnyWireError>
): Handler<V> => ({
  plan: free,
  perform: (request, call) => Effect.flatMap(answer(request, call), (result) => call.settle({ result, charge: zero }))
})

/** A ceiling in either form that a request can use. */
export interface CeilingFields {
  readonly budget_credits?: number | undefined
  readonly max_credits?: Credits | undefined
}

export const ceilingOf = (request: CeilingFields): Credits | null =>
  request.max_credits ?? (request.budget_credits === undefined ? null : fromNumberRoundedDown(request.budget_credits))

/** Capabilities of the key that the request needs. A key without the choice gets `balanced`. */
export const capabilitiesOf = (
  request: CeilingFields & { readonly route?: Route | undefined }
): ReadonlyArray<Capability> => [
  ...(ceilingOf(request) === null ? [] : ["ceilings" as const]),
  ...(request.route === undefined || request.route === "balanced" ? [] : ["route_choice" as const])
]

export const routeOf = (request: { readonly route?: Route | undefined }): NonNullable<Plan["route"]> => ({
  used: request.route ?? "balanced",
  source: request.route === undefined ? "default" : "request"
})

/** The route of any verb's request; null if the verb takes none. A repeat has the same request, so the same route. */
export const routeOfRequest = (verb: AnyVerb, request: unknown): Plan["route"] =>
  takesRoute(verb.request.ast) ? routeOf(request as { readonly route?: Route | undefined }) : null

const takesRoute = (ast: AST.AST): boolean => {
  const wire = wireOf(ast)
  return AST.isObjects(wire) && wire.propertySignatures.some(({ name }) => name === "route")
}

export const budgetTooLow = (minimum: Credits): AnyWireError =>
  refuse("invalid_request", { reason: "budget_too_low", minimum_credits: minimum })

/** The plan of a call that can't be made smaller. Refuses a ceiling below its price. */
export const planWithin = (request: CeilingFields, price: Credits): Result.Result<Plan, AnyWireError> => {
  const ceiling = ceilingOf(request)
  return ceiling !== null && ceiling < price
    ? Result.fail(budgetTooLow(price))
    : Result.succeed({ maximum: price, capabilities: capabilitiesOf(request), warnings: [], route: null })
}

/** The largest limit within a ceiling. Refused if the ceiling doesn't cover a single result. */
export const lowerLimit = (
  limit: number,
  price: Credits,
  ceiling: Credits | null
): Result.Result<{ readonly limit: number; readonly lowered: boolean }, AnyWireError> => {
  const fits = ceiling === null ? limit : Math.min(limit, wholeUnits(ceiling, price))
  return fits < 1 ? Result.fail(budgetTooLow(price)) : Result.succeed({ limit: fits, lowered: fits < limit })
}

/**
 * Refuses a verb without a usable source. `configured`: all sources of the verb; `sources`: those that can serve this
 * request.
 */
export const served = <S>(
  verb: string,
  sources: ReadonlyArray<S>,
  configured: ReadonlyArray<S> = sources
): Result.Result<ReadonlyArray<S>, AnyWireError> => {
  if (sources.length > 0) return Result.succeed(sources)
  const reason =
    configured.length === 0
      ? "no provider is configured for this workspace"
      : "no provider of this workspace supports this request"
  return Result.fail(refuse("tool_unavailable", { tool: verb, reason }))
}

/** The plan of a list. A ceiling shortens the list instead of refusing it. */
export interface ListPlan<S extends Source> extends Plan {
  readonly limit: number
  readonly budgetApplied: { readonly limit_requested: number; readonly limit_used: number } | null
  readonly sources: ReadonlyArray<S>
}

export const planList = <S extends Source>(
  request: CeilingFields & { readonly limit?: number | undefined; readonly route?: Route | undefined },
  options: { readonly price: Credits; readonly limitDefault: number; readonly sources: ReadonlyArray<S> }
): Result.Result<ListPlan<S>, AnyWireError> => {
  const requested = request.limit ?? options.limitDefault
  const route = routeOf(request)
  return Result.map(lowerLimit(requested, options.price, ceilingOf(request)), ({ limit, lowered }) => ({
    maximum: times(options.price, limit),
    capabilities: capabilitiesOf(request),
    warnings: [],
    route,
    limit,
    budgetApplied: lowered ? { limit_requested: requested, limit_used: limit } : null,
    sources: options.sources
  }))
}

/** What a dry run says of the money: the most that the call can cost, and the caller's own limit. */
export const wouldSpend = (request: CeilingFields, { maximum }: { readonly maximum: Credits }) => {
  const ceiling = ceilingOf(request)
  return { maximum_credits: format(maximum), budget_credits: ceiling === null ? null : format(ceiling) }
}

/** A list's part of a dry run. */
export const listWould = (request: CeilingFields, plan: ListPlan<Source>) => ({
  limit: plan.limit,
  budget_applied: plan.budgetApplied,
  candidate_sources: plan.sources.length,
  ...wouldSpend(request, plan)
})
