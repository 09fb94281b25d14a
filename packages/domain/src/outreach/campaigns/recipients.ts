import { usableEmail } from "../../kernel/people/EmailAddress.js"
import type { RecipientField } from "../../verbs/campaignFields.js"
import type { Recipient, SequenceStep } from "../../kernel/sequences/Sequence.js"
import { hasValues, requiredVariables } from "../../kernel/sequences/template.js"

export interface ReadRecipients {
  /** One for each address, the first that named it. */
  readonly usable: ReadonlyArray<Recipient>
  /** As they were given: no address that mail could be sent to, or a value missing that the messages need. */
  readonly invalid: ReadonlyArray<string>
}

const orNull = (text: string | undefined): string | null =>
  text === undefined || text.trim() === "" ? null : text.trim()

/** Reads a caller's recipients. Duplicates collapse without being counted (contract: campaigns, recipients). */
export const readRecipients = (
  fields: ReadonlyArray<RecipientField>,
  sequence: ReadonlyArray<SequenceStep>
): ReadRecipients => {
  const required = requiredVariables(sequence)
  const seen = new Set<string>()
  const usable: Array<Recipient> = []
  const invalid: Array<string> = []
  for (const field of fields) {
    const email = usableEmail(field.email)
    const identity = email ?? field.email.trim().toLowerCase()
    if (seen.has(identity)) continue
    seen.add(identity)
    if (email === null) {
      invalid.push(identity)
      continue
    }
    const recipient: Recipient = {
      email,
      firstName: orNull(field.first_name),
      lastName: orNull(field.last_name),
      companyName: orNull(field.company_name),
      custom: field.custom ?? {}
    }
    if (hasValues(recipient, required)) usable.push(recipient)
    else invalid.push(email)
  }
  return { usable, invalid }
}
