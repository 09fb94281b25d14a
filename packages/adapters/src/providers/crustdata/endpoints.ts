import { Effect } from "effect"
import { type Classified } from "../classify.js"
import { classifiedWithSaying } from "../saying.js"
import type { VendorConfig } from "../Vendor.js"
import { isJsonObject, makeVendorHttp, type VendorAnswer } from "../VendorHttp.js"

export const CRUSTDATA = "crustdata"

const API_VERSION = "2025-11-01"

/** A company or a person that it does not know may be a 404 of its own making, with a body that says so. */
const missesNothing = (answer: VendorAnswer): Classified | "answer" | null =>
  answer.status === 404 && isJsonObject(answer.json) ? "answer" : classifiedWithSaying(answer)

/**
 * One client for each endpoint: its limits are per endpoint, and looking up the words of a filter must not use up what
 * the search itself needs.
 */
export const makeEndpoints = ({ baseUrl, callsPerMinute, credential }: VendorConfig) => {
  const make = (classify: (answer: VendorAnswer) => Classified | "answer" | null) =>
    makeVendorHttp({
      name: CRUSTDATA,
      baseUrl,
      credential,
      callsPerMinute,
      authorize: (key) => ({ headers: { authorization: `Bearer ${key}`, "x-api-version": API_VERSION } }),
      classify
    })
  return Effect.all({
    people: make(classifiedWithSaying),
    peopleWords: make(classifiedWithSaying),
    companies: make(classifiedWithSaying),
    companyWords: make(classifiedWithSaying),
    enrich: make(missesNothing),
    jobs: make(classifiedWithSaying),
    posts: make(classifiedWithSaying),
    account: make(classifiedWithSaying)
  })
}

export type Endpoints = Effect.Effect.Success<ReturnType<typeof makeEndpoints>>
