/** From what a person says of a domain to what shall stand in its DNS. */
import { Result } from "effect"
import type { Issue } from "../../kernel/errors/Wire.js"
import { hostOf, registrableDomain } from "../../kernel/people/Domain.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import type { DkimWish, Wishes } from "./Wishes.js"

export const MAIL_HOSTS = ["google", "microsoft", "fastmail", "other"] as const
/** Who keeps the mailboxes of a domain. */
export type MailHost = (typeof MAIL_HOSTS)[number]

interface Known {
  readonly spf: ReadonlyArray<string>
  readonly mx: (domain: string) => ReadonlyArray<string>
  readonly dkim: (domain: string) => ReadonlyArray<DkimWish>
}

const none = (): ReadonlyArray<never> => []

/** What each of them publishes for its customers. Google and Microsoft make a DKIM key for each domain. */
const KNOWN: Readonly<Record<MailHost, Known>> = {
  google: { spf: ["include:_spf.google.com"], mx: () => ["1 smtp.google.com"], dkim: none },
  microsoft: {
    spf: ["include:spf.protection.outlook.com"],
    mx: (domain) => [`0 ${domain.replaceAll(".", "-")}.mail.protection.outlook.com`],
    dkim: none
  },
  fastmail: {
    spf: ["include:spf.messagingengine.com"],
    mx: () => ["10 in1-smtp.messagingengine.com", "20 in2-smtp.messagingengine.com"],
    dkim: (domain) =>
      ["fm1", "fm2", "fm3"].map((selector) => ({
        selector,
        type: "CNAME",
        value: `${selector}.${domain}.dkim.fmhosted.com`
      }))
  },
  other: { spf: [], mx: none, dkim: none }
}

/** The names of their outgoing servers. */
const OUTGOING: ReadonlyArray<readonly [MailHost, RegExp]> = [
  ["google", /^smtp(?:-relay)?\.gmail\.com$|^smtp\.googlemail\.com$/i],
  ["microsoft", /(?:^|\.)(?:office365|outlook)\.com$/i],
  ["fastmail", /(?:^|\.)(?:fastmail|messagingengine)\.com$/i]
]

/** Who keeps mailboxes that send by this server; `other`: we do not know them. */
export const mailHostOf = (smtpHost: string): MailHost =>
  OUTGOING.find(([, names]) => names.test(smtpHost))?.[0] ?? "other"

/** What a mail host has its customers publish for a domain, as far as it is the same for all of them. */
export const publishedFor = (mailHost: MailHost, domain: string): Pick<Wishes, "dkim" | "mx" | "spf"> => {
  const { dkim, mx, spf } = KNOWN[mailHost]
  return { spf, mx: mx(domain), dkim: dkim(domain) }
}

/** What a person says of a sending domain. */
export interface GivenDomain {
  readonly domain: string
  readonly mailHost: MailHost
  /** Further terms of SPF. */
  readonly spf: ReadonlyArray<string>
  /** Each as `selector TXT value` or `selector CNAME host`. */
  readonly dkim: ReadonlyArray<string>
  /** "": `dmarc@` the domain. */
  readonly reportsTo: string
  /** As `10 mx.example.com`. */
  readonly mx: ReadonlyArray<string>
  /** Whether the mail host's MX records are wished. */
  readonly takesMail: boolean
}

export const SPF_TERMS_MAX = 10
export const DKIM_KEYS_MAX = 10
export const MX_MAX = 10
const DKIM_CHARS_MAX = 2_000

const SPF_TERM =
  /^(?:include:[a-z0-9._-]+|ip4:[0-9.]+(?:\/\d{1,2})?|ip6:[0-9a-f:.]+(?:\/\d{1,3})?|(?:a|mx)(?::[a-z0-9._-]+)?)$/i
const SELECTOR = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i
const DKIM_KEY = /(?:^|;)\s*p\s*=\s*[a-z0-9+/=\s]{16,}/i
const PRINTABLE = /^[\x20-\x7e]+$/

