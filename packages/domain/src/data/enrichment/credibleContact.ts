import { crediblePerson, isCrediblePhone, isIdentified } from "../people/Credible.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import type { EnrichedContact } from "../../sources/ports/ContactEnricher.js"
import { EMAIL_STATUSES } from "../../sources/ports/EmailVerifier.js"

const WORK_EMAIL_STATUSES = ["valid", "catch_all", "unknown", "not_found"] as const

/**
 * A source's answer with its free fields cleaned. Null if the paid-for address, verdict or number is implausible, or
 * nobody is identified.
 */
export const credibleContact = (contact: EnrichedContact): EnrichedContact | null => {
  const { emailVerdict, mobilePhone, workEmail, workEmailStatus } = contact
  const address = workEmail === null ? null : usableEmail(workEmail)
  if (workEmail !== null && address === null) return null
  if (workEmailStatus !== null && !WORK_EMAIL_STATUSES.includes(workEmailStatus)) return null
  if (emailVerdict !== null && !EMAIL_STATUSES.includes(emailVerdict)) return null
  if (mobilePhone !== null && !isCrediblePhone(mobilePhone)) return null
  const person = crediblePerson(contact)
  if (!isIdentified(person) && address === null && mobilePhone === null) return null
  return { ...person, emailVerdict, mobilePhone, workEmail: address, workEmailStatus }
}
