import { DAY_MILLIS } from "../../kernel/durations.js"
import { EVIDENCE_MARKS, type EvidenceMark, type Finding, type ValueEvidence } from "../../kernel/sequences/evidence.js"
import type { EvidenceRule } from "../../kernel/workspaces/WorkspaceRules.js"
import type { Recipient, SequenceStep } from "../../kernel/sequences/Sequence.js"
import { ownValue, variablesIn } from "../../kernel/sequences/template.js"

/** From this age on a statement is old. */
export const EVIDENCE_OLD_DAYS = 365

/** A merged value with its mark. */
export interface MarkedValue {
  readonly variable: string
  readonly mark: EvidenceMark
  /** Null: none was given. */
  readonly evidence: ValueEvidence | null
}

/** What of evidence decides its mark. */
export interface MarkFacts extends Pick<ValueEvidence, "seenAt"> {
  readonly finding: Pick<Finding, "kind" | "reason" | "datedAt"> | null
}

/** The mark of a value with this evidence, at a time. */
export const markOf = (evidence: MarkFacts | null, nowMillis: number): EvidenceMark => {
  if (evidence === null) return "without_proof"
  const { finding } = evidence
  if (finding === null || finding.kind === "unread" || finding.reason === "other_language") return "unchecked"
  if (finding.kind === "absent") return "not_found"
  if (finding.reason !== null) return "altered"
  const saidMillis = Date.parse(finding.datedAt ?? evidence.seenAt)
  return nowMillis - saidMillis >= EVIDENCE_OLD_DAYS * DAY_MILLIS ? "old" : "proven"
}

/** The variables whose values may be statements: everything merged but the address. */
export const markedVariables = (sequence: ReadonlyArray<SequenceStep>): ReadonlyArray<string> => [
  ...new Set(variablesIn(sequence).flatMap(({ name }) => (name === "email" ? [] : [name])))
]

/** The marks of a person's merged values. Fallbacks are the template's own words, and have none. */
export const marksOf = (
  recipient: Recipient,
  variables: ReadonlyArray<string>,
  nowMillis: number
): ReadonlyArray<MarkedValue> => {
  const given = new Map((recipient.evidence ?? []).map((one) => [one.variable, one]))
  return variables.flatMap((variable) => {
    if (ownValue(recipient, variable) === null) return []
    const evidence = given.get(variable) ?? null
    return [{ variable, mark: markOf(evidence, nowMillis), evidence }]
  })
}

/** How many merged values have which mark. */
export type MarkCounts = Readonly<Record<EvidenceMark, number>>

export const sumMarks = (
  marks: ReadonlyArray<{ readonly mark: EvidenceMark; readonly people: number }>
): MarkCounts => {
  const counts = Object.fromEntries(EVIDENCE_MARKS.map((mark) => [mark, 0])) as Record<EvidenceMark, number>
  for (const { mark, people } of marks) counts[mark] += people
  return counts
}

export const countMarks = (marks: ReadonlyArray<EvidenceMark>): MarkCounts =>
  sumMarks(marks.map((mark) => ({ mark, people: 1 })))

/** Whether values are marked at all: the rule asks for it, or somebody gave evidence. */
export const areMarked = (rule: EvidenceRule, recipients: ReadonlyArray<Recipient>): boolean =>
  rule !== "none" || recipients.some(({ evidence }) => (evidence ?? []).length > 0)

const isName = (variable: string): boolean => !variable.startsWith("custom.")

/**
 * Whether a workspace that requires evidence refuses the value. A name and a company are how somebody is addressed, and need
 * none; evidence of theirs that fails is refused like any. An old statement has its proof: people see how old it is.
 */
export const isRefused = ({ mark, variable }: Pick<MarkedValue, "mark" | "variable">): boolean =>
  mark === "altered" ||
  mark === "not_found" ||
  (!isName(variable) && (mark === "without_proof" || mark === "unchecked"))
