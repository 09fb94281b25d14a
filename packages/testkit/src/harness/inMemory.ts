/** The service in memory for tests that are written with promises, under any runner or none. */
import { Admin } from "@outbound/domain/app/Admin.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import type { ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import type { Scope } from "@outbound/domain/verbs/Policy.js"
import type { ResultOf } from "@outbound/domain/verbs/Verb.js"
import { type VerbName, verbs, type Verbs } from "@outbound/domain/verbs/verbs.js"
import { Clock, Effect, Layer, ManagedRuntime, References } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour } from "../providers/Faulty.js"
import { type Answered, type Client, decide, makeClient, makeKey, turn, withdraw } from "../service/Client.js"
import { Faults, quietMemory } from "../service/Service.js"

/** So long a step of the clock is: what sends and reads looks after each. */
const STEP_MILLIS = 1_000
/** The most steps of one `advance`. Longer times take longer steps. */
const STEPS_MAX = 2_000

/** A call that was refused, with the code and the details of the contract. */
export class Refused extends Error {
  override readonly name = "Refused"
  constructor(
    readonly code: string,
    readonly status: number,
    readonly details: JsonObject,
    message: string
  ) {
    super(message)
  }
}

export interface Called<Result> {
  readonly result: Result
  readonly svc: { readonly request_id: string; readonly credits_charged: string; readonly credits_available: string }
}

export interface CallOptions {
  /** The Idempotency-Key. Unless it is given, every call that needs one gets a fresh one. */
  readonly key?: string
  /** The run whose budget the call spends. */
  readonly run?: string
}

/** Every verb as a method: its request as by REST, its result, or a rejection with `Refused`. */
export type Agent = {
  readonly [N in VerbName]: (
    request?: Verbs[N]["request"]["Encoded"],
    options?: CallOptions
  ) => Promise<Called<ResultOf<Verbs[N]>>>
}

/** How a source misbehaves. */
export type Misbehaviour =
  | { readonly fails: ProviderFailureReason; readonly said?: string; readonly retryAfterSeconds?: number }
  | "never_answers"
  | "answers_nonsense"
  | "acts_and_fails"

export interface Workspace {
  readonly workspaceId: string
  readonly apiKey: string
  /** The agent under test, by its key. */
  readonly agent: Agent
  /** One more key of the same workspace. */
  readonly newAgent: (options?: { readonly scopes?: ReadonlyArray<Scope> }) => Promise<Agent>
  /** What a dry run plans. */
  readonly plan: (verb: VerbName, request?: object) => Promise<Plan>
  /** The answer as it is, also that of a refusal. */
  readonly call: (verb: VerbName, request?: object, options?: CallOptions) => Promise<Answered>
  /** The person who decides in the console. Each takes the address that the agent was given to show. */
  readonly human: {
    readonly approve: (approvalUrl: string) => Promise<void>
    readonly decline: (approvalUrl: string, reason?: string) => Promise<void>
    readonly withdraw: (approvalUrl: string) => Promise<void>
  }
  readonly grant: (amount: string) => Promise<void>
}

export interface Plan {
  readonly credits_estimate: string
  readonly would_exceed: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
  readonly would: JsonObject
}

