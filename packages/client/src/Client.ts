import type { AnyVerb, ErrorsOf, ResultOf, WouldOf } from "@outbound/domain/verbs/Verb.js"
import { type VerbName, verbs, type Verbs } from "@outbound/domain/verbs/verbs.js"
import { Duration, Effect, Schedule, Schema, type Scope } from "effect"
import { IDEMPOTENCY_KEY, RUN_ID } from "./Headers.js"
import { NoAnswer } from "./NoAnswer.js"
import { type AnyRefusal, Refusal } from "./Refusal.js"
import { RpcClient, RpcClientError } from "./Rpc.js"
import type { Documented, VerbWords } from "./words/Documented.js"
import { type Answered, type HasDryRun, type Planned, type RequestWire, verbGroup } from "./VerbGroup.js"

/** How long a call is waited for, and how often it is sent. */
export interface Patience {
  /** The longest that one attempt may take. Default: five minutes. */
  readonly attemptMillis?: number
  /** The longest that a call may take, with all of its attempts and the waits between. Default: no bound of its own. */
  readonly callMillis?: number
  /** How often a call is sent again, at most, after what may be retried. 0: never. Default: 4. */
  readonly retriesMax?: number
  /** A service that asks for more patience than this is left to its caller. Default: 30. */
  readonly retryAfterSecondsMax?: number
}

export interface CallOptions extends Patience {
  /** The same key makes it the same call. Unless it is given, every call that acts gets a fresh one. */
  readonly idempotencyKey?: string | undefined
  /** The run whose budget the call spends. */
  readonly runId?: string | undefined
  /** Gives the call up: it fails with `NoAnswer`, `aborted`. */
  readonly signal?: AbortSignal | undefined
}

/** Why a call has no result: the service refused it, or nobody knows what became of it. */
export type CallError = AnyRefusal | NoAnswer

/** The same of one verb: its own refusals alone. */
export type CallErrorOf<V extends AnyVerb> = { readonly [C in ErrorsOf<V>]: Refusal<C> }[ErrorsOf<V>] | NoAnswer

type Called<V extends AnyVerb, Result> = Effect.Effect<Answered<Result>, CallErrorOf<V>>

/** A verb's request, with what its members mean. */
type RequestTo<V extends AnyVerb> = Documented<V["name"] & VerbName, RequestWire<V>>

/** A request's argument; none is needed where nothing is required. */
type Arguments<Request> =
  Record<never, never> extends Request
    ? readonly [request?: Request, options?: CallOptions]
    : readonly [request: Request, options?: CallOptions]

interface Acting<V extends AnyVerb> {
  (request: RequestTo<V> & { readonly dry_run: true }, options?: CallOptions): Called<V, Planned<WouldOf<V>>>
  (request: RequestTo<V> & { readonly dry_run?: false }, options?: CallOptions): Called<V, ResultOf<V>>
}

type Method<V extends AnyVerb> =
  HasDryRun<V> extends true ? Acting<V> : (...args: Arguments<RequestTo<V>>) => Called<V, ResultOf<V>>

/** Every verb as a method: its request as by REST, its answer with what it cost. */
export type Client = { readonly [N in keyof VerbWords]: Method<Verbs[N]> }

const PATIENCE = { attemptMillis: 300_000, callMillis: Infinity, retriesMax: 4, retryAfterSecondsMax: 30 }
const RETRY_MILLIS = 250

/** How long the service asks to wait; nothing where it does not say. */
const waitOf = (error: CallError): number =>
  error instanceof Refusal && "retry_after_seconds" in error.details ? Number(error.details["retry_after_seconds"]) : 0

/** What may be sent again: by the service's own word, or, where no answer came, because the same key makes it safe. */
const mayRepeat =
  ({ retryAfterSecondsMax }: Required<Patience>) =>
  (error: CallError): boolean =>
    error.isRetryable && waitOf(error) <= retryAfterSecondsMax

