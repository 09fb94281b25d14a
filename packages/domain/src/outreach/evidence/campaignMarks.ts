import { Effect } from "effect"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { SequenceStep } from "../../kernel/sequences/Sequence.js"
import { RuleStore } from "../../kernel/workspaces/RuleStore.js"
import { EvidenceStore } from "./EvidenceStore.js"
import { type MarkCounts, type MarkedValue, markedVariables, markOf, marksOf, sumMarks } from "./marks.js"

/** A campaign whose values are to be marked. */
interface Marked {
  readonly workspaceId: string
  readonly campaignId: string
  readonly sequence: ReadonlyArray<SequenceStep>
}

/** The marks of a campaign's merged values now, as its approval marks them. None where nothing asks for them. */
export const makeCampaignMarks = Effect.gen(function* () {
  const rules = yield* RuleStore
  const store = yield* EvidenceStore

  /** The rule asks for marks, or somebody of the campaign came with evidence. */
  const isMarked = (workspaceId: string, campaignId: string) =>
    Effect.zipWith(
      rules.rules(workspaceId),
      store.isGiven(workspaceId, campaignId),
      ({ evidence }, isGiven) => evidence !== "none" || isGiven,
      { concurrent: true }
    )

  /** How many merged values of everybody in it have which mark. */
  const counts = (
    { campaignId, sequence, workspaceId }: Marked,
    nowMillis: number
  ): FromStore<{ readonly evidence?: MarkCounts }> =>
    Effect.gen(function* () {
      if (!(yield* isMarked(workspaceId, campaignId))) return {}
      const found = yield* store.ofCampaign(workspaceId, campaignId, markedVariables(sequence))
      return {
        evidence: sumMarks(found.map(({ evidence, people }) => ({ mark: markOf(evidence, nowMillis), people })))
      }
    })

  /** The merged values of these leads with their marks, by lead. */
  const ofLeads = (
    { campaignId, workspaceId }: Omit<Marked, "sequence">,
    sequenceOf: FromStore<ReadonlyArray<SequenceStep>>,
    leadIds: ReadonlyArray<string>,
    nowMillis: number
  ): FromStore<ReadonlyMap<string, ReadonlyArray<MarkedValue>> | null> =>
    Effect.gen(function* () {
      if (leadIds.length === 0 || !(yield* isMarked(workspaceId, campaignId))) return null
      const variables = markedVariables(yield* sequenceOf)
      const values = yield* store.valuesOf(workspaceId, leadIds)
      return new Map(values.map((lead) => [lead.campaignLeadId, marksOf(lead, variables, nowMillis)] as const))
    })

  return { counts, ofLeads }
})
