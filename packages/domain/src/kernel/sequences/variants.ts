/** Variants of a step: wordings of one message, each sent to its share of the people (contract: campaigns, variants). */
import { jitter } from "../jitter.js"
import type { SequenceStep, Wording } from "./Sequence.js"

/** Most variants of a step. */
export const VARIANTS_MAX = 6

/** Of each step, the index of a variant; null: the step has one wording. */
export type StepVariants = ReadonlyArray<number | null>

/** All wordings of a step. */
export const wordingsOf = ({ body, otherVariants = [], subject }: SequenceStep): ReadonlyArray<Wording> => [
  { subject, body },
  ...otherVariants
]

export const hasVariants = (sequence: ReadonlyArray<SequenceStep>): boolean =>
  sequence.some(({ otherVariants }) => otherVariants !== undefined)

/** `A` for the first. */
export const variantName = (index: number): string => String.fromCharCode(65 + index)

/**
 * The variant of each step that a person gets. Each is as likely as the others and independent of all other people and
 * steps, which `evidenceFor` relies on; a person keeps theirs. Null: the sequence has no variants.
 */
export const assignedVariants = (
  { campaignId, sequence }: { readonly campaignId: string; readonly sequence: ReadonlyArray<SequenceStep> },
  addressHash: string
): StepVariants | null =>
  hasVariants(sequence)
    ? sequence.map(({ otherVariants }, step) =>
        otherVariants === undefined
          ? null
          : Math.floor(jitter(`${campaignId} ${addressHash} ${step}`) * (1 + otherVariants.length))
      )
    : null

/** The variant of a step that will be sent: the one chosen for everybody, or else the person's own. */
export const nextVariant = (
  chosen: StepVariants | null,
  assigned: StepVariants | null,
  stepIndex: number
): number | null => chosen?.[stepIndex] ?? assigned?.[stepIndex] ?? null

/** The sequence with one wording for each step: of these variants. */
export const wordedBy = (
  sequence: ReadonlyArray<SequenceStep>,
  variants: StepVariants | null
): ReadonlyArray<SequenceStep> =>
  variants === null
    ? sequence
    : sequence.map((step, index) => ({
        ...(wordingsOf(step)[variants[index] ?? 0] ?? step),
        waitDays: step.waitDays
      }))

/** The sequence without the variants that nobody gets any more. */
export const stillSent = ({
  chosenVariants,
  sequence
}: {
  readonly sequence: ReadonlyArray<SequenceStep>
  readonly chosenVariants: StepVariants | null
}): ReadonlyArray<SequenceStep> => {
  const worded = wordedBy(sequence, chosenVariants)
  return sequence.map((step, index) => (typeof chosenVariants?.[index] === "number" ? (worded[index] ?? step) : step))
}
