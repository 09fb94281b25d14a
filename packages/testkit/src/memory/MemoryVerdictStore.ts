import type { Verdict } from "@outbound/domain/data/verification/verdicts.js"
import { VerdictStore } from "@outbound/domain/data/verification/VerdictStore.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { memoryStore } from "./MemoryStore.js"
import { keyOf } from "./Table.js"

export const layer = memoryStore(VerdictStore, "VerdictStore", ({ read }) => ({
  find: (workspaceId, addressHashes) =>
    read(
      ({ verdicts }) =>
        new Map(
          addressHashes.flatMap((addressHash): ReadonlyArray<readonly [string, Verdict]> => {
            const verdict = verdicts.get(keyOf(workspaceId, addressHash))
            return verdict === undefined ? [] : [[addressHash, verdict]]
          })
        )
    ),
  ofCampaign: (workspaceId, campaignId, max) =>
    read(({ leads, verdicts }) =>
      leads
        .where("campaign", keyOf(workspaceId, campaignId))
        .filter(({ email, state }) => LeadMachine.is.open(state) && email !== "")
        .slice(0, max)
        .map(({ addressHash, email }) => ({ email, verdict: verdicts.get(keyOf(workspaceId, addressHash)) ?? null }))
    )
}))
