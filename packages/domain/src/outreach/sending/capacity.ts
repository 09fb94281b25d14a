import { type Credits, times } from "../../kernel/money/Credits.js"
import { MAILBOX_UPKEEP_PRICE, DOMAIN_SETUP_PRICE } from "../../verbs/prices.js"
import { MAILBOXES_PER_DOMAIN, SENDS_PER_MAILBOX } from "../../verbs/SetupSending.js"

/** How much capacity a wish comes to. */
export interface Capacity {
  readonly domains: number
  readonly mailboxes: number
  readonly setup: Credits
  readonly upkeepPerMonth: Credits
}

/** Mailboxes = ceil(sends / 25), domains = ceil(mailboxes / 5) (contract: campaigns, capacity). */
export const capacityFor = (dailySends: number): Capacity => {
  const mailboxes = Math.ceil(dailySends / SENDS_PER_MAILBOX)
  const domains = Math.ceil(mailboxes / MAILBOXES_PER_DOMAIN)
  return {
    domains,
    mailboxes,
    setup: times(DOMAIN_SETUP_PRICE, domains),
    upkeepPerMonth: times(MAILBOX_UPKEEP_PRICE, mailboxes)
  }
}

const slug = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "")

/** Local parts for one identity on one domain: as many as a domain has mailboxes, all distinct. */
const localParts = (firstName: string, lastName: string): ReadonlyArray<string> => {
  const first = slug(firstName) || "team"
  const last = slug(lastName) || "mail"
  const wished = [`${first}.${last}`, first, `${first[0]}.${last}`, `${first}${last[0]}`, `${last}.${first}`]
  const parts: Array<string> = []
  for (const part of wished) {
    let unique = part
    for (let n = 2; parts.includes(unique); n += 1) unique = `${part}${n}`
    parts.push(unique)
  }
  return parts
}

/** Distributes the mailboxes over the domains in order, at most five per domain. */
export const layOut = (
  domains: ReadonlyArray<string>,
  mailboxes: number,
  identity: { readonly firstName: string; readonly lastName: string }
): ReadonlyArray<{ readonly domain: string; readonly mailboxes: ReadonlyArray<string> }> => {
  const parts = localParts(identity.firstName, identity.lastName)
  return domains.map((domain, index) => {
    const left = Math.max(0, mailboxes - index * MAILBOXES_PER_DOMAIN)
    return { domain, mailboxes: parts.slice(0, left).map((part) => `${part}@${domain}`) }
  })
}
