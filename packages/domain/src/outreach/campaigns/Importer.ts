import { Effect } from "effect"
import type { AnyWireError } from "../../kernel/errors/Wire.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { Contactability, type LeftOut, reasonCounts } from "../suppression/Contactability.js"
import { shownReason } from "../suppression/SuppressionStore.js"
import type { Told, TrailEvent } from "../../kernel/trail/TrailEvent.js"
import type { RecipientField } from "../../verbs/campaignFields.js"
import type { Recipient, SequenceStep } from "../../kernel/sequences/Sequence.js"
import { hasValues, requiredVariables } from "../../kernel/sequences/template.js"

interface ReadRecipients {
  /** One per address; the first mention counts. */
  readonly usable: ReadonlyArray<Recipient>
  /** As given: unusable addresses, and people without a value that the messages need. */
  readonly invalid: ReadonlyArray<string>
}

const orNull = (text: string | undefined): string | null =>
  text === undefined || text.trim() === "" ? null : text.trim()

/** Reads recipients as a caller gave them. Duplicates collapse without being counted (contract: campaigns, recipients). */
const readRecipients = (
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

/** A recipient with the keyed hash that identifies them. */
export interface Hashed extends Recipient {
  readonly addressHash: string
}

/** A call's recipients after reading: one per address. */
export interface Candidates {
  readonly usable: ReadonlyArray<Hashed>
  readonly invalid: ReadonlyArray<{ readonly email: string; readonly addressHash: string }>
}

/** Whom an import accepts, and whom it leaves out, with the reason. */
export interface Sorted {
  readonly accepted: ReadonlyArray<Hashed>
  readonly removed: ReadonlyArray<{ readonly email: string; readonly reason: LeftOut }>
}

export interface ImportedLead extends Hashed {
  readonly campaignLeadId: string
}

/** Drops recipients who are already leads of the campaign: they are neither added nor counted again. */
export const without = (candidates: Candidates, present: ReadonlySet<string>): Candidates => ({
  usable: candidates.usable.filter((one) => !present.has(one.addressHash)),
  invalid: candidates.invalid.filter((one) => !present.has(one.addressHash))
})

export const countsOf = (sorted: Sorted) => ({
  leads_accepted: sorted.accepted.length,
  leads_suppressed: sorted.removed.length,
  suppressed_reasons: reasonCounts(sorted.removed.map((one) => one.reason))
})

export type Importer = Effect.Effect.Success<typeof makeImporter>

/** The only way to add people to a campaign. It adds no one who must not be emailed. */
export const makeImporter = Effect.gen(function* () {
  const contactability = yield* Contactability
  const ids = yield* Ids

  const read = (
    workspaceId: string,
    fields: ReadonlyArray<RecipientField>,
    sequence: ReadonlyArray<SequenceStep>
  ): Candidates => {
    const { invalid, usable } = readRecipients(fields, sequence)
    const hashOf = (email: string) => contactability.hashOf(workspaceId, email)
    return {
      usable: usable.map((recipient) => ({ ...recipient, addressHash: hashOf(recipient.email) })),
      invalid: invalid.map((email) => ({ email, addressHash: hashOf(email) }))
    }
  }

  /** `contactedMillis`: the contact history covers the 30 days before it. */
  const sort = (
    candidates: Candidates,
    at: { readonly workspaceId: string; readonly campaignId: string; readonly contactedMillis: number }
  ): Effect.Effect<Sorted, AnyWireError> =>
    Effect.map(
      contactability.check({
        workspaceId: at.workspaceId,
        campaignId: at.campaignId,
        people: candidates.usable,
        nowMillis: at.contactedMillis,
        mayWait: true
      }),
      (forbidden) => ({
        accepted: candidates.usable.filter((recipient) => !forbidden.has(recipient.addressHash)),
        removed: [
          ...candidates.invalid.map(({ email }) => ({ email, reason: "invalid" as const })),
          ...candidates.usable.flatMap((recipient) => {
            const reason = forbidden.get(recipient.addressHash)
            return reason === undefined ? [] : [{ email: recipient.email, reason }]
          })
        ]
      })
    )

  /** The accepted people as leads, and the trail events about everyone. */
  const admit = (
    sorted: Sorted,
    nowMillis: number,
    common: Pick<TrailEvent, "workspaceId" | "source" | "requestId" | "campaignId">
  ): { readonly leads: ReadonlyArray<ImportedLead>; readonly events: ReadonlyArray<Told> } => {
    const leads = sorted.accepted.map((recipient) => ({ ...recipient, campaignLeadId: ids.next(nowMillis) }))
    return {
      leads,
      events: [
        ...leads.map(({ campaignLeadId, email }): Told => ({ ...common, kind: "admitted", campaignLeadId, email })),
        ...sorted.removed.map(({ email, reason }): Told => ({
          ...common,
          kind: "removed",
          email,
          detail: shownReason(reason)
        }))
      ]
    }
  }

  return { read, sort, admit }
})
