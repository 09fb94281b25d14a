import { Effect } from "effect"
import type { AnyWireError } from "../../kernel/errors/Wire.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { Contactability, reasonCounts } from "../suppression/Contactability.js"
import { countedReason, type LeftOut, shownReason } from "../suppression/SuppressionStore.js"
import type { Told, TrailEvent } from "../../kernel/trail/TrailEvent.js"
import type { RecipientField } from "../../verbs/campaignFields.js"
import type { Recipient, SequenceStep } from "../../kernel/sequences/Sequence.js"
import { type LeadOrigin, originKindOf } from "../../kernel/people/origins.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { firstOrigin, OriginStore } from "./recipients/OriginStore.js"
import type { LeftOutPerson } from "./recipients/leftOut.js"
import type { Fault } from "./recipients/readRecipient.js"
import { type Invalid, readRecipients } from "./recipients/readRecipients.js"

/** A recipient with the keyed hash that identifies them. */
export interface Hashed extends Recipient {
  readonly addressHash: string
}

/** A recipient whom an import accepts, and where their address came from first. */
export interface Accepted extends Hashed {
  readonly origin: LeadOrigin
}

/** The call that brings people, as the origin of those whom nothing else had brought. */
export interface BringingCall {
  readonly verb: string
  readonly requestId: string
  readonly atMillis: number
  /** Null: it is not known yet. */
  readonly keyName: string | null
}

/** A call's recipients after reading: one per address. */
export interface Candidates {
  readonly usable: ReadonlyArray<Hashed>
  readonly invalid: ReadonlyArray<Invalid & { readonly addressHash: string }>
}

/** Somebody whom an import leaves out. */
export interface Removed {
  readonly email: string
  readonly addressHash: string
  readonly reason: LeftOut
  /** Where the call names an invalid one, what has to be mended, and the row as given; null: they are not invalid. */
  readonly invalid: Omit<Invalid, "email"> | null
}

/** Whom an import accepts, and whom it leaves out, with the reason. */
export interface Sorted {
  readonly accepted: ReadonlyArray<Accepted>
  readonly removed: ReadonlyArray<Removed>
}

export interface ImportedLead extends Accepted {
  readonly campaignLeadId: string
}

/** Drops recipients who are already leads of the campaign: they are neither added nor counted again. */
export const without = (candidates: Candidates, present: ReadonlySet<string>): Candidates => ({
  usable: candidates.usable.filter((one) => !present.has(one.addressHash)),
  invalid: candidates.invalid.filter((one) => !present.has(one.addressHash))
})

/** What the trail says of an invalid recipient: never the value, which would outlive the person's erasure. */
export const faultDetail = ([fault]: ReadonlyArray<Fault>) =>
  fault === undefined ? {} : { field: fault.field, problem: fault.problem }

/** Most invalid recipients that an answer names. The campaign's page has all. */
export const INVALID_SHOWN_MAX = 100

type Invalids = ReadonlyArray<Pick<Invalid, "email" | "index" | "faults">>

const firstFaults = (invalid: Invalids) =>
  invalid
    .flatMap(({ email, faults: [fault], index }) => (fault === undefined ? [] : [{ index, email, ...fault }]))
    .toSorted((a, b) => a.index - b.index)

/** The answer's member about them. */
export const invalidOf = ({ removed }: Sorted) => {
  const found = removed.flatMap(({ email, invalid }) => (invalid === null ? [] : [{ ...invalid, email }]))
  return found.length === 0 ? {} : { invalid: firstFaults(found).slice(0, INVALID_SHOWN_MAX) }
}

/** The same as the warnings of a dry run, a line each. `member`: the request's list of recipients. */
export const invalidWarnings = (member: string, { invalid }: Candidates): ReadonlyArray<string> => {
  const lines = firstFaults(invalid).map(
    ({ field, index, message, value }) =>
      `${member}.${index}.${field}${value === null ? "" : ` (${JSON.stringify(value)})`} ${message}`
  )
  const more = lines.length - INVALID_SHOWN_MAX
  return more > 0 ? [...lines.slice(0, INVALID_SHOWN_MAX), `${more} more recipients are invalid`] : lines
}