const dkimOf = (line: string): DkimWish | null => {
  const [, selector = "", type = "", given = ""] = /^(\S+)\s+(TXT|CNAME)\s+(.+)$/i.exec(line.trim()) ?? []
  if (!SELECTOR.test(selector) || given.length > DKIM_CHARS_MAX || !PRINTABLE.test(given)) return null
  if (type.toUpperCase() === "CNAME") {
    const host = hostOf(given)
    return host === null ? null : { selector: selector.toLowerCase(), type: "CNAME", value: host }
  }
  const value = given.replaceAll(/"\s*"/g, "").replaceAll('"', "").trim()
  return DKIM_KEY.test(value) ? { selector: selector.toLowerCase(), type: "TXT", value } : null
}

const mxOf = (line: string): string | null => {
  const [, preference = "", given = ""] = /^(\d{1,5})\s+(\S+)$/.exec(line.trim()) ?? []
  const host = hostOf(given)
  return host === null || Number(preference) > 65_535 ? null : `${Number(preference)} ${host}`
}

const each = <A>(
  path: string,
  given: ReadonlyArray<string>,
  max: number,
  read: (line: string) => A | null,
  form: string
): { readonly values: ReadonlyArray<A>; readonly issues: ReadonlyArray<Issue> } => {
  const lines = given.map((line) => line.trim()).filter((line) => line !== "")
  const all = lines.map((line) => ({ line, value: read(line) }))
  return {
    values: all.flatMap(({ value }) => (value === null ? [] : [value])),
    issues: [
      ...(lines.length > max ? [{ path, message: `has ${lines.length} lines; at most ${max} are possible` }] : []),
      ...all
        .filter(({ value }) => value === null)
        .slice(0, max)
        .map(({ line }) => ({ path, message: `“${line.slice(0, 60)}” must be ${form}` }))
    ]
  }
}

/** Left: everything that is wrong with what was given. */
export const wishesOf = (given: GivenDomain): Result.Result<Wishes, ReadonlyArray<Issue>> => {
  const domain = hostOf(given.domain)
  const organisation = domain === null ? null : registrableDomain(domain)
  if (domain === null || organisation === null || /[/@]/.test(given.domain.trim())) {
    return Result.fail([{ path: "domain", message: "must be a domain of yours, such as mail.example.com" }])
  }
  const known = KNOWN[given.mailHost]
  const spf = each(
    "spf",
    given.spf,
    SPF_TERMS_MAX,
    (term) => (SPF_TERM.test(term) ? term.toLowerCase() : null),
    "a term such as include:_spf.example.com or ip4:192.0.2.1"
  )
  const dkim = each(
    "dkim",
    given.dkim,
    DKIM_KEYS_MAX,
    dkimOf,
    "“selector TXT v=DKIM1; k=rsa; p=…” or “selector CNAME host”"
  )
  const mx = each("mx", given.mx, MX_MAX, mxOf, "a number and a host, such as 10 mx.example.com")
  const keys = [...known.dkim(domain), ...dkim.values]
  const terms = [...new Set([...known.spf, ...spf.values])]
  const reportsTo = given.reportsTo.trim() === "" ? `dmarc@${domain}` : (usableEmail(given.reportsTo) ?? "")
  const selectors = keys.map(({ selector }) => selector)
  const issues: ReadonlyArray<Issue> = [
    ...spf.issues,
    ...(terms.length === 0 && spf.issues.length === 0
      ? [{ path: "spf", message: "must name who sends for the domain, such as include:_spf.example.com" }]
      : []),
    ...dkim.issues,
    ...(keys.length === 0 && dkim.issues.length === 0
      ? [{ path: "dkim", message: "must have the record that your mail provider shows where you turn on DKIM signing" }]
      : []),
    ...(new Set(selectors).size < selectors.length ? [{ path: "dkim", message: "names a selector twice" }] : []),
    ...(registrableDomain(reportsTo.slice(reportsTo.lastIndexOf("@") + 1)) === organisation
      ? []
      : [
          {
            path: "reports-to",
            message: `must be an address of ${organisation}: others would have to allow its reports`
          }
        ]),
    ...mx.issues
  ]
  if (issues.length > 0) return Result.fail(issues)
  return Result.succeed({
    domain,
    spf: terms,
    dkim: keys,
    reportsTo,
    mx: [...(given.takesMail ? known.mx(domain) : []), ...mx.values]
  })
}
