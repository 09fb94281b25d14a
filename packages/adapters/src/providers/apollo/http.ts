import { classifiedWithSaying } from "../saying.js"
import type { VendorConfig } from "../Vendor.js"
import { makeVendorHttp } from "../VendorHttp.js"
import { classifyPhones } from "./phones.js"

export const APOLLO = "apollo"

/** Its filters stand in the query, whatever the method; a list repeats its name, which ends in `[]`. */
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

/** The range of headcounts as it takes it; nothing where none is asked for. */
export const headcountRange = (min: number | null, max: number | null): ReadonlyArray<string> =>
  min === null && max === null ? [] : [`${min ?? 1},${max ?? HEADCOUNT_MAX}`]
