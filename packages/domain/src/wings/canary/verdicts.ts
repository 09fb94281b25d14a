/** What the server that got a canary says of its authentication (RFC 8601). */
import { operatorOf } from "../../kernel/people/Suffixes.js"
import type { MailHead } from "../../outreach/mail/mail.js"
import { newestResults } from "../../outreach/reputation/reporters.js"

const METHODS = ["spf", "dkim", "dmarc"] as const

/** Results as RFC 8601 names them; null: the server said nothing that we believe. */
export interface Verdicts {
  readonly spf: string | null
  readonly dkim: string | null
  readonly dmarc: string | null
}

export const NO_VERDICTS: Verdicts = { spf: null, dkim: null, dmarc: null }

const RESULTS: ReadonlySet<string> = new Set([
  "none",
  "pass",
  "fail",
  "softfail",
  "neutral",
  "policy",
  "temperror",
  "permerror"
])

/**
 * The verdicts of the newest field, if it is of a server of those who receive the mailbox's mail or serve its IMAP. Anybody can
 * write a field of that name: an older one, or one of another server, proves nothing. With several results of one method, a
 * pass counts: one signature that holds is enough.
 */
export const verdictsOf = (head: Pick<MailHead, "headers">, trusted: ReadonlyArray<string>): Verdicts => {
  const newest = newestResults(head)
  const server = newest === null || !newest.server.includes(".") ? null : operatorOf(newest.server)
  if (newest === null || server === null || !trusted.includes(server)) return NO_VERDICTS
  const of = (method: (typeof METHODS)[number]): string | null => {
    const found = newest.results.flatMap((result) => {
      const [, value = ""] = new RegExp(`^${method}\\s*=\\s*([a-z]+)`).exec(result) ?? []
      return RESULTS.has(value) ? [value] : []
    })
    return found.includes("pass") ? "pass" : (found[0] ?? null)
  }
  return { spf: of("spf"), dkim: of("dkim"), dmarc: of("dmarc") }
}

/** Which checks it failed there. A server that says nothing fails nothing. */
export const failedOf = (of: Verdicts): ReadonlyArray<string> =>
  METHODS.filter((method) => of[method] === "fail" || of[method] === "permerror")
