import type {
  CapacityOrder,
  CapacityProgress,
  ProvisioningStatus
} from "@outbound/domain/sources/ports/SendingProvider.js"

/** When the last domain of an order has come alive or failed, in milliseconds after the order. */
export const READY_MILLIS = 1500
export const READY_SLOW_MILLIS = 10_000

/** What the brand of an order asks for. */
type ProvisioningOutcome = "smooth" | "fails" | "partial"

const outcomeOf = (brand: string): ProvisioningOutcome =>
  brand.startsWith("fail-") ? "fails" : brand.startsWith("partial-") ? "partial" : "smooth"

const DOMAIN_REFUSED = "The registry refused the domain (sandbox)."
const MAILBOX_REFUSED = "A mailbox could not be opened (sandbox)."

/**
 * How far an order has come: a function of the order and the time alone. The domains come one after the other, each
 * with its mailboxes. `partial-`: the last of several domains fails; a single domain comes alive, and its last
 * mailbox fails, also where it has only that one.
 */
export const progressAt = (order: CapacityOrder, nowMillis: number): CapacityProgress => {
  const course = outcomeOf(order.brand)
  const ready = order.brand.startsWith("slow-") ? READY_SLOW_MILLIS : READY_MILLIS
  const count = order.domains.length
  return {
    domains: order.domains.map(({ domain, mailboxes }, index) => {
      const isLast = index === count - 1
      const done = nowMillis - order.orderedAtMillis >= (ready * (index + 1)) / count
      const domainFails = course === "fails" || (course === "partial" && isLast && count > 1)
      const mailboxFails = course === "partial" && count === 1
      const ended = (failed: boolean): ProvisioningStatus => (!done ? "pending" : failed ? "failed" : "active")
      return {
        domain,
        status: ended(domainFails),
        detail: !done ? null : domainFails ? DOMAIN_REFUSED : mailboxFails ? MAILBOX_REFUSED : null,
        mailboxes: mailboxes.map((address, place) => ({
          address,
          status: ended(domainFails || (mailboxFails && place === mailboxes.length - 1))
        }))
      }
    })
  }
}

const FORMS: ReadonlyArray<readonly [before: string, after: string]> = [
  ["try-", ""],
  ["get-", ""],
  ["", "-team"],
  ["go-", ""],
  ["with-", ""],
  ["", "-hq"],
  ["meet-", ""],
  ["", "-mail"],
  ["hello-", ""],
  ["use-", ""]
]
const TLDS = ["example", "test"] as const

/** A brand as the middle of a DNS label: single dashes, none at either end. */
const labelOf = (brand: string): string =>
  brand
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "brand"

/** Domain names for a brand, best first, each under a reserved top-level domain. A longer list begins with the shorter. */
export const domainsFor = (brand: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: Math.max(0, Math.floor(count)) }, (_, index) => {
    const [before, after] = FORMS[index % FORMS.length] ?? ["try-", ""]
    const round = Math.floor(index / FORMS.length)
    const number = Math.floor(round / TLDS.length)
    return `${before}${labelOf(brand)}${after}${number === 0 ? "" : `-${number + 1}`}.${TLDS[round % TLDS.length]}`
  })
