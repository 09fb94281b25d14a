import { Context, type Effect } from "effect"
import type { AnyWireError } from "../kernel/errors/Wire.js"
import type { RateStatus } from "./keys/RateWindow.js"
import type { AnyVerb, AnswerForm } from "../verbs/Verb.js"
import type { JsonObject } from "../kernel/canonical.js"
import type { EventSink } from "./Events.js"

/** A call as a surface hands it over: nothing of it has been looked at but its transport. */
export interface IncomingCall {
  /** UUIDv7, made by the surface, so that it can name the call in its logs from the start. */
  readonly requestId: string
  /** The bearer secret; null where none was sent, or none that could be one. */
  readonly bearer: string | null
  /** The surface is the one that access tokens are issued for; everywhere else only API keys are credentials. */
  readonly takesTokens?: true
  /** Null: no verb has this path. */
  readonly verb: AnyVerb | null
  /** The body, or the path and query parameters by name. */
  readonly input: JsonObject
  /** What the transport found wrong (404, 405, 413, 415, malformed JSON); answered once the key is known. */
  readonly reject: AnyWireError | null
  /** Null: not sent. */
  readonly idempotencyKey: string | null
  /** The header `Svc-Run-Id`. */
  readonly runId: string | null
  /** How a success is to be written; the envelope unless said otherwise. */
  readonly form?: AnswerForm
  /** Where the surface takes an answer event by event; without one no verb can answer so. */
  readonly sink?: EventSink
}

/** What a surface sends back, unless the answer went out by events: those are all of it then. */
export interface CallResponse {
  /** The call's id, or, of a replay, the original's. */
  readonly requestId: string
  readonly status: number
  /** The JSON text of the envelope. */
  readonly body: string
  /** For the rate headers; null where the key is unknown. */
  readonly rate: RateStatus | null
  readonly retryAfterSeconds: number | null
}

/**
 * Every verb, behind the one pipeline: decode, plan, admit, perform, settle. Never fails: every refusal is an answer.
 * A call, once begun, runs to its end whether or not its client is still there.
 */
export class Calls extends Context.Tag("@outbound/domain/calls/Calls")<
  Calls,
  { readonly answer: (call: IncomingCall) => Effect.Effect<CallResponse> }
>() {}