export const countsOf = (sorted: Sorted) => ({
  leads_accepted: sorted.accepted.length,
  leads_suppressed: sorted.removed.length,
  suppressed_reasons: reasonCounts(sorted.removed.map((one) => one.reason))
})

export type Importer = Effect.Success<typeof makeImporter>

/** The only way to add people to a campaign. It adds no one who must not be emailed. */
export const makeImporter = Effect.gen(function* () {
  const contactability = yield* Contactability
  const ids = yield* Ids
  const origins = yield* OriginStore

  const read = (
    workspaceId: string,
    fields: ReadonlyArray<RecipientField>,
    sequence: ReadonlyArray<SequenceStep>
  ): Candidates => {
    const { invalid, usable } = readRecipients(fields, sequence)
    const hashOf = (email: string) => contactability.hashOf(workspaceId, email)
    return {
      usable: usable.map((recipient) => ({ ...recipient, addressHash: hashOf(recipient.email) })),
      invalid: invalid.map((one) => ({ ...one, addressHash: hashOf(one.email) }))
    }
  }

  /** Where each of them came from first. */
  const withOrigins = (
    workspaceId: string,
    people: ReadonlyArray<Hashed>,
    { atMillis, keyName, requestId, verb }: BringingCall
  ) =>
    Effect.map(
      origins.facts(
        workspaceId,
        people.map(({ addressHash }) => addressHash)
      ),
      (facts): ReadonlyArray<Accepted> => {
        const kind = originKindOf(verb) ?? "given"
        const at = new Date(atMillis).toISOString()
        const now = {
          kind,
          how: verb,
          at,
          by: keyName,
          request_id: requestId,
          line: null,
          file: null,
          sources: [],
          country: null
        }
        return people.map((one) => ({ ...one, origin: firstOrigin(facts.get(one.addressHash), now) }))
      }
    )

  /**
   * `contactedMillis`: the contact history covers the 30 days before it. `isRuledOut`: whom a rule of the workspace leaves
   * out; without it, nobody.
   */
  const sort = (
    candidates: Candidates,
    at: {
      readonly workspaceId: string
      readonly campaignId: string
      readonly contactedMillis: number
      readonly by: BringingCall
      readonly isRuledOut?: (email: string) => boolean
    }
  ): FromStore<Sorted, AnyWireError> =>
    Effect.flatMap(
      contactability.check({
        workspaceId: at.workspaceId,
        campaignId: at.campaignId,
        people: candidates.usable,
        nowMillis: at.contactedMillis,
        mayWait: true
      }),
      (forbidden) => {
        const reasonOf = ({ addressHash, email }: Hashed): LeftOut | null =>
          forbidden.get(addressHash) ?? (at.isRuledOut?.(email) === true ? "role_address" : null)
        return Effect.map(
          withOrigins(
            at.workspaceId,
            candidates.usable.filter((recipient) => reasonOf(recipient) === null),
            at.by
          ),
          (accepted): Sorted => ({
            accepted,
            removed: [
              ...candidates.invalid.map(({ addressHash, email, ...invalid }): Removed => ({
                email,
                addressHash,
                reason: "invalid",
                invalid
              })),
              ...candidates.usable.flatMap((one): ReadonlyArray<Removed> => {
                const reason = reasonOf(one)
                return reason === null
                  ? []
                  : [{ email: one.email, addressHash: one.addressHash, reason, invalid: null }]
              })
            ]
          })
        )
      }
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
        ...sorted.removed.map(({ email, invalid, reason }): Told => ({
          ...common,
          kind: "removed",
          email,
          detail: { ...shownReason(reason), ...faultDetail(invalid?.faults ?? []) }
        }))
      ]
    }
  }

  /** Whom the campaign's page names as left out. */
  const leftOut = ({ removed }: Sorted, nowMillis: number): ReadonlyArray<LeftOutPerson> =>
    removed.map(({ addressHash, email, invalid, reason }) => ({
      leftOutId: ids.next(nowMillis),
      addressHash,
      reason: countedReason(reason),
      detail: {
        email,
        index: invalid?.index ?? null,
        faults: invalid?.faults ?? [],
        given: invalid?.given ?? null
      }
    }))

  return { read, sort, admit, leftOut }
})