export interface InMemory {
  /** A workspace with an owner and a key. */
  readonly workspace: (options?: {
    readonly credits?: string
    readonly scopes?: ReadonlyArray<Scope>
    readonly kind?: "sandbox" | "live"
  }) => Promise<Workspace>
  readonly clock: {
    readonly now: () => Promise<Date>
    /** Lets so many seconds pass, with all that is due on the way. A day of a sequence takes one, as in the sandbox. */
    readonly advance: (seconds: number) => Promise<void>
  }
  /** The sandbox's sources, by name. They do what they always do unless they are told otherwise. */
  readonly sources: {
    readonly behave: (source: string, how: Misbehaviour) => Promise<void>
    /** For the next requests, one each. */
    readonly script: (source: string, ...how: ReadonlyArray<Misbehaviour | "answers">) => Promise<void>
    readonly heal: (source: string) => Promise<void>
    /** What they were asked, oldest first. */
    readonly asked: (source?: string) => Promise<ReadonlyArray<{ readonly source: string; readonly request: unknown }>>
  }
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

const behaviourOf = (how: Misbehaviour | "answers"): Behaviour => {
  if (how === "answers") return Behaviour.Answer()
  if (how === "never_answers") return Behaviour.Never()
  if (how === "answers_nonsense") return Behaviour.Garbage()
  if (how === "acts_and_fails") return Behaviour.ActThenFail({ reason: "unknown_outcome" })
  const { fails: reason, ...more } = how
  return Behaviour.Fail({ reason, ...more })
}

let keys = 0

/** Starts the service in memory: the real domain on memory stores, with the sandbox's world. No port is opened. */
export const inMemory = async (): Promise<InMemory> => {
  // What a test provokes is no news. It is in the refusal.
  const silent = Layer.succeed(References.MinimumLogLevel, "None")
  const runtime = ManagedRuntime.make(Layer.provideMerge(quietMemory, silent))
  type Needs = ManagedRuntime.ManagedRuntime.Services<typeof runtime>
  const run = <A, E>(effect: Effect.Effect<A, E, Needs>): Promise<A> => runtime.runPromise(effect)

  const call = (client: Client, name: VerbName, request: object, { key, run: runId }: CallOptions) => {
    const takesKey = verbs[name].idempotency !== "none" && !("dry_run" in request && request.dry_run === true)
    const own = key ?? (takesKey ? `key-${(keys += 1)}` : undefined)
    return run(
      client.call(name, request as JsonObject, {
        ...(own === undefined ? {} : { key: own }),
        ...(runId === undefined ? {} : { run: runId })
      })
    )
  }

  const succeeded = async (answer: Promise<Answered>): Promise<Called<never>> => {
    const { error, result, status, svc } = await answer
    if (error === undefined) return { result: result as never, svc: svc as never }
    throw new Refused(error.code, status, (error.details ?? {}) as JsonObject, error.message)
  }

  const agentOf = (client: Client): Agent =>
    Object.fromEntries(
      (Object.keys(verbs) as ReadonlyArray<VerbName>).map((name) => [
        name,
        (request: object = {}, options: CallOptions = {}) => succeeded(call(client, name, request, options))
      ])
    ) as unknown as Agent

  const workspaceOf = (client: Client): Workspace => ({
    workspaceId: client.workspaceId,
    apiKey: client.apiKey,
    agent: agentOf(client),
    newAgent: async ({ scopes = [] } = {}) =>
      agentOf(await run(makeKey(client.workspaceId, client.ownerEmail, { scopes }))),
    plan: async (name, request = {}) => {
      const { result } = await succeeded(call(client, name, { ...request, dry_run: true }, {}))
      return (result as { readonly plan: Plan }).plan
    },
    call: (name, request = {}, options = {}) => call(client, name, request, options),
    human: {
      approve: async (approvalUrl) => void (await run(decide(client, approvalUrl, "approve"))),
      decline: async (approvalUrl, reason) =>
        void (await run(decide(client, approvalUrl, "decline", reason === undefined ? undefined : { reason }))),
      withdraw: async (approvalUrl) => void (await run(withdraw(client, approvalUrl)))
    },
    grant: (amount) =>
      run(Effect.asVoid(Effect.flatMap(Admin, (admin) => admin.grantCredits(client.workspaceId, credits(amount)))))
  })

  const advance = (seconds: number) =>
    run(
      Effect.gen(function* () {
        const millis = seconds * 1_000
        const step = Math.max(STEP_MILLIS, Math.ceil(millis / STEPS_MAX))
        yield* turn
        for (let left = millis; left > 0; left -= step) {
          yield* TestClock.adjust(Math.min(step, left))
          yield* turn
        }
      })
    )

  const faulty = <A>(use: (faults: Faults["Service"]) => Effect.Effect<A>) => run(Effect.flatMap(Faults, use))
  const close = () => runtime.dispose()
  // The first request of a test need not wait for it.
  await run(Effect.void)
  await run(TestClock.setTime(Date.now()))
  return {
    workspace: async (options = {}) => workspaceOf(await run(makeClient(options))),
    clock: { now: async () => new Date(await run(Clock.currentTimeMillis)), advance },
    sources: {
      behave: (source, how) => faulty(({ behave }) => behave(source, behaviourOf(how))),
      script: (source, ...how) => faulty(({ script }) => script(source, how.map(behaviourOf))),
      heal: (source) => faulty(({ behave }) => behave(source, Behaviour.Answer())),
      asked: (source) => faulty(({ calls }) => calls(source))
    },
    close,
    [Symbol.asyncDispose]: close
  }
}
