import type { VendorScheduled } from "@outbound/domain/ports/providers/VendorScheduled.js"
import { Effect, Schema } from "effect"
import { maybe } from "../shape.js"
import type { VendorHttp } from "../VendorHttp.js"

const Account = Schema.Struct({
  email: Schema.String,
  first_name: maybe(Schema.String),
  last_name: maybe(Schema.String),
  status: maybe(Schema.Number),
  setup_pending: maybe(Schema.Boolean)
})
type Account = typeof Account.Type
const Accounts = Schema.Struct({ items: Schema.Array(Account), next_starting_after: maybe(Schema.String) })

const PAGE = 100
const PAGES_MAX = 50

const mailboxOf = ({ email, first_name, last_name, setup_pending, status }: Account) => ({
  address: email.toLowerCase(),
  displayName: [first_name, last_name].filter((name) => (name ?? "") !== "").join(" "),
  isActive: status === 1 && setup_pending !== true
})

/** Every mailbox of the account, bought through us or not. */
export const makeExisting = (http: VendorHttp): NonNullable<VendorScheduled["existing"]> =>
  Effect.gen(function* () {
    const found: Array<Account> = []
    let after: string | null = null
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const query: { limit: number; starting_after: string | null } = { limit: PAGE, starting_after: after }
      const { items, next_starting_after: next }: typeof Accounts.Type = yield* http.read(Accounts, {
        method: "GET",
        path: "/accounts",
        query
      })
      found.push(...items)
      if (items.length === 0 || next === null) return found.map(mailboxOf)
      after = next
    }
    return yield* Effect.fail(http.failed("transient", "it lists mailboxes without an end"))
  })
