import { Result } from "effect"
import { registrableDomain } from "../../kernel/people/Domain.js"
import { mergeDmarc } from "../domains/planRecords.js"
import { mergeSpf } from "../domains/spf.js"
import type { RecordType, Wishes } from "../domains/Wishes.js"
import { type MailHost, publishedFor } from "../domains/wishesOf.js"
import type { Check, CheckStatus } from "./Look.js"

/** A record for a person to publish. */
export interface PastedRecord {
  readonly name: string
  readonly type: RecordType
  readonly values: ReadonlyArray<string>
}

/** What is known of a domain that says what its records shall be. */
export interface PasteFacts {
  readonly domain: string
  /** What its owner said of it; null: nothing. */
  readonly wishes: Wishes | null
  /** Who keeps its mailboxes. */
  readonly mailHost: MailHost
  /** An address of the domain that the service reads, for DMARC reports; null: none. */
  readonly reportsTo: string | null
}

const DMARC_ALONE = "v=DMARC1; p=none"

const one = (name: string, type: RecordType, values: ReadonlyArray<string>): ReadonlyArray<PastedRecord> =>
  values.length === 0 ? [] : [{ name, type, values }]

const spfOf = (terms: ReadonlyArray<string>): ReadonlyArray<string> =>
  terms.length === 0 ? [] : [Result.getOrThrow(mergeSpf([], terms))]

const dmarcOf = (reportsTo: string | null): string =>
  reportsTo === null ? DMARC_ALONE : Result.getOrThrow(mergeDmarc([], reportsTo))

/**
 * The records that mend a check, ready to paste. None where only a person can know them: a key that the mail provider
 * shows, or a record that stands there already and has to be changed.
 */
export const recordsToPaste = (
  check: Check,
  status: CheckStatus,
  { domain, mailHost, reportsTo, wishes }: PasteFacts
): ReadonlyArray<PastedRecord> => {
  if (status !== "missing") return []
  const { dkim, mx, spf } = wishes ?? publishedFor(mailHost, domain)
  switch (check) {
    case "spf":
      return one(domain, "TXT", spfOf(spf))
    case "dkim":
      return dkim.flatMap(({ selector, type, value }) => one(`${selector}._domainkey.${domain}`, type, [value]))
    case "dmarc":
      // A subdomain has the record of its organisation.
      return one(`_dmarc.${registrableDomain(domain) ?? domain}`, "TXT", [dmarcOf(wishes?.reportsTo ?? reportsTo)])
    case "mx":
      return one(domain, "MX", mx)
  }
}
