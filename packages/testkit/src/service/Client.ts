import { Admin } from "@outbound/domain/app/Admin.js"
import { ACCEPTED } from "@outbound/domain/calls/envelope.js"
import { type CallResponse, Calls, type EventSink } from "@outbound/domain/calls/Calls.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { type Also, Console } from "@outbound/domain/control/console/Console.js"
import { statusOf, WIRE, WIRE_CODES, type WireCode, WireError } from "@outbound/domain/kernel/errors/Wire.js"
import type { Scope } from "@outbound/domain/verbs/Policy.js"
import type { RateStatus } from "@outbound/domain/calls/keys/RateWindow.js"
import { type Credits, credits, CreditsFromWire } from "@outbound/domain/kernel/money/Credits.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { Inbox } from "@outbound/domain/outreach/replies/Inbox.js"
import { Dispatcher } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { Route, Uuid } from "@outbound/domain/verbs/fields.js"
import { allErrorsOf, type AnswerForm, type AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { type VerbName, verbs } from "@outbound/domain/verbs/verbs.js"
import type { WorkspaceKind } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Clock, Effect, Option, Schema } from "effect"
import { whereThereIsRoom } from "./AsksAgain.js"
import { resting } from "./Rests.js"

/** RFC 3339 UTC with milliseconds (contract: calls, names and times). */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** Credits as the service writes them: without trailing zeros. */
const CREDITS = /^(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/

const RETRY_AFTER_CODES: ReadonlyArray<string> = ["rate_limited", "provider_unavailable"]

const TimestampText = Schema.String.check(Schema.isPattern(TIMESTAMP))

const Svc = Schema.Struct({
  request_id: Uuid,
  credits_charged: CreditsFromWire,
  credits_available: CreditsFromWire,
  replayed: Schema.optional(Schema.Boolean),
  route: Schema.optional(
    Schema.Struct({ used: Route, source: Schema.Literals(["request", "key", "guess", "default"]) })
  )
})

/** Reasons of `invalid_request` that a plan names as limits of their own (contract: calls, dry runs). */
const REASONS_AS_LIMITS = [
  "campaign_state",
  "campaign_full",
  "claims_without_evidence",
  "holdout_late",
  "postal_address_missing",
  "unsubscribe_address_unreachable",
  "list_not_verified",
  "domain_not_authenticated"
] as const

const planOf = (verb: AnyVerb) =>
  Schema.Struct({
    dry_run: Schema.Literal(true),
    advisory: Schema.Literal(true),
    evaluated_at: TimestampText,
    plan: Schema.Struct({
      verb: Schema.Literal(verb.name),
      plan_version: Schema.Literal(verb.planVersion),
      input_version: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)),
      credits_estimate: CreditsFromWire,
      would_exceed: Schema.Array(Schema.Literals([...WIRE_CODES, ...REASONS_AS_LIMITS])),
      warnings: Schema.Array(Schema.String),
      would: verb.would ?? Schema.Never
    })
  })

const ErrorEnvelope = Schema.Struct({
  error: Schema.Struct({
    code: Schema.Literals(WIRE_CODES),
    message: Schema.NonEmptyString,
    request_id: Uuid,
    details: Schema.optional(Schema.Record(Schema.String, Schema.Unknown))
  })
})

const demand = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(what)
}

const decode = <A, I>(schema: Schema.Codec<A, I>, value: unknown): A =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error", errors: "all" })(value)

/** Amounts and timestamps have one form wherever they stand, which a schema of strings does not say. */
const checkForms = (value: unknown, name: string): void => {
  if (Array.isArray(value)) for (const item of value) checkForms(item, name)
  else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) checkForms(member, key)
  } else if (typeof value === "string") {
    if (name.endsWith("_at")) demand(TIMESTAMP.test(value), `${name} is no timestamp: ${value}`)
    // What is left may be less than nothing.
    const amount = name === "credits_after_first_month" ? value.replace(/^-/, "") : value
    if (name.includes("credits")) demand(CREDITS.test(amount), `${name} is no canonical amount: ${value}`)
  }
}

