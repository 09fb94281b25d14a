import type { VendorScheduled } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { Effect, Schema } from "effect"
import { maybe } from "../shape.js"
import type { VendorHttp } from "../VendorHttp.js"
import { listedBy, PAGE } from "./listing.js"

const Account = Schema.Struct({
  email: Schema.String,
  first_name: maybe(Schema.String),
  last_name: maybe(Schema.String),
  status: maybe(Schema.Number),
  setup_pending: maybe(Schema.Boolean)
})
type Account = typeof Account.Type

const PAGES_MAX = 50

const mailboxOf = ({ email, first_name, last_name, setup_pending, status }: Account) => ({
  address: email.toLowerCase(),
  displayName: [first_name, last_name].filter((name) => (name ?? "") !== "").join(" "),
  isActive: status === 1 && setup_pending !== true
})

/** Every mailbox of the account, bought through us or not. */
export const makeExisting = (http: VendorHttp): NonNullable<VendorScheduled["existing"]> =>
  Effect.map(
    listedBy(http, {
      item: Account,
      what: "mailboxes",
      pagesMax: PAGES_MAX,
      request: (after) => ({ method: "GET", path: "/accounts", query: { limit: PAGE, starting_after: after } })
    }),
    (found) => found.map(mailboxOf)
  )
