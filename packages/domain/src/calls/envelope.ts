import type { Json, JsonObject } from "../kernel/canonical.js"
import { type AnyWireError, encodeError, encodeRowError, statusOf } from "../kernel/errors/Wire.js"
import type { RateStatus } from "./keys/RateWindow.js"
import { type Credits, format } from "../kernel/money/Credits.js"
import type { CallResponse } from "./Calls.js"
import type { StoredOutcome } from "./Attempt.js"
import type { AnswerForm } from "../verbs/Verb.js"
import type { Plan } from "./Handler.js"

const OK = 200
/** The answer of a verb whose work goes on as an operation. */
export const ACCEPTED = 202

/** Fields of results whose value is never stored: there they are empty. */
export type TokenMember = "confirmation_token" | "offer_token"

/** Returns a record's token for a field. */
export type TokenOf = (member: TokenMember) => string

const isPart = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const filled = (holder: JsonObject, member: TokenMember, tokenOf: TokenOf): JsonObject =>
  holder[member] === "" ? { ...holder, [member]: tokenOf(member) } : holder

/** A result's body with its token: that of an approval in the result itself, that of an offer in its `offer`. */
export const withToken = (body: string, tokenOf: TokenOf | null): string => {
  if (tokenOf === null) return body
  const result = filled(JSON.parse(body), "confirmation_token", tokenOf)
  const { offer } = result
  // The body is what `JSON.stringify` made, so that the rest stays byte for byte.
  return JSON.stringify(isPart(offer) ? { ...result, offer: filled(offer, "offer_token", tokenOf) } : result)
}

const svc = (options: {
  readonly requestId: string
  readonly charged: Credits
  readonly available: Credits
  readonly replayed: boolean
  readonly route: Plan["route"]
}): string =>
  // Ids and amounts are plain text, so nothing needs an escape.
  `{"request_id":"${options.requestId}","credits_charged":"${format(options.charged)}",` +
  `"credits_available":"${format(options.available)}"${options.replayed ? ',"replayed":true' : ""}` +
  `${options.route === null ? "" : `,"route":${JSON.stringify(options.route)}`}}`

export const successResponse = (options: {
  readonly requestId: string
  readonly body: string
  readonly charged: Credits
  readonly available: Credits
  readonly replayed: boolean
  readonly route: Plan["route"]
  readonly rate: RateStatus
  readonly form: AnswerForm
  /** Default: 200. */
  readonly status?: number
}): CallResponse => ({
  requestId: options.requestId,
  status: options.status ?? OK,
  body:
    options.form === "envelope"
      ? `{"result":${options.body},"svc":${svc(options)}}`
      : `${options.body.slice(0, -1)},"svc":${svc(options)}}`,
  rate: options.rate,
  retryAfterSeconds: null
})

const retryAfterOf = (error: AnyWireError): number | null =>
  error.code === "rate_limited" || error.code === "provider_unavailable" ? error.details.retry_after_seconds : null

/** The stored text of a final refusal. */
export const errorBody = (error: AnyWireError): string => JSON.stringify(encodeError(error))

/** The stored text of a row of a list that failed. */
export const rowErrorBody = (error: AnyWireError): string => JSON.stringify(encodeRowError(error))

export const errorResponse = (requestId: string, error: AnyWireError, rate: RateStatus | null): CallResponse => ({
  requestId,
  status: statusOf(error),
  body: JSON.stringify({ error: { ...encodeError(error), request_id: requestId } }),
  rate,
  retryAfterSeconds: retryAfterOf(error)
})

/** Whether an answer holds a result, and no error. */
export const isSuccess = (httpStatus: number): boolean => httpStatus === OK || httpStatus === ACCEPTED

/** Answers with a stored outcome: `result` byte for byte. */
export const replayResponse = (
  outcome: StoredOutcome,
  tokenOf: TokenOf | null,
  available: Credits,
  route: Plan["route"],
  rate: RateStatus,
  form: AnswerForm
): CallResponse =>
  isSuccess(outcome.httpStatus)
    ? successResponse({
        requestId: outcome.requestId,
        body: withToken(outcome.body, tokenOf),
        charged: outcome.charged,
        available,
        replayed: true,
        route,
        rate,
        form,
        status: outcome.httpStatus
      })
    : {
        requestId: outcome.requestId,
        status: outcome.httpStatus,
        body: `{"error":${outcome.body.slice(0, -1)},"request_id":${JSON.stringify(outcome.requestId)}}}`,
        rate,
        retryAfterSeconds: null
      }
