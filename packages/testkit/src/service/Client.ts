import { Admin } from "@outbound/domain/app/Admin.js"
import { Calls } from "@outbound/domain/calls/Calls.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { EventSink } from "@outbound/domain/calls/Events.js"
import type { AnswerForm } from "@outbound/domain/verbs/Verb.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import type { Scope } from "@outbound/domain/verbs/Policy.js"
import { type Credits, credits } from "@outbound/domain/kernel/money/Credits.js"
import type { RateStatus } from "@outbound/domain/calls/keys/RateWindow.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { Inbox } from "@outbound/domain/outreach/replies/Inbox.js"
import { Dispatcher } from "@outbound/domain/outreach/sending/Dispatcher.js"
import type { WorkspaceKind } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { type VerbName, verbs } from "@outbound/domain/verbs/verbs.js"
import { Clock, Effect, Option } from "effect"
import { checkAnswer } from "./Envelope.js"

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
  options: { readonly scopes?: ReadonlyArray<Scope>; readonly cap?: Credits; readonly autonomy?: boolean } = {}
) =>
  Effect.gen(function* () {
    const admin = yield* Admin
    const { keyId, apiKey } = yield* admin.createKey({
      workspaceId,
      name: "test",
      scopes: options.scopes ?? [],
      monthlySpendCap: options.cap ?? null,
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
      postalAddress: null
    })
    return yield* makeKey(workspaceId, ownerEmail, options)
  }).pipe(Effect.orDie)

/** The human of the client's workspace opens the approval's page and decides on what it shows. */
export const decide = (client: Client, approvalUrl: string, decision: "approve" | "decline") =>
  Effect.gen(function* () {
    const console = yield* Console
    const link = yield* console.makeSignInLink(client.ownerEmail)
    const began = Option.getOrThrow(yield* console.signIn(link))
    const approvalId = approvalUrl.slice(approvalUrl.lastIndexOf("/") + 1)
    const shown = Option.getOrThrow(yield* console.approval(client.workspaceId, approvalId))
    return yield* console.decide(began.signedIn, approvalId, decision, shown.approval.snapshotDigest)
  }).pipe(Effect.orDie)

/** Applies all that has come in, then sends all that is due, as a host's worker does. */
export const turn = Effect.gen(function* () {
  const dispatcher = yield* Dispatcher
  const inbox = yield* Inbox
  while ((yield* inbox.round) + (yield* dispatcher.round) > 0) yield* Effect.yieldNow()
  yield* dispatcher.sweep
}).pipe(Effect.orDie)
