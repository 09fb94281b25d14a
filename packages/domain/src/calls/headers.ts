import { RATE_WINDOW_SECONDS } from "./keys/RateWindow.js"
import type { CallResponse } from "./Calls.js"

/** What stands above every answer by HTTP: its request id, and, where the key is known, its rate (completions.md §1). */
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
