import type { WorkspaceRules } from "../../kernel/workspaces/WorkspaceRules.js"
import type { CampaignLead } from "../campaigns/CampaignStore.js"
import { countedReason, type LeftOut, type RemovalReason } from "../suppression/SuppressionStore.js"
import { type CampaignContext, dailyLimitOf, type Obstacle } from "./CampaignContext.js"
import { heldOutOf } from "./holdout/drawHoldout.js"
import { listObstacle, shownList } from "./list/listGate.js"
import type { Score } from "./list/scoreOf.js"

export interface Removal {
  readonly lead: CampaignLead
  readonly reason: LeftOut
}

/** Whom a launch would write to now, whom it would remove, and what is known of the list. */
export interface Rechecked {
  readonly leads: ReadonlyArray<CampaignLead>
  readonly removals: ReadonlyArray<Removal>
  readonly kept: ReadonlyArray<CampaignLead>
  readonly score: Score
}

const removedCounts = (removals: ReadonlyArray<Removal>) => {
  const count = (reason: RemovalReason) => removals.filter((removal) => countedReason(removal.reason) === reason).length
  return {
    opted_out: count("opted_out"),
    platform_blocked: count("platform_blocked"),
    invalid: count("invalid"),
    capped: count("capped"),
    other: count("other"),
    total: removals.length
  }
}

/** The members of a launch's dry run and preview. */
export const previewOf = (
  context: CampaignContext,
  { leads, removals, score }: Rechecked,
  holdoutPercent: number | undefined
) => ({
  mailboxes_attached: context.mailboxes.length,
  leads_active: leads.length - removals.length,
  leads_suppressed_at_launch: removals.length,
  removed: removedCounts(removals),
  list: shownList(score),
  daily_send_limit: dailyLimitOf(context),
  ...(holdoutPercent === undefined ? {} : { leads_held_out: heldOutOf(leads.length - removals.length, holdoutPercent) })
})

/** Why the rules of the workspace refuse to write to these people. */
export const listObstacles = ({ score }: Pick<Rechecked, "score">, rules: WorkspaceRules): ReadonlyArray<Obstacle> => {
  const found = listObstacle(score, rules)
  return found === null ? [] : [found]
}
