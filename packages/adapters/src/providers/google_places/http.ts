import type { Classified } from "../classify.js"
import { classifiedWithSaying, sayingOf } from "../saying.js"
import type { VendorConfig } from "../Vendor.js"
import { makeVendorHttp, type VendorAnswer } from "../VendorHttp.js"

export const GOOGLE_PLACES = "google_places"

/** It answers an unknown key with "bad request". */
const REFUSED_KEY = /api[ _]key|API_KEY_INVALID/i

const classified = (answer: VendorAnswer): Classified | null => {
  const own = classifiedWithSaying(answer)
  return own?.reason === "invalid" && REFUSED_KEY.test(sayingOf(answer.json)) ? { ...own, reason: "account" } : own
}

export const makeGooglePlacesHttp = ({ baseUrl, callsPerMinute, credential }: VendorConfig) =>
  makeVendorHttp({
    name: GOOGLE_PLACES,
    baseUrl,
    credential,
    callsPerMinute,
    authorize: (key) => ({ headers: { "x-goog-api-key": key } }),
    classify: classified
  })
