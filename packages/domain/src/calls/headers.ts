import { RATE_WINDOW_SECONDS } from "./keys/RateWindow.js"
import type { CallResponse } from "./Calls.js"

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
