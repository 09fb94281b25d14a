import type { Filter } from "./filters.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, type Schema } from "effect"
import { retryAfterSeconds } from "../../platform/retryAfter.js"
import type { Classified } from "../classify.js"
import { classifiedWithSaying } from "../saying.js"
import type { VendorConfig, VendorParts } from "../Vendor.js"
import {
  isJsonObject,
  makeVendorHttp,
  type VendorAnswer,
  type VendorHttpOptions,
  type VendorRequest
} from "../VendorHttp.js"

export const CRUSTDATA = "crustdata"

/** The most rows of a page. */
const ROWS_MAX = 1000

const API_VERSION = "2025-11-01"

/** What its errors say of themselves, whatever their status. */
const BY_TYPE: Readonly<Record<string, Classified["reason"]>> = {
  insufficient_credits: "account",
  rate_limit_error: "rate_limited"
}

/** Its own header gives the retry delay in seconds. */
const classified = (answer: VendorAnswer): Classified | null => {
  const byStatus = classifiedWithSaying(answer)
  if (byStatus === null) return null
  const error = isJsonObject(answer.json) ? answer.json["error"] : null
  const type = isJsonObject(error) && typeof error["type"] === "string" ? error["type"] : ""
  const reason = BY_TYPE[type] ?? byStatus.reason
  const reset = retryAfterSeconds(answer.header("retry-after") ?? answer.header("x-ratelimit-reset"))
  return {
    ...byStatus,
    reason,
    ...(reason === "rate_limited" && reset !== null ? { retryAfterSeconds: reset } : {})
  }
}

/** An unknown company or person may be a 404 whose body says so. */
const classifyEnrich = (answer: VendorAnswer): Classified | "answer" | null =>
  answer.status === 404 && isJsonObject(answer.json) ? "answer" : classified(answer)

const CREDITS = /^\d{1,9}(\.\d+)?$/

/** The charge reported in the answer. Some fields cost more than its price list says. */
const creditsUsed = ({ header }: VendorAnswer): number | null => {
  const used = header("x-credits-used")?.trim() ?? ""
  return CREDITS.test(used) ? Number(used) : null
}

/** Reads the answer of a charged request, and records its cost: as reported, else `costOf` in credits. */
export const readCharged = <A, I>(
  { http, spend }: Pick<VendorParts, "http" | "spend">,
  schema: Schema.Codec<A, I>,
  path: string,
  body: Readonly<Record<string, unknown>>,
  costOf: (answer: A) => number
): Effect.Effect<A, ProviderFailure> =>
  Effect.gen(function* () {
    const charged: VendorRequest = { method: "POST", path, body, hasEffect: true }
    const answer = yield* http.send(charged)
    const used = creditsUsed(answer)
    // Charged even if we can't decode it.
    if (used !== null) yield* spend(used)
    const understood = yield* http.understand(schema, charged, answer)
    if (used === null) yield* spend(costOf(understood))
    return understood
  })

/** The body of a search's page. `cursor`: empty for the first page. */
export const pageBody = (filters: Filter | null, cursor: string, limit: number) => ({
  ...(filters === null ? {} : { filters }),
  limit: Math.min(limit, ROWS_MAX),
  ...(cursor === "" ? {} : { cursor })
})

/** One client per endpoint: limits are per endpoint, so looking up filter values doesn't use up the search's. */
export const makeEndpoints = (config: VendorConfig) => {
  const make = (classify: NonNullable<VendorHttpOptions["classify"]>) =>
    makeVendorHttp({
      ...config,
      name: CRUSTDATA,
      authorize: (key) => ({ headers: { authorization: `Bearer ${key}`, "x-api-version": API_VERSION } }),
      classify
    })
  return Effect.all({
    people: make(classified),
    peopleWords: make(classified),
    companies: make(classified),
    companyWords: make(classified),
    enrich: make(classifyEnrich),
    jobs: make(classified),
    posts: make(classified),
    account: make(classified)
  })
}

export type Endpoints = Effect.Success<ReturnType<typeof makeEndpoints>>
