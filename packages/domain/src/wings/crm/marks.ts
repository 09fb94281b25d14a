import { companyOf } from "../../kernel/people/companyOf.js"
import { hostOf } from "../../kernel/people/Domain.js"
import { mailRefusal } from "../../kernel/people/mailRefusals.js"
import { cellAddresses } from "../../kernel/tables/cellAddresses.js"
import type { CrmStanding } from "../../outreach/suppression/keepingOut.js"
import type { CrmRecord } from "./Crm.js"

/** What a record of the CRM says of one address or domain. */
export interface CrmMark {
  readonly ref: string
  /** The keyed hash of an address, or a domain. It covers everybody below it. */
  readonly value: string
  readonly standing: CrmStanding
  readonly ownerRef: string | null
}

/** Whom a workspace's CRM keeps out, and what is written back to it. */
export interface CrmPolicy {
  readonly keepsCustomers: boolean
  readonly keepsOpenDeals: boolean
  /** People and companies whose owner there is no member here. */
  readonly keepsOwned: boolean
  readonly writesReplies: boolean
  readonly writesMeetings: boolean
  /** Whether a person who has no record there gets one. */
  readonly createsContacts: boolean
}

/** Most marks of one record. */
const MARKS_MAX = 500

/**
 * What a record says, as marks. A customer and an open deal keep out the record's people and everybody at their company;
 * an owner keeps out only what they own, and a no its person, by each of their addresses. A mail provider's domain is nobody's
 * company.
 */
export const marksOf = (record: CrmRecord, hashOf: (email: string) => string): ReadonlyArray<CrmMark> => {
  const { fields, hasOpenDeal, isCustomer, ownerRef, ref } = record
  // People type there what they like: names beside an address, several in one field, a URL for a domain.
  const emails = [...new Set(record.emails.flatMap((written) => cellAddresses(written).emails))]
  const own = record.domains.flatMap((written) => companyOf(hostOf(written) ?? "") ?? [])
  const owned = [...new Set([...emails.map(hashOf), ...own])]
  const everybody = [...new Set([...owned, ...emails.flatMap((email) => companyOf(email) ?? [])])]
  const marks = (values: ReadonlyArray<string>, standing: CrmStanding) =>
    values.map((value): CrmMark => ({ ref, value, standing, ownerRef }))
  const refusal = mailRefusal(fields)
  return [
    ...(refusal === null ? [] : marks([...new Set(emails.map(hashOf))], refusal.word)),
    ...(isCustomer ? marks(everybody, "customer") : []),
    ...(hasOpenDeal ? marks(everybody, "open_deal") : []),
    ...(ownerRef === null ? [] : marks(owned, "owned"))
  ].slice(0, MARKS_MAX)
}
