import type { CapacityOrder, SendingCapacity } from "@outbound/domain/sources/ports/SendingProvider.js"
import { Effect, Schema } from "effect"
import { listOf, maybe, maybeTexts } from "../shape.js"
import type { VendorHttp } from "../VendorHttp.js"
import { listedBy, PAGE } from "./listing.js"
import type { InstantlySettings } from "./settings.js"

const Similar = Schema.Struct({ domains: Schema.Array(Schema.String) })
const Checked = Schema.Struct({
  results: Schema.Array(Schema.Struct({ domain: Schema.String, available: Schema.Boolean }))
})
/** The part of an order's answer that we read. It also describes the payment card, which we never read. */
const Ordered = Schema.Struct({
  order_placed: Schema.Boolean,
  order_is_valid: maybe(Schema.Boolean),
  ...maybeTexts("order_error", "payment_failure_reason"),
  checkout_required: maybe(Schema.Boolean)
})
const Order = Schema.Struct({ domain: Schema.String, timestamp_cancelled: maybe(Schema.String) })
const Account = Schema.Struct({
  email: Schema.String,
  status: maybe(Schema.Number),
  setup_pending: maybe(Schema.Boolean),
  warmup_status: maybe(Schema.Number)
})
const Accounts = Schema.Struct({ items: Schema.Array(Account) })
const Vitals = Schema.Struct({
  success_list: listOf(Schema.Struct({ domain: Schema.String, allPass: maybe(Schema.Boolean) }))
})

const ORDERS = "/dfy-email-account-orders"
const PAGES_MAX = 50
const CHECK_MAX = 50
/** It names at most 67 for each of the two. */
const SUGGESTED_MAX = 150

/** The search name. It sells only `.com` and `.org` domains. */
const domainLike = (brand: string): string =>
  `${
    brand
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "brand"
  }.com`

export const makeOrders = (http: VendorHttp, settings: InstantlySettings): SendingCapacity => {
  const itemsOf = ({ domains, identity }: CapacityOrder) =>
    domains.map(({ domain, mailboxes }) => ({
      domain,
      email_provider: settings.email_provider,
      accounts: mailboxes.map((address) => ({
        email_address_prefix: address.slice(0, address.lastIndexOf("@")),
        first_name: identity.firstName,
        last_name: identity.lastName
      }))
    }))

  const ask = (order: CapacityOrder, simulation: boolean) =>
    http.read(Ordered, {
      method: "POST",
      path: ORDERS,
      body: { order_type: "dfy", simulation, items: itemsOf(order) },
      ...(simulation ? {} : { hasEffect: true as const })
    })

  /** It may refuse an order with a status of success. */
  const refused = ({ order_error, payment_failure_reason }: typeof Ordered.Type) =>
    http.failed("invalid", [order_error ?? "the order is not valid", payment_failure_reason ?? []].flat().join(": "))

  const mailboxesOn = (domain: string) =>
    Effect.map(
      http.get(Accounts, "/accounts", { search: `@${domain}`, limit: PAGE }),
      ({ items }) => new Map(items.map((account) => [account.email.toLowerCase(), account]))
    )

  const vitalsPass = (domain: string, addresses: ReadonlyArray<string>) =>
    settings.await_vitals
      ? Effect.map(http.ask(Vitals, "/accounts/test/vitals", { accounts: addresses }), ({ success_list }) =>
          success_list.some((one) => one.domain === domain && one.allPass !== false)
        )
      : Effect.succeed(true)

  const isSetUp = (account: typeof Account.Type | undefined): boolean =>
    account !== undefined && account.setup_pending !== true && account.status === 1

  const progressOf = ({ domain, mailboxes }: CapacityOrder["domains"][number]) =>
    Effect.gen(function* () {
      const found = yield* mailboxesOn(domain)
      const ready = mailboxes.every((address) => isSetUp(found.get(address.toLowerCase())))
      const cold = mailboxes.filter((address) => found.get(address.toLowerCase())?.warmup_status === 0)
      if (ready && cold.length > 0) {
        yield* http.change("POST", "/accounts/warmup/enable", { emails: cold })
      }
      const status = ready && (yield* vitalsPass(domain, mailboxes)) ? ("active" as const) : ("pending" as const)
      return { domain, status, detail: null, mailboxes: mailboxes.map((address) => ({ address, status })) }
    })

  return {
    readyEstimate: "within a day or two; new mailboxes warm up for some weeks",
    suggestDomains: (brand, count) =>
      Effect.gen(function* () {
        const domain = brand.includes(".") ? brand.toLowerCase() : domainLike(brand)
        const similar = yield* http.ask(Similar, `${ORDERS}/domains/similar`, { domain, tlds: ["com", "org"] })
        const domains = similar.domains.slice(0, SUGGESTED_MAX)
        const free: Array<string> = []
        for (let at = 0; at < domains.length && free.length < count; at += CHECK_MAX) {
          const asked = domains.slice(at, at + CHECK_MAX)
          const { results } = yield* http.ask(Checked, `${ORDERS}/domains/check`, { domains: asked })
          const available = new Set(results.flatMap((one) => (one.available ? [one.domain] : [])))
          free.push(...asked.filter((one) => available.has(one)))
        }
        return free.slice(0, count)
      }),
    order: (order) =>
      Effect.gen(function* () {
        const quote = yield* ask(order, true)
        if (quote.order_is_valid === false || quote.order_error !== null) return yield* Effect.fail(refused(quote))
        const answer = yield* ask(order, false)
        if (!answer.order_placed) return yield* Effect.fail(refused(answer))
      }),
    placed: (order) => {
      const wanted = new Set(order.domains.map(({ domain }) => domain))
      const holds = (items: ReadonlyArray<typeof Order.Type>) =>
        items.some((one) => wanted.has(one.domain) && one.timestamp_cancelled === null)
      return Effect.map(
        listedBy(http, {
          item: Order,
          what: "orders",
          pagesMax: PAGES_MAX,
          request: (after) => ({ method: "GET", path: ORDERS, query: { limit: PAGE, starting_after: after } }),
          isEnough: holds
        }),
        holds
      )
    },
    progress: (order) => Effect.map(Effect.forEach(order.domains, progressOf), (domains) => ({ domains }))
  }
}