const retries = ({ retriesMax }: Required<Patience>) =>
  Schedule.max([
    Schedule.jittered(Schedule.exponential(Duration.millis(RETRY_MILLIS))),
    Schedule.recurs(retriesMax)
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
) => Effect.Effect<Answered<unknown>, AnyRefusal | RpcClientError>

/** Fails once the signal says so. */
const aborted = (signal: AbortSignal): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (signal.aborted) return resume(Effect.void)
    const onAbort = () => resume(Effect.void)
    signal.addEventListener("abort", onAbort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", onAbort))
  })

const causeOf = (error: RpcClientError): string =>
  error.reason._tag === "RpcClientDefect" ? error.reason.message : "The service gave no answer."

/** A request that can't be written down is refused as the service refuses one. Nothing was sent. */
const unsendable = (request: unknown): AnyRefusal | null => {
  try {
    if (typeof request === "object" && request !== null && !Array.isArray(request)) {
      JSON.stringify(request)
      return null
    }
  } catch {
    // Said below.
  }
  return new Refusal<"invalid_request">({
    code: "invalid_request",
    message: "The request is invalid. details.issues lists each error.",
    requestId: "",
    details: { issues: [{ path: "", message: "must be an object that JSON can hold" }] }
  })
}

/** The client, over whichever protocol is provided: by HTTP, in process, or another of `effect/rpc`. */
export const makeWith = (given: Patience): Effect.Effect<Client, never, RpcClient.Protocol | Scope.Scope> =>
  Effect.map(RpcClient.make(verbGroup, { spanPrefix: "outbound" }), (rpc) => {
    const methods = rpc as unknown as Readonly<Record<VerbName, AnyMethod>>
    const call =
      (verb: AnyVerb) =>
      (request: object = {}, options: CallOptions = {}): Effect.Effect<Answered<unknown>, CallError> =>
        // The key is chosen before the first attempt, so that all of them are one call.
        Effect.suspend(() => {
          const refusal = unsendable(request)
          if (refusal !== null) return Effect.fail(refusal)
          const name = verb.name as VerbName
          const headers = headersOf(verb, request, options)
          const { signal, ...own } = options
          const patience: Required<Patience> = { ...PATIENCE, ...given, ...own }
          const none = (reason: NoAnswer["reason"], message: string, cause?: unknown) =>
            new NoAnswer({ reason, verb: name, idempotencyKey: headers[IDEMPOTENCY_KEY], message, cause })
          const inTime = (millis: number, what: string) => (one: Effect.Effect<Answered<unknown>, CallError>) =>
            millis === Infinity
              ? one
              : Effect.timeoutOrElse(one, {
                  duration: millis,
                  orElse: () => Effect.fail(none("timed_out", `${what} took longer than ${millis} ms.`))
                })
          const attempt = methods[name](request, { headers }).pipe(
            Effect.mapError((error) =>
              error instanceof RpcClientError ? none("unreachable", causeOf(error), error) : error
            ),
            Effect.catchDefect((defect) =>
              Schema.isSchemaError(defect)
                ? Effect.fail(none("unreadable", "The service answered what this version does not understand.", defect))
                : Effect.die(defect)
            ),
            inTime(patience.attemptMillis, "An attempt")
          )
          const all = Effect.retry(attempt, { schedule: retries(patience), while: mayRepeat(patience) }).pipe(
            inTime(patience.callMillis, "The call")
          )
          return signal === undefined
            ? all
            : Effect.raceFirst(
                all,
                Effect.flatMap(aborted(signal), () =>
                  Effect.fail(none("aborted", "The call was given up.", signal.reason))
                )
              )
        })
    return Object.fromEntries(Object.values(verbs).map((verb) => [verb.name, call(verb)])) as unknown as Client
  })

/** The client with the usual patience. */
export const make: Effect.Effect<Client, never, RpcClient.Protocol | Scope.Scope> = makeWith({})
