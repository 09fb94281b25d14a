import type { AnyVerb, ResultOf, WouldOf } from "@outbound/domain/verbs/Verb.js"
import { type VerbName, verbs, type Verbs } from "@outbound/domain/verbs/verbs.js"
import { Duration, Effect, Schedule, type Scope } from "effect"
import { IDEMPOTENCY_KEY, RUN_ID } from "./Headers.js"
import { type AnyRefusal, Refusal } from "./Refusal.js"
import { RpcClient, type RpcClientError } from "./Rpc.js"
import { type Answered, type HasDryRun, type Planned, type RequestWire, verbGroup } from "./VerbGroup.js"

export interface CallOptions {
  /** The same key makes it the same call. Unless it is given, every call that acts gets a fresh one. */
  readonly idempotencyKey?: string
  /** The run whose budget the call spends. */
  readonly runId?: string
}

/** Why a call has no result: the service refused it, or nobody knows what became of it. */
export type CallError = AnyRefusal | RpcClientError

type Called<Result> = Effect.Effect<Answered<Result>, CallError>

/** A request's argument; none is needed where nothing is required. */
type Arguments<Request> =
  Record<never, never> extends Request
    ? readonly [request?: Request, options?: CallOptions]
    : readonly [request: Request, options?: CallOptions]

interface Acting<V extends AnyVerb> {
  (request: RequestWire<V> & { readonly dry_run: true }, options?: CallOptions): Called<Planned<WouldOf<V>>>
  (request: RequestWire<V> & { readonly dry_run?: false }, options?: CallOptions): Called<ResultOf<V>>
}

type Method<V extends AnyVerb> =
  HasDryRun<V> extends true ? Acting<V> : (...args: Arguments<RequestWire<V>>) => Called<ResultOf<V>>

/** Every verb as a method: its request as by REST, its answer with what it cost. */
export type Client = { readonly [N in VerbName]: Method<Verbs[N]> }

/** How often a call is sent again, at most, after what the service says may be retried. */
const RETRIES_MAX = 4
const RETRY_MILLIS = 250
/** A service that asks for more patience than this is left to its caller. */
const RETRY_AFTER_SECONDS_MAX = 30

/** How long the service asks to wait; nothing where it does not say. */
const waitOf = (error: CallError): number =>
  error instanceof Refusal && "retry_after_seconds" in error.details ? Number(error.details["retry_after_seconds"]) : 0

/** What may be sent again: by the service's own word, or, where no answer came, because the same key makes it safe. */
const mayRepeat = (error: CallError): boolean =>
  error instanceof Refusal ? error.isRetryable && waitOf(error) <= RETRY_AFTER_SECONDS_MAX : true

const retries = Schedule.max([
  Schedule.jittered(Schedule.exponential(Duration.millis(RETRY_MILLIS))),
  Schedule.recurs(RETRIES_MAX)
]).pipe(
  Schedule.setInputType<CallError>(),
  Schedule.modifyDelay(({ duration, input }) =>
    Effect.succeed(Duration.millis(Math.max(Math.ceil(Duration.toMillis(duration)), waitOf(input) * 1_000)))
  )
)

const isDryRun = (request: object): boolean => "dry_run" in request && request.dry_run === true

const headersOf = (verb: AnyVerb, request: object, { idempotencyKey, runId }: CallOptions): Record<string, string> => {
  const takesKey = verb.idempotency !== "none" && !isDryRun(request)
  const key = idempotencyKey ?? (takesKey ? crypto.randomUUID() : undefined)
  return {
    ...(key === undefined ? {} : { [IDEMPOTENCY_KEY]: key }),
    ...(runId === undefined ? {} : { [RUN_ID]: runId })
  }
}

/** Any method of the group, over which the verbs are looped. */
type AnyMethod = (
  request: object,
  options: { readonly headers: Record<string, string> }
) => Effect.Effect<Answered<unknown>, CallError>

/** The client, over whichever protocol is provided: by HTTP, in process, or another of `effect/rpc`. */
export const make: Effect.Effect<Client, never, RpcClient.Protocol | Scope.Scope> = Effect.map(
  RpcClient.make(verbGroup, { spanPrefix: "outbound" }),
  (rpc) => {
    const methods = rpc as unknown as Readonly<Record<VerbName, AnyMethod>>
    const call =
      (verb: AnyVerb) =>
      (request: object = {}, options: CallOptions = {}) =>
        // The key is chosen before the first attempt, so that all of them are one call.
        Effect.suspend(() => {
          const headers = headersOf(verb, request, options)
          return Effect.retry(methods[verb.name as VerbName](request, { headers }), {
            schedule: retries,
            while: mayRepeat
          })
        })
    return Object.fromEntries(Object.values(verbs).map((verb) => [verb.name, call(verb)])) as unknown as Client
  }
)
