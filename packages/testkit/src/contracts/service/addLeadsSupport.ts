import { assert } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { Effect, Option } from "effect"
import type { Client } from "../../service/Client.js"
import { deliveries, draft, freshKey, ok } from "./stories.js"

export const NO_ID = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"

export const idOf = (approvalUrl: string): string => approvalUrl.slice(approvalUrl.lastIndexOf("/") + 1)

export const add = (client: Client, campaign_id: string, body: JsonObject, key: string = freshKey()) =>
  client.call("add_leads", { campaign_id, ...body }, { key })

/** Asks for people to be added to a campaign that was launched. */
export const askLeads = (client: Client, campaign_id: string, leads: ReadonlyArray<JsonObject>, key?: string) =>
  Effect.map(add(client, campaign_id, { leads }, key), (answer) => {
    assert.strictEqual(ok(answer).result.status, "needs_confirmation", answer.text)
    return answer.result
  })

export const dryRun = (client: Client, campaign_id: string, body: JsonObject) =>
  Effect.map(client.call("add_leads", { campaign_id, ...body, dry_run: true }), (answer) => ok(answer).result.plan)

export const drafted = (client: Client, recipients: ReadonlyArray<JsonObject>, body: JsonObject = {}) =>
  Effect.map(draft(client, { recipients, ...body }), ({ result }) => result.campaign_id as string)

/** The campaign's leads: their addresses, and by which approval they are covered. */
export const coversOf = (client: Client, campaignId: string) =>
  Effect.gen(function* () {
    const campaigns = yield* CampaignStore
    const leads = yield* campaigns.firstLeads(client.workspaceId, campaignId, LeadMachine.states, 100)
    return Object.fromEntries(leads.map(({ approvalId, email }) => [email, approvalId]))
  })

export const campaignOf = (client: Client, campaignId: string) =>
  Effect.flatMap(CampaignStore, (campaigns) =>
    Effect.map(campaigns.get(client.workspaceId, campaignId), Option.getOrThrow)
  )

export const addressed = (campaignId: string) =>
  Effect.map(deliveries(campaignId), (sent) => [...new Set(sent.map(({ to }) => to.address))].sort())

export const NONE = {
  leads_accepted: 0,
  leads_correlated: 0,
  leads_pending: 0,
  leads_rejected: 0,
  leads_suppressed: 0
}
