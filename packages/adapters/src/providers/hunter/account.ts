import { Effect, Schema } from "effect"
import { maybe } from "../shape.js"
import type { MadeVendor } from "../Vendor.js"
import type { VendorHttp } from "../VendorHttp.js"

/** What a plan allows for a month, and how much of it is gone. */
const Allowance = Schema.Struct({ used: Schema.Number, available: Schema.Number })

const Account = Schema.Struct({
  data: Schema.Struct({
    requests: Schema.Struct({ credits: maybe(Allowance), verifications: maybe(Allowance) })
  })
})

/** Newer plans count credits for everything, older ones each kind of request. */
export const account = (http: VendorHttp): MadeVendor["account"] =>
  Effect.map(http.read(Account, { method: "GET", path: "/account" }), ({ data: { requests } }) => {
    const allowance = requests.credits ?? requests.verifications
    return { left: allowance === null ? null : Math.max(0, allowance.available - allowance.used), missing: [] }
  })
