import type { ContentSummary, LookKind } from "../../../calls/approvals/Snapshot.js"
import type { EvidenceMark, ValueEvidence } from "../../../kernel/sequences/evidence.js"
import type { MarkedValue } from "../../evidence/marks.js"
import type { ShownPerson } from "./ContentStore.js"

/** What an approval binds of evidence: what was given, and what was found. */
export const boundEvidence = ({ excerpt, finding, requestId, seenAt, url, variable }: ValueEvidence) => [
  variable,
  requestId,
  url,
  excerpt,
  seenAt,
  ...(finding === null ? [] : [finding.kind, finding.reason, finding.datedAt, finding.readFrom])
]

/** Marks that deserve a look: all but `proven`. */
export const looksOfMarks = (marks: ReadonlyArray<EvidenceMark>): ReadonlyArray<LookKind> => [
  ...new Set(marks.flatMap((mark) => (mark === "proven" ? [] : [mark])))
]

/** How many people's messages deserve a look for which mark, beside the other reasons. */
export const withMarks = (
  looks: ContentSummary["looks"],
  marks: ReadonlyArray<ReadonlyArray<EvidenceMark>>
): ContentSummary["looks"] => {
  const counted: Partial<Record<LookKind, number>> = { ...looks }
  for (const theirs of marks) {
    for (const look of looksOfMarks(theirs)) counted[look] = (counted[look] ?? 0) + 1
  }
  return counted
}

/** The evidence that was given, each with its mark; null: none was. */
export const shownEvidence = (marked: ReadonlyArray<MarkedValue>): ShownPerson["evidence"] => {
  const given = marked.flatMap(({ evidence, mark }) => (evidence === null ? [] : [{ ...evidence, mark }]))
  return given.length === 0 ? null : given
}
