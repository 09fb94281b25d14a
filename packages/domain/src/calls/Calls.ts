import { Context, type Effect } from "effect"
import type { AnyWireError } from "../kernel/errors/Wire.js"
import { RATE_WINDOW_SECONDS, type RateStatus } from "./keys/RateWindow.js"
import type { AnswerForm, AnyVerb } from "../verbs/Verb.js"
import type { JsonObject } from "../kernel/canonical.js"
import type { UploadedRow } from "../kernel/tables/UploadedRow.js"
import type { NowOrLater } from "../kernel/NowOrLater.js"

export const formOf = ({ form }: { readonly form?: AnswerForm }): AnswerForm => form ?? "envelope"

/** The headers of a stream. */
export interface EventsHead {
  readonly requestId: string
  readonly rate: RateStatus
}

/** A surface's sink for an answer that is streamed as events. */
export interface EventSink {
  /**
   * Sends the data of events at once. The first one starts the answer. Without buffer space for more, the result comes
   * later. False: the client has disconnected.
   */
  readonly send: (head: EventsHead, data: ReadonlyArray<string>) => NowOrLater<boolean>
  /** Sends a sign of life, which is no event. It too starts the answer. */
  readonly beat: (head: EventsHead) => void
  /** Calls back, once, when the client has disconnected before the end of the answer. Returns what forgets that. */
  readonly onLeft: (told: () => void) => () => void
}

/**
 * The events of one admitted call. The pipeline sends the last ones: the error if it failed, `[DONE]` if it succeeded.
 */
export interface Events {
  readonly send: (data: ReadonlyArray<string>) => NowOrLater<boolean>
  readonly beat: () => void
  readonly onLeft: EventSink["onLeft"]
}

/** Marks the end of a successful stream. */
export const DONE = "[DONE]"

/** A call's events, and whether any were sent. */
export interface CountedEvents extends Events {
  readonly hasBegun: () => boolean
}

export const eventsOf = (sink: EventSink | undefined, head: EventsHead): CountedEvents | null => {
  if (sink === undefined) return null
  let begun = false
  return {
    onLeft: sink.onLeft,
    hasBegun: () => begun,
    beat: () => {
      begun = true
      sink.beat(head)
    },
    send: (data) => {
      begun = true
      return sink.send(head, data)
    }
  }
}

/** A call as a surface received it. Only its transport has been checked. */
export interface IncomingCall {
  /** UUIDv7, made by the surface so that its logs can name the call from the start. */
  readonly requestId: string
  /** The bearer secret; null: missing or malformed. */
  readonly bearer: string | null
  /**
   * A signed-in person calls as this key of their workspace, within its scopes, caps and budget. Only the console sets it,
   * and no bearer beside it. It never does what OAuth never grants. `byUserId`: the person asks for an approval in their
   * own name; then their session stands for the key's scope and autonomy, and the owner's switch for agents' replies is
   * not theirs.
   */
  readonly asKey?: { readonly workspaceId: string; readonly keyId: string; readonly byUserId?: string }
  /**
   * Of a list from a table that a person uploaded: where each of its rows stood. Only the console sets it. It is kept
   * beside the rows, and is no part of the request.
   */
  readonly uploaded?: ReadonlyArray<UploadedRow>
  /** Access tokens are issued for this surface. The other surfaces accept only API keys. */
  readonly takesTokens?: true
  /** Null: no verb has this path. */
  readonly verb: AnyVerb | null
  /** The body, or the path and query parameters by name. */
  readonly input: JsonObject
  /** What the transport found wrong (404, 405, 413, 415, malformed JSON). It is answered once the key is known. */
  readonly reject: AnyWireError | null
  /** Null: not sent. A person's keys are apart from those of the key that they call as. */
  readonly idempotencyKey: string | null
  /** The header `Svc-Run-Id`. */
  readonly runId: string | null
  /** How to write a success; the default is the envelope. */
  readonly form?: AnswerForm
  /** Set if the surface accepts event streams. Without it no verb can stream. */
  readonly sink?: EventSink
}

/** The response, unless the answer was streamed: then the events are the whole answer. */
export interface CallResponse {
  /** The call's id; a replay carries the original call's. */
  readonly requestId: string
  readonly status: number
  /** The JSON text of the envelope. */
  readonly body: string
  /** For the rate headers; null for an unknown key. */
  readonly rate: RateStatus | null
  readonly retryAfterSeconds: number | null
}

/**
 * Runs every verb through one pipeline: decode, plan, admit, perform, settle. Never fails: a refusal is an answer too.
 * A started call runs to its end even if its client disconnects.
 */
export class Calls extends Context.Service<
  Calls,
  { readonly answer: (call: IncomingCall) => Effect.Effect<CallResponse> }
>()("@outbound/domain/calls/Calls") {}

/** Headers of every HTTP response: the request id and, for a known key, its rate (contract: calls, envelope). */
export const answerHeaders = ({
  rate,
  requestId
}: Pick<CallResponse, "rate" | "requestId">): Record<string, string> => ({
  "x-request-id": requestId,
  ...(rate === null
    ? {}
    : {
        "ratelimit-policy": `"key";q=${rate.limit};w=${RATE_WINDOW_SECONDS}`,
        ratelimit: `"key";r=${rate.remaining};t=${rate.resetSeconds}`
      })
})
