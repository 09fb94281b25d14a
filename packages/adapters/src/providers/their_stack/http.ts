import { classifiedWithSaying } from "../saying.js"
import type { VendorConfig } from "../Vendor.js"
import { makeVendorHttp } from "../VendorHttp.js"

export const THEIR_STACK = "their_stack"

export const makeTheirStackHttp = ({ baseUrl, callsPerMinute, credential }: VendorConfig) =>
  makeVendorHttp({
    name: THEIR_STACK,
    baseUrl,
    credential,
    callsPerMinute,
    authorize: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
    classify: classifiedWithSaying
  })