const checkError = (verb: AnyVerb, answer: CallResponse, envelope: unknown): void => {
  const { error } = decode(ErrorEnvelope, envelope)
  const code: WireCode = error.code
  demand(allErrorsOf(verb).includes(code), `${verb.name} does not say that it can answer ${code}`)
  const details = decode(WIRE[code].details as Schema.Codec<unknown>, error.details ?? {}) as never
  demand(answer.status === statusOf(new WireError({ code, details, message: error.message }) as never), "wrong status")
  demand(error.request_id === answer.requestId, "the envelope names another request")
  const wait = error.details?.["retry_after_seconds"] ?? null
  demand(RETRY_AFTER_CODES.includes(code) === (answer.retryAfterSeconds !== null), `Retry-After with ${code}`)
  demand(wait === answer.retryAfterSeconds, "Retry-After differs from its details")
}

const checkSuccess = (verb: AnyVerb, input: JsonObject, answer: CallResponse, envelope: unknown): void => {
  const schema = input["dry_run"] === true && verb.would !== null ? planOf(verb) : verb.result
  const { result, svc } = decode(Schema.Struct({ result: Schema.Unknown, svc: Svc }), envelope)
  decode(schema as Schema.Codec<unknown>, result)
  checkForms(envelope, "")
  demand(svc.request_id === answer.requestId, "the envelope names another request")
  demand(answer.rate !== null && answer.retryAfterSeconds === null, "a success has a rate and no Retry-After")
  demand(verb.mode === "act" || svc.credits_charged === 0n, "a read was charged")
}

