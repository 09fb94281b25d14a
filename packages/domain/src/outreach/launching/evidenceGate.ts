import { refuse } from "../../kernel/errors/Wire.js"
import type { Recipient, SequenceStep } from "../../kernel/sequences/Sequence.js"
import type { EvidenceRule } from "../../kernel/workspaces/WorkspaceRules.js"
import { areMarked, countMarks, isRefused, markedVariables, type MarkCounts, marksOf } from "../evidence/marks.js"
import type { Obstacle } from "./CampaignContext.js"

/** Most values that a refusal names. */
export const REFUSED_VALUES_MAX = 100

/** `known`: what could not be checked is left out, because it is about to be. `all`: nothing more will be known now. */
type Extent = "known" | "all"

interface Asked {
  readonly rule: EvidenceRule
  readonly sequence: ReadonlyArray<SequenceStep>
  readonly people: ReadonlyArray<Recipient>
  readonly nowMillis: number
}

/** The values without proof, where the workspace requires it; null: nothing is refused. */
export const evidenceObstacle = ({ nowMillis, people, rule, sequence }: Asked, extent: Extent): Obstacle | null => {
  if (rule !== "require") return null
  const variables = markedVariables(sequence)
  const refused = people.flatMap((person) =>
    marksOf(person, variables, nowMillis).flatMap((value) =>
      isRefused(value) && (extent === "all" || value.mark !== "unchecked")
        ? [{ email: person.email, variable: value.variable, mark: value.mark }]
        : []
    )
  )
  if (refused.length === 0) return null
  return [
    "claims_without_evidence",
    refuse("invalid_request", {
      reason: "claims_without_evidence",
      values: refused.slice(0, REFUSED_VALUES_MAX),
      values_total: refused.length
    })
  ]
}

/** How many merged values have which mark, for a result, a preview or a dry run. Empty: they are not marked. */
export const evidenceCounts = ({ nowMillis, people, rule, sequence }: Asked): { readonly evidence?: MarkCounts } => {
  if (!areMarked(rule, people)) return {}
  const variables = markedVariables(sequence)
  return {
    evidence: countMarks(people.flatMap((person) => marksOf(person, variables, nowMillis).map(({ mark }) => mark)))
  }
}
