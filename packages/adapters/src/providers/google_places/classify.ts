import type { Classified } from "../classify.js"
import { classifiedWithSaying, sayingOf } from "../saying.js"
import type { VendorAnswer } from "../VendorHttp.js"

/** It answers an unknown key with "bad request". */
const REFUSED_KEY = /api[ _]key|API_KEY_INVALID/i

export const classify = (answer: VendorAnswer): Classified | null => {
  const own = classifiedWithSaying(answer)
  return own?.reason === "invalid" && REFUSED_KEY.test(sayingOf(answer.json)) ? { ...own, reason: "account" } : own
}
