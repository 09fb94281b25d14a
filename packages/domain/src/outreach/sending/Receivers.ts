import { leftOf, type Span } from "../../kernel/Span.js"
import { Clock, Effect, Option } from "effect"
import { registrableDomain } from "../../kernel/people/Domain.js"
import { DomainRecords } from "../mail/DomainRecords.js"

/** How long an organisation is remembered, how many domains are, and how long we wait for name servers. */
const KEPT_MILLIS = 6 * 3_600_000
const KEPT_MAX = 5_000
const ANSWER_MILLIS = 4_000

/** The domain of an address, in lower case. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1).toLowerCase()

/** The organisation that receives an address's mail if nothing is known of its servers: that of its domain. */
export const ownReceiver = (address: string): string => registrableDomain(domainOf(address)) ?? domainOf(address)

/**
 * Finds the organisation that receives an address's mail: the registrable domain of its most preferred mail server, such
 * as `google.com` for all that Google hosts. Without an answer from name servers it is the address's own domain.
 */
export const makeReceivers = Effect.gen(function* () {
  const records = Option.getOrNull(yield* Effect.serviceOption(DomainRecords))
  const kept = new Map<string, { readonly receiver: string; readonly span: Span }>()

  return (address: string): Effect.Effect<string> =>
    Effect.gen(function* () {
      const own = ownReceiver(address)
      if (records === null) return own
      const domain = domainOf(address)
      const nowMillis = yield* Clock.currentTimeMillis
      const known = kept.get(domain)
      if (known !== undefined && leftOf(known.span, nowMillis) > 0) return known.receiver
      const found = yield* records.mx(domain).pipe(Effect.timeout(ANSWER_MILLIS), Effect.option)
      // Not kept, so that the next message asks again.
      if (Option.isNone(found)) return own
      const receiver = registrableDomain(found.value[0] ?? domain) ?? own
      if (kept.size >= KEPT_MAX) kept.clear()
      kept.set(domain, { receiver, span: { from: nowMillis, until: nowMillis + KEPT_MILLIS } })
      return receiver
    })
})
