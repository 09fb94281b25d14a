/** What the server that got a canary says of its authentication (RFC 8601). */
import { operatorOf } from "../../kernel/people/Suffixes.js"
import type { MailHead } from "../../outreach/mail/mail.js"
import { newestResults } from "../../outreach/reputation/reporters.js"

const METHODS = ["spf", "dkim", "dmarc", "compauth"] as const
type Method = (typeof METHODS)[number]

/** Results as RFC 8601 names them; null: the server said nothing that we believe. */
export interface Verdicts {
  readonly spf: string | null
  readonly dkim: string | null
  readonly dmarc: string | null
  /** What Microsoft makes of all of them together: `pass`, `softpass`, `fail` or `none`. No other receiver has it. */
  readonly compauth: string | null
}

export const NO_VERDICTS: Verdicts = { spf: null, dkim: null, dmarc: null, compauth: null }

const RFC = ["none", "pass", "fail", "softfail", "neutral", "policy", "temperror", "permerror"]

const RESULTS: Readonly<Record<Method, ReadonlySet<string>>> = {
  spf: new Set(RFC),
  dkim: new Set(RFC),
  dmarc: new Set(RFC),
  compauth: new Set(["pass", "softpass", "fail", "none"])
}

/** Words of Microsoft's, by those of RFC 8601: a domain without a record that would pass, and a key that did not come in time. */
const OTHERWISE: ReadonlyMap<string, string> = new Map([
  ["bestguesspass", "none"],
  ["timeout", "temperror"]
])

const HOST_CHARS_MAX = 2_000

/**
 * The server that took the mail in over this field, from the first `Received` below it: whoever sent the mail wrote only what
 * lies below that. Microsoft's servers write `Authentication-Results` without a server's name, so this alone says whose it is.
 */
const takenInBy = ({ headers }: Pick<MailHead, "headers">): string | null => {
  const at = headers.findIndex(({ name }) => name === "authentication-results")
  const received = headers.slice(at + 1).find(({ name }) => name === "received")
  const [, host] = /\bby\s+([a-z0-9.-]+)/i.exec(received?.value.slice(0, HOST_CHARS_MAX) ?? "") ?? []
  return host?.toLowerCase() ?? null
}

/**
 * The verdicts of the newest field, if it is of a server of those who receive the mailbox's mail or serve its IMAP. Anybody can
 * write a field of that name: an older one, or one of another server, proves nothing. With several results of one method, a
 * pass counts: one signature that holds is enough.
 */
export const verdictsOf = (head: Pick<MailHead, "headers">, trusted: ReadonlyArray<string>): Verdicts => {
  const newest = newestResults(head)
  if (newest === null) return NO_VERDICTS
  const host = newest.server ?? takenInBy(head)
  const server = host === null || !host.includes(".") ? null : operatorOf(host)
  if (server === null || !trusted.includes(server)) return NO_VERDICTS
  const of = (method: Method): string | null => {
    const found = newest.results.flatMap((result) => {
      const [, word = ""] = new RegExp(`^${method}\\s*=\\s*([a-z]+)`).exec(result) ?? []
      const value = OTHERWISE.get(word) ?? word
      return RESULTS[method].has(value) ? [value] : []
    })
    return found.includes("pass") ? "pass" : (found[0] ?? null)
  }
  return { spf: of("spf"), dkim: of("dkim"), dmarc: of("dmarc"), compauth: of("compauth") }
}

/** Which checks it failed there. A server that says nothing fails nothing. */
export const failedOf = (of: Verdicts): ReadonlyArray<string> =>
  METHODS.filter((method) => of[method] === "fail" || of[method] === "permerror")
