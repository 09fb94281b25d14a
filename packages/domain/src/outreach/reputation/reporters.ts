import { type MailHead, valuesOf } from "../mail/mail.js"

/**
 * The addresses from which large receivers send their reports. Only these may pause mailboxes: anyone can send a report
 * that passes DMARC for a domain of their own, or from an account at one of these receivers.
 */
export const REPORTERS: ReadonlyArray<string> = [
  "noreply-dmarc-support@google.com",
  "dmarcreport@microsoft.com",
  "noreply@dmarc.yahoo.com",
  "dmarc_support@corp.mail.ru",
  "postmaster@amazonses.com"
]

const FIELD_CHARS_MAX = 20_000

/** The method results of a field, without comments and quoted text, so that neither can imitate one. */
const plainly = (field: string): string =>
  field
    .slice(0, FIELD_CHARS_MAX)
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/\((?:[^()\\]|\\.)*\)/g, " ")
    .toLowerCase()

/**
 * What the newest `Authentication-Results` says (RFC 8601): which server, and its results; null: there is none. `server` is null if
 * the field names none and begins with a result, as Microsoft's do.
 */
export const newestResults = ({
  headers
}: Pick<MailHead, "headers">): { readonly server: string | null; readonly results: ReadonlyArray<string> } | null => {
  const [newest] = valuesOf(headers, "authentication-results")
  if (newest === undefined) return null
  const [first = "", ...others] = plainly(newest)
    .split(";")
    .map((part) => part.trim())
  const server = first.split(/\s+/)[0] ?? ""
  return server.includes("=") ? { server: null, results: [first, ...others] } : { server, results: others }
}

/**
 * Whether a report was sent by the reporter in its From: the receiving server of this name says that DMARC passed for
 * that domain (RFC 8601), and we believe its reports. Only the newest field counts, and it must be that server's. If no
 * server is named (null), nothing proves a sender.
 */
export const isProvenReporter = ({ fromEmail, headers }: MailHead, trustedServer: string | null): boolean => {
  if (trustedServer === null || fromEmail === null || valuesOf(headers, "from").length !== 1) return false
  if (!REPORTERS.includes(fromEmail.toLowerCase())) return false
  const from = fromEmail.slice(fromEmail.lastIndexOf("@") + 1).toLowerCase()
  const newest = newestResults({ headers })
  if (newest?.server !== trustedServer.toLowerCase()) return false
  const dmarc = newest.results.filter((result) => /^dmarc\s*=/.test(result))
  const passed = /^dmarc\s*=\s*pass\b/.test(dmarc[0] ?? "")
  const named = /\bheader\.from\s*=\s*([a-z0-9.-]+)/.exec(dmarc[0] ?? "")?.[1]
  return dmarc.length === 1 && passed && named === from
}
