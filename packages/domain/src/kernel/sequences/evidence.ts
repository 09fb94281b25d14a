/**
 * Evidence of a recipient's values: where a value comes from, the words that say it there, and what the service found when
 * it looked (contract: campaigns, evidence).
 */
import { Schema } from "effect"

/** What was found where the evidence points. `unread`: it could not be looked at, which says nothing about the value. */
export const FINDINGS = ["found", "absent", "unread"] as const
export type FindingKind = (typeof FINDINGS)[number]

/**
 * Why, if the words were not simply found.
 *
 * - `absent`: `no_request`, the workspace made no such data call, or it failed; `no_words`, the words don't stand there;
 *   `about_another`, they stand there, and are about somebody else.
 * - `found`: `out_of_context`, the sentence around the words says otherwise; `other_value`, the value says what the words
 *   don't; `other_language`, the value and the words are in two languages, and only their names and numbers agree.
 * - `unread`: `no_outcome`, the call's answer is not kept; `no_reader`, nothing reads pages; `too_many` and `too_late`, the
 *   bounds of one call; the others as a page's reader says them.
 */
export const FINDING_REASONS = [
  "no_request",
  "no_words",
  "about_another",
  "out_of_context",
  "other_value",
  "other_language",
  "no_outcome",
  "no_reader",
  "too_many",
  "too_late",
  "unreachable",
  "forbidden",
  "refused",
  "elsewhere",
  "unsafe",
  "no_text"
] as const
export type FindingReason = (typeof FINDING_REASONS)[number]

/** What a look at the source gave. */
export interface Finding {
  readonly kind: FindingKind
  readonly reason: FindingReason | null
  /** With `found`: when the statement was made, as far as anybody can say (ISO 8601). Else null. */
  readonly datedAt: string | null
  /** The verb of the call, or the address at which the page was read; null: neither was. */
  readonly readFrom: string | null
}

/** The evidence of one value. */
export interface ValueEvidence {
  /** As templates name it: `first_name`, `custom.trigger`. */
  readonly variable: string
  /** Either a call of the workspace, or a page. */
  readonly requestId: string | null
  readonly url: string | null
  readonly excerpt: string
  /** When it was seen, as given: a day or a time. */
  readonly seenAt: string
  /** Null: nobody has looked yet. */
  readonly finding: Finding | null
}

const Text = Schema.NullOr(Schema.String)

/** As it is stored, with a lead and with the people of an approval. */
export const ValueEvidenceJson = Schema.Struct({
  variable: Schema.String,
  requestId: Text,
  url: Text,
  excerpt: Schema.String,
  seenAt: Schema.String,
  finding: Schema.NullOr(
    Schema.Struct({
      kind: Schema.Literals(FINDINGS),
      reason: Schema.NullOr(Schema.Literals(FINDING_REASONS)),
      datedAt: Text,
      readFrom: Text
    })
  )
})

/**
 * What an approval says of a merged value.
 *
 * - `proven`: the words stand at the source, and say what the value says.
 * - `old`: the same, and they are from more than a year ago.
 * - `altered`: the words stand there, and the value says something else.
 * - `not_found`: the words don't stand there.
 * - `unchecked`: it could not be checked.
 * - `without_proof`: no evidence was given.
 */
export const EVIDENCE_MARKS = ["proven", "old", "altered", "not_found", "unchecked", "without_proof"] as const
export type EvidenceMark = (typeof EVIDENCE_MARKS)[number]
