import { answerHeaders, type CallResponse } from "@outbound/domain/calls/Calls.js"
import { refuse } from "@outbound/domain/kernel/errors/Wire.js"

/** Refusals of a body before it is parsed. */
export const tooLarge = (bytesMax: number) =>
  refuse("invalid_request", { reason: "body_too_large", max_bytes: bytesMax })
export const notJson = (message?: string) => refuse("invalid_request", { reason: "unsupported_media_type" }, message)
export const noRoom = () => refuse("rate_limited", { retry_after_seconds: 1, limit: "service_capacity" })

/** The headers of an answer. `allow`: the path's methods, with a 405. */
export const replyHeaders = (answer: CallResponse, allow: string | null = null): Record<string, string> => {
  const headers = answerHeaders(answer)
  if (answer.retryAfterSeconds !== null) headers["retry-after"] = String(answer.retryAfterSeconds)
  if (answer.status === 401) headers["www-authenticate"] = "Bearer"
  if (answer.status === 405 && allow !== null) headers["allow"] = allow
  return headers
}
