import { classifiedWithSaying } from "../saying.js"
import type { VendorConfig } from "../Vendor.js"
import { makeVendorHttp } from "../VendorHttp.js"
import { classifyPhones } from "./phones.js"

export const APOLLO = "apollo"

/** Filters go in the query, whatever the method. A list repeats its name with `[]`. */
export const makeApolloHttp = ({ baseUrl, callsPerMinute, credential }: VendorConfig) =>
  makeVendorHttp({
    name: APOLLO,
    baseUrl,
    credential,
    callsPerMinute,
    authorize: (key) => ({ headers: { "x-api-key": key } }),
    classify: (answer) => classifyPhones(answer) ?? classifiedWithSaying(answer)
  })

const HEADCOUNT_MAX = 10_000_000

/** The headcount range in the vendor's form; empty if not requested. */
export const headcountRange = (min: number | null, max: number | null): ReadonlyArray<string> =>
  min === null && max === null ? [] : [`${min ?? 1},${max ?? HEADCOUNT_MAX}`]
