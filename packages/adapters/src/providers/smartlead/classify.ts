import { type Classified, classifiedNotFound } from "../classify.js"
import { classifiedWithSaying, sayingOf } from "../saying.js"
import { isJsonObject, type VendorAnswer } from "../VendorHttp.js"

/** The retry delay: in the error's object, or beside it. */
const retryIn = (json: unknown): { readonly retryAfterSeconds?: number } => {
  if (!isJsonObject(json)) return {}
  const { error } = json
  const delay = (isJsonObject(error) ? error["retry_after"] : undefined) ?? json["retry_after"]
  return typeof delay === "number" && delay >= 0 ? { retryAfterSeconds: delay } : {}
}

/** Some refusals have a status of success. */
const isRefusal = (json: unknown): boolean => isJsonObject(json) && (json["success"] === false || json["ok"] === false)

const isExhausted = (json: unknown): boolean => isJsonObject(json) && json["is_lead_limit_exhausted"] === true

/** Whether people were added; at the limit a push may be partial. */
const hasAdded = (json: unknown): boolean => {
  if (!isJsonObject(json)) return false
  const { emailToLeadIdMap: named, upload_count: count } = json
  const added = isJsonObject(named) ? named["newlyAddedLeads"] : null
  return (typeof count === "number" && count > 0) || (isJsonObject(added) && Object.keys(added).length > 0)
}

/** By status, and by body where the status says nothing. Skipped people aren't a failure. */
export const classify = (answer: VendorAnswer): Classified | "answer" | null => {
  const { json, status } = answer
  if (status === 404) return classifiedNotFound(answer)
  if (status === 409 && isJsonObject(json) && Array.isArray(json["skipped_leads"])) return "answer"
  if (status >= 200 && status < 300) {
    const isRefused = isRefusal(json)
    if (isExhausted(json) && (isRefused || !hasAdded(json)))
      return { reason: "account", cause: "its lead limit is reached" }
    return isRefused ? { reason: "invalid", cause: `refused: ${sayingOf(json)}` } : null
  }
  const classified = classifiedWithSaying(answer)
  return classified?.reason === "rate_limited" ? { ...classified, ...retryIn(json) } : classified
}
