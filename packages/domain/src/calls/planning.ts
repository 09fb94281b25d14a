import { Either, SchemaAST as AST } from "effect"
import { type AnyWireError, refuse } from "../kernel/errors/Wire.js"
import type { Capability } from "../verbs/Policy.js"
import { type Credits, format, fromNumberRoundedDown, times, wholeUnits } from "../kernel/money/Credits.js"
import type { Route, Source } from "../sources/ports/Source.js"
import type { AnyVerb } from "../verbs/Verb.js"
import type { Plan } from "./Handler.js"

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
  if (AST.isRefinement(ast) || AST.isTransformation(ast)) return takesRoute(ast.from)
  return AST.isTypeLiteral(ast) && ast.propertySignatures.some(({ name }) => name === "route")
}

export const budgetTooLow = (minimum: Credits): AnyWireError =>
  refuse("invalid_request", { reason: "budget_too_low", minimum_credits: minimum })

/** The plan of a call that can't be made smaller. Refuses a ceiling below its price. */
export const planWithin = (request: CeilingFields, price: Credits): Either.Either<Plan, AnyWireError> => {
  const ceiling = ceilingOf(request)
  return ceiling !== null && ceiling < price
    ? Either.left(budgetTooLow(price))
    : Either.right({ maximum: price, capabilities: capabilitiesOf(request), warnings: [], route: null })
}

/** The largest limit within a ceiling. Refused if the ceiling doesn't cover a single result. */
export const lowerLimit = (
  limit: number,
  price: Credits,
  ceiling: Credits | null
): Either.Either<{ readonly limit: number; readonly lowered: boolean }, AnyWireError> => {
  const fits = ceiling === null ? limit : Math.min(limit, wholeUnits(ceiling, price))
  return fits < 1 ? Either.left(budgetTooLow(price)) : Either.right({ limit: fits, lowered: fits < limit })
}

/**
 * Refuses a verb without a usable source. `configured`: all sources of the verb; `sources`: those that can serve this
 * request.
 */
export const served = <S>(
  verb: string,
  sources: ReadonlyArray<S>,
  configured: ReadonlyArray<S> = sources
): Either.Either<ReadonlyArray<S>, AnyWireError> => {
  if (sources.length > 0) return Either.right(sources)
  const reason =
    configured.length === 0
      ? "no provider is configured for this workspace"
      : "no provider of this workspace supports this request"
  return Either.left(refuse("tool_unavailable", { tool: verb, reason }))
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
): Either.Either<ListPlan<S>, AnyWireError> => {
  const requested = request.limit ?? options.limitDefault
  const route = routeOf(request)
  return Either.map(lowerLimit(requested, options.price, ceilingOf(request)), ({ limit, lowered }) => ({
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
