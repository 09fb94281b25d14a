/** DNS records that a sending domain needs for delivery: MX, SPF, DKIM and DMARC. */
import { Effect } from "effect"
import { registrableDomain } from "../../kernel/people/Domain.js"
import type { DomainRecords, RecordsUnavailable } from "../mail/DomainRecords.js"

export type VitalName = "mx" | "spf" | "dkim" | "dmarc"

/** `weak`: present but ineffective. `unknown`: the name servers did not answer. */
export type VitalState = "good" | "weak" | "missing" | "unknown"

export interface Vital {
  readonly name: VitalName
  readonly state: VitalState
  /** The record as found. */
  readonly found: string | null
  /** What is wrong and how to fix it, for people; null: nothing. */
  readonly advice: string | null
}

/** DKIM selectors of large providers and common servers, tried if none are given. */
export const COMMON_SELECTORS: ReadonlyArray<string> = [
  "google",
  "selector1",
  "selector2",
  "default",
  "dkim",
  "mail",
  "k1",
  "s1",
  "s2",
  "fm1",
  "zoho",
  "protonmail"
]

const LOOKUPS_AT_ONCE = 4
const FOUND_CHARS_MAX = 500

const vital = (name: VitalName, state: VitalState, found: string | null, advice: string | null): Vital => ({
  name,
  state,
  found: found === null ? null : found.slice(0, FOUND_CHARS_MAX),
  advice
})

const unknown = (name: VitalName) => (_unavailable: RecordsUnavailable) =>
  Effect.succeed(vital(name, "unknown", null, "The DNS servers did not answer. Check again later."))

export const judgeMx = (domain: string, hosts: ReadonlyArray<string>): Vital => {
  // A single root name means that the domain accepts no mail (RFC 7505).
  const taking = hosts.filter((host) => host !== "" && host !== ".")
  return taking.length > 0
    ? vital("mx", "good", taking.join(", "), null)
    : vital(
        "mx",
        "missing",
        null,
        `${domain} has no MX records, so replies and bounces would be lost. Add the MX records of your mail provider.`
      )
}

export const judgeSpf = (domain: string, texts: ReadonlyArray<string>): Vital => {
  const policies = texts.filter((text) => /^v=spf1(?:\s|$)/i.test(text))
  const [policy] = policies
  if (policy === undefined) {
    return vital(
      "spf",
      "missing",
      null,
      `${domain} has no SPF record. Add a TXT record at ${domain}, such as "v=spf1 include:<your provider's domain> ~all".`
    )
  }
  if (policies.length > 1) {
    return vital(
      "spf",
      "weak",
      policies.join(" | "),
      `${domain} has ${policies.length} SPF records, which receivers treat as an error. Merge them into one.`
    )
  }
  const terms = policy.toLowerCase().split(/\s+/)
  if (terms.some((term) => /^[-~]all$/.test(term) || term.startsWith("redirect="))) {
    return vital("spf", "good", policy, null)
  }
  return vital("spf", "weak", policy, `The SPF record of ${domain} allows every server. End it with "~all" or "-all".`)
}

const dkimKey = (texts: ReadonlyArray<string>): string | undefined =>
  texts.find((text) => /(?:^|;)\s*p\s*=/i.test(text) && !/(?:^|;)\s*v\s*=\s*(?!DKIM1\b)/i.test(text))

export const judgeDkim = (
  domain: string,
  given: boolean,
  keys: ReadonlyArray<{ readonly selector: string; readonly texts: ReadonlyArray<string> }>
): Vital => {
  const published = keys.flatMap(({ selector, texts }) => {
    const key = dkimKey(texts)
    return key === undefined ? [] : [{ selector, isRevoked: /(?:^|;)\s*p\s*=\s*(?:;|$)/i.test(key) }]
  })
  const valid = published.filter(({ isRevoked }) => !isRevoked).map(({ selector }) => selector)
  if (valid.length > 0) return vital("dkim", "good", valid.join(", "), null)
  if (published.length > 0) {
    const selectors = published.map(({ selector }) => selector).join(", ")
    return vital(
      "dkim",
      "weak",
      selectors,
      `The DKIM key of ${domain} at ${selectors} is revoked. Create a new key at your mail provider.`
    )
  }
  const where = keys.map(({ selector }) => selector).join(", ")
  return given
    ? vital(
        "dkim",
        "missing",
        null,
        `No DKIM key found at ${keys[0]?.selector ?? "<selector>"}._domainkey.${domain} (checked: ${where}). Turn on DKIM signing at your mail provider and add the TXT or CNAME record it gives you.`
      )
    : vital(
        "dkim",
        "unknown",
        null,
        `No DKIM key found under the usual selectors (${where}). If your mail provider uses another selector, enter it. Otherwise, turn on DKIM signing there and add the record it gives you.`
      )
}

export const judgeDmarc = (domain: string, texts: ReadonlyArray<string>): Vital => {
  const policies = texts.filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/i.test(text))
  const [policy] = policies
  if (policy === undefined) {
    return vital(
      "dmarc",
      "missing",
      null,
      `${domain} has no DMARC record. Add a TXT record at _dmarc.${domain}, such as "v=DMARC1; p=none; rua=mailto:<an address that you read>".`
    )
  }
  if (policies.length > 1) {
    return vital(
      "dmarc",
      "weak",
      policies.join(" | "),
      `${domain} has ${policies.length} DMARC records, so receivers ignore them. Keep one.`
    )
  }
  return /;\s*p\s*=\s*(?:none|quarantine|reject)\s*(?:;|$)/i.test(policy)
    ? vital("dmarc", "good", policy, null)
    : vital(
        "dmarc",
        "weak",
        policy,
        `The DMARC record of ${domain} has no policy, so receivers ignore it. Add "p=none", "p=quarantine" or "p=reject".`
      )
}

/** Looks up a sending domain's records. Never fails: reports what is unknown. */
export const checkVitals = (
  records: DomainRecords["Service"],
  domain: string,
  selectors: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Vital>> => {
  const wanted = [...new Set([...selectors, ...COMMON_SELECTORS])]
  const keys = Effect.forEach(
    wanted,
    (selector) => Effect.map(records.txt(`${selector}._domainkey.${domain}`), (texts) => ({ selector, texts })),
    { concurrency: LOOKUPS_AT_ONCE }
  )
  const ofOrganisation = registrableDomain(domain) ?? domain
  const dmarc = Effect.flatMap(records.txt(`_dmarc.${domain}`), (texts) =>
    texts.length > 0 || ofOrganisation === domain
      ? Effect.succeed(judgeDmarc(domain, texts))
      : // A subdomain without a policy has that of its organisation (RFC 7489 §6.6.3).
        Effect.map(records.txt(`_dmarc.${ofOrganisation}`), (inherited) => judgeDmarc(ofOrganisation, inherited))
  )
  return Effect.all(
    [
      Effect.map(records.mx(domain), (hosts) => judgeMx(domain, hosts)).pipe(Effect.catch(unknown("mx"))),
      Effect.map(records.txt(domain), (texts) => judgeSpf(domain, texts)).pipe(Effect.catch(unknown("spf"))),
      Effect.map(keys, (found) => judgeDkim(domain, selectors.length > 0, found)).pipe(Effect.catch(unknown("dkim"))),
      dmarc.pipe(Effect.catch(unknown("dmarc")))
    ],
    { concurrency: "unbounded" }
  )
}