/** Dies where an answer is not what the contract says that every answer of the verb is. */
const checkAnswer = (verb: AnyVerb, input: JsonObject, answer: CallResponse, envelope: unknown): void => {
  try {
    const success = verb.accepts && input["dry_run"] !== true ? ACCEPTED : 200
    if (answer.status === success) checkSuccess(verb, input, answer, envelope)
    else checkError(verb, answer, envelope)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${verb.name} answered against its contract: ${why}\n${answer.body}`, { cause })
  }
}

/** A parsed answer. Tests look into it as a client would: by the names on the wire. */
export interface Answered {
  readonly status: number
  readonly requestId: string
  readonly text: string
  /** Null where the key is unknown. */
  readonly rate: RateStatus | null
  // oxlint-disable-next-line typescript/no-explicit-any -- a client's view of JSON
  readonly result: any
  // oxlint-disable-next-line typescript/no-explicit-any -- a client's view of JSON
  readonly svc: any
  readonly error:
    | { readonly code: string; readonly message: string; readonly details?: Readonly<Record<string, unknown>> }
    | undefined
}

export interface CallOptions {
  readonly key?: string
  readonly run?: string
  /** The id under which its surface knows the call; otherwise a fresh one. */
  readonly id?: string
  /** How its address writes a success; the envelope unless said otherwise. */
  readonly form?: AnswerForm
  /** Takes the answer event by event, if it is given so; the answer is then the last event but `[DONE]`. */
  readonly sink?: EventSink
}

/** One API key's view of the service. */
export interface Client {
  readonly workspaceId: string
  readonly keyId: string
  readonly apiKey: string
  readonly ownerEmail: string
  readonly call: (
    verb: VerbName,
    input?: JsonObject,
    options?: CallOptions
  ) => Effect.Effect<Answered, never, Calls | Ids>
}

/** A success with its result's members at the top, as an envelope; every other answer as it stands. */
const enveloped = (body: string) => {
  const parsed = JSON.parse(body)
  if (parsed.error !== undefined || parsed.result !== undefined) return parsed
  const { svc, ...result } = parsed
  return { result, svc }
}

/** Sends a call as a surface would. Every answer is held against what its verb says of its answers. */
export const send = (bearer: string | null, verb: VerbName, input: JsonObject, options: CallOptions = {}) =>
  whereThereIsRoom(sendOnce(bearer, verb, input, options))

const sendOnce = (bearer: string | null, verb: VerbName, input: JsonObject, options: CallOptions) =>
  Effect.gen(function* () {
    const calls = yield* Calls
    const ids = yield* Ids
    const requestId = options.id ?? ids.next(yield* Clock.currentTimeMillis)
    const answer = yield* calls.answer({
      requestId,
      bearer,
      verb: verbs[verb],
      input,
      reject: null,
      idempotencyKey: options.key ?? null,
      runId: options.run ?? null,
      ...(options.form === undefined ? {} : { form: options.form }),
      ...(options.sink === undefined ? {} : { sink: options.sink })
    })
    const envelope = enveloped(answer.body)
    checkAnswer(verbs[verb], input, answer, envelope)
    return {
      status: answer.status,
      requestId: answer.requestId,
      text: answer.body,
      rate: answer.rate,
      result: envelope.result,
      svc: envelope.svc,
      error: envelope.error
    } satisfies Answered
  })

/** A client of another key in the same workspace. */
export const makeKey = (
  workspaceId: string,
  ownerEmail: string,
  options: {
    readonly scopes?: ReadonlyArray<Scope>
    readonly cap?: Credits
    readonly dailyCap?: Credits
    readonly autonomy?: boolean
  } = {}
) =>
  Effect.gen(function* () {
    const admin = yield* Admin
    const { keyId, apiKey } = yield* admin.createKey({
      workspaceId,
      name: "test",
      scopes: options.scopes ?? [],
      monthlySpendCap: options.cap ?? null,
      dailySpendCap: options.dailyCap ?? null,
      autonomousExternalActions: options.autonomy ?? true
    })
    const client: Client = {
      workspaceId,
      keyId,
      apiKey,
      ownerEmail,
      call: (verb, input = {}, callOptions = {}) => send(apiKey, verb, input, callOptions)
    }
    return client
  }).pipe(Effect.orDie)

let workspaces = 0

/** A fresh workspace with an owner and one key. */
export const makeClient = (
  options: {
    readonly credits?: string
    readonly kind?: WorkspaceKind
    readonly postalAddress?: string
    readonly scopes?: ReadonlyArray<Scope>
    readonly cap?: Credits
    readonly autonomy?: boolean
  } = {}
) =>
  Effect.gen(function* () {
    const admin = yield* Admin
    workspaces += 1
    const ownerEmail = `owner-${workspaces}-${process.pid}@example.test`
    const { workspaceId } = yield* admin.createWorkspace({
      name: "Test",
      ownerEmail,
      kind: options.kind ?? "sandbox",
      credits: credits(options.credits ?? "300"),
      postalAddress: options.postalAddress ?? null
    })
    return yield* makeKey(workspaceId, ownerEmail, options)
  }).pipe(Effect.orDie)

/** The human of the client's workspace opens the approval's page and decides on what it shows. */
export const decide = (client: Client, approvalUrl: string, decision: "approve" | "decline", also?: Also) =>
  Effect.gen(function* () {
    const console = yield* Console
    const link = yield* console.makeSignInLink(client.ownerEmail)
    const began = Option.getOrThrow(yield* console.signIn(link))
    const approvalId = approvalUrl.slice(approvalUrl.lastIndexOf("/") + 1)
    const shown = Option.getOrThrow(yield* console.approval(client.workspaceId, approvalId))
    return yield* console.decide(began.signedIn, approvalId, decision, shown.approval.snapshotDigest, also)
  }).pipe(Effect.orDie)

/** The human of the client's workspace takes back what was approved. */
export const withdraw = (client: Client, approvalUrl: string) =>
  Effect.gen(function* () {
    const console = yield* Console
    const began = Option.getOrThrow(yield* console.signIn(yield* console.makeSignInLink(client.ownerEmail)))
    return yield* console.withdraw(began.signedIn, approvalUrl.slice(approvalUrl.lastIndexOf("/") + 1))
  }).pipe(Effect.orDie)

/** Applies all that has come in, then sends all that is due, as a host's worker does. */
export const turn = Effect.gen(function* () {
  const dispatcher = yield* Dispatcher
  const inbox = yield* Inbox
  const mail = Effect.zipWith(inbox.round, dispatcher.round, (read, sent) => read + sent)
  while ((yield* resting("mail", mail)) > 0) yield* Effect.yieldNow
  yield* resting("forbidden", dispatcher.takeOut)
  yield* resting("sequences", dispatcher.end)
}).pipe(Effect.orDie)
