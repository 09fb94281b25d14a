import { Schema } from "effect"
import type { Classified } from "../classify.js"
import { ownWordsIn, safely } from "../saying.js"
import type { VendorAnswer } from "../VendorHttp.js"

const Errors = Schema.Struct({
  errors: Schema.Array(Schema.Struct({ id: Schema.optional(Schema.String), details: Schema.optional(Schema.String) }))
})

const errorTextIn = (json: unknown): string =>
  Schema.is(Errors)(json) ? json.errors.map(({ details = "", id = "" }) => `${id} ${details}`).join("; ") : ""

const OVER_QUOTA = /usage|quota|credit|plan|upgrade|premium/i
const TOO_FAST = /rate.?limit|too fast/i

/** The person asked Hunter not to process their data. */
export const OBJECTED = 451

/** An objection is an answer. 403 and 429 both mean too many requests or an exhausted plan: the text tells which. */
export const classify = ({ json, status }: VendorAnswer): Classified | "answer" | null => {
  if (status === OBJECTED) return "answer"
  if (status < 400 || status >= 500) return null
  const errorText = errorTextIn(json)
  const cause = `status ${status}: ${safely(errorText)}`
  const words = ownWordsIn(errorText)
  if (OVER_QUOTA.test(words)) return { reason: "account", cause }
  return TOO_FAST.test(words) ? { reason: "rate_limited", cause } : null
}
