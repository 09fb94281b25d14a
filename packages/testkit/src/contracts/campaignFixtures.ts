import { type Campaign, CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { LeadMachine, type LeadState } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"
import { givenWorkspace } from "./fixtures.js"
import { makeCampaign, makeLead } from "./outboundFixtures.js"

export const given = (emails: ReadonlyArray<string>, campaign: Partial<Campaign> = {}, workspaceId?: string) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const store = yield* CampaignStore
    const owner = workspaceId ?? (yield* givenWorkspace()).workspaceId
    const made = makeCampaign({ workspaceId: owner, ...campaign })
    const leads = emails.map((email) => makeLead(owner, email))
    yield* atomically(store.insert(made, leads))
    return { workspaceId: owner, campaign: made, campaignId: made.campaignId, leads }
  })

export const leadOf = (workspaceId: string, campaignLeadId: string) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const store = yield* CampaignStore
    return yield* Effect.flatMap(atomically(store.lockLead(workspaceId, campaignLeadId)), Effect.fromOption)
  })

/** Puts a lead where its life has brought it. */
export const move = (workspaceId: string, campaignLeadId: string, ...states: ReadonlyArray<LeadState>) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const store = yield* CampaignStore
    for (const state of states) {
      const lead = yield* leadOf(workspaceId, campaignLeadId)
      yield* atomically(store.updateLead({ ...lead, state }))
    }
  })

/** One lead in each of the states that a lead can be in. */
export const inEveryState = Effect.gen(function* () {
  const made = yield* given(LeadMachine.states.map((state) => `${state}@x.test`))
  const ids = new Map(LeadMachine.states.map((state, i) => [state, made.leads[i]?.campaignLeadId ?? ""]))
  for (const [state, id] of ids) {
    if (state === "pending") continue
    const path: ReadonlyArray<LeadState> = state === "ready" ? ["ready"] : ["ready", "active"]
    yield* move(made.workspaceId, id, ...path)
    if (state !== "ready" && state !== "active") yield* move(made.workspaceId, id, state)
  }
  return { ...made, ids }
})

export const statesOf = (workspaceId: string, ids: ReadonlyMap<LeadState, string>) =>
  Effect.forEach([...ids], ([was, id]) =>
    Effect.map(leadOf(workspaceId, id), ({ state }) => [was, state] as const)
  ).pipe(Effect.map((entries) => Object.fromEntries(entries)))
