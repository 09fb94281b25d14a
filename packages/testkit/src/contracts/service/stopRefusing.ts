import { assert, layer as describeLayer } from "@effect/vitest"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { Effect, type Layer } from "effect"
import type { Client } from "../../service/Client.js"
import { add, askLeads, drafted, dryRun } from "./addLeadsSupport.js"
import {
  askLaunch,
  deliveries,
  draft,
  freshKey,
  launched,
  leadOf,
  ok,
  pass,
  refused,
  sender,
  type ServiceOnStores,
  SUITE,
  to,
  trailOf
} from "./stories.js"

const SEQUENCE = [
  { subject: "Hello", body: "Hi" },
  { body: "Again", wait_days: 5 }
]

/** What the person is in the campaign. */
const stateOf = ({ workspaceId }: Client, campaignId: string, email: string) =>
  Effect.gen(function* () {
    const campaigns = yield* CampaignStore
    const leads = yield* campaigns.firstLeads(workspaceId, campaignId, LeadMachine.states, 100)
    return leads.find((lead) => lead.email === email)?.state
  })

const saysNo = (email: string) => ({ email, custom: { "Email Opt Out": "TRUE" } })

/** People who are leads already, and of whom a call's rows say no (contract: campaigns, recipients). */
export const stopRefusingContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`rows that say no of leads (${name})`, (it) => {
    it.effect("a row that says no of a lead stops their mail in every campaign of the workspace, and says so", () =>
      Effect.gen(function* () {
        const [client, other] = [yield* sender(), yield* sender()]
        const [ann, bob] = ["silent+ann@magic.test", "silent+bob@magic.test"]
        const running = yield* launched(client, { recipients: to(ann, bob), sequence: SEQUENCE })
        const theirs = yield* launched(other, { recipients: to(ann), sequence: SEQUENCE })
        yield* pass("1 second")
        assert.lengthOf(yield* deliveries(running), 2)
        const waiting = yield* drafted(client, to("silent+cleo@magic.test"))

        const leads = [saysNo(ann.toUpperCase()), ...to("silent+new@magic.test")]
        const plan = yield* dryRun(client, waiting, { leads })
        assert.deepInclude(plan.would, { leads_accepted: 1, suppressed_reasons: { invalid: 1 }, leads_stopped: 1 })
        assert.strictEqual(yield* stateOf(client, running, ann), "active")

        const key = freshKey()
        const done = ok(yield* add(client, waiting, { leads }, key))
        const campaign_lead_id = yield* leadOf(client, running, ann)
        assert.deepInclude(done.result, { leads_accepted: 1, leads_suppressed: 1, leads_stopped: 1 })
        assert.deepStrictEqual(done.result.stopped, [
          {
            index: 0,
            email: ann,
            field: "custom.Email Opt Out",
            value: "TRUE",
            campaign_id: running,
            campaign_lead_id
          }
        ])
        const removed = yield* trailOf(client, { campaign_id: running, kind: "removed" })
        assert.deepStrictEqual(
          removed.map(({ detail, email, request_id, source }) => [email, detail, request_id, source]),
          [
            [
              ann,
              { reason: "opted_out", field: "custom.Email Opt Out", problem: "opted_out" },
              done.svc.request_id,
              "api"
            ]
          ]
        )
        // The same call again changes nothing, and another workspace's mail goes on.
        assert.deepStrictEqual(ok(yield* add(client, waiting, { leads }, key)).result, done.result)
        assert.notProperty(ok(yield* add(client, waiting, { leads })).result, "stopped")
        yield* pass("6 seconds")
        const sent = (yield* deliveries(running)).map((one) => one.to.address)
        assert.deepStrictEqual(sent.toSorted(), [ann, bob, bob])
        assert.lengthOf(yield* deliveries(theirs), 2)
        // It is no suppression: only the message that they got keeps them out of another campaign for a while.
        const { result } = yield* draft(client, { recipients: to(ann) })
        assert.deepStrictEqual(result.suppressed_reasons, { capped: 1 })
      })
    )

    it.effect("a draft's own leads leave it too, and who only bounced there goes on", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const [ann, bob] = ["silent+ann@magic.test", "silent+bob@magic.test"]
        const campaign_id = yield* drafted(client, to(ann, bob))
        const bounced = { email: bob, custom: { "Hard bounced": "yes" } }
        const done = ok(yield* add(client, campaign_id, { leads: [bounced, saysNo(ann)] }))
        // They are neither added nor counted, as every lead that is there already.
        assert.deepInclude(done.result, { leads_accepted: 0, leads_suppressed: 0, leads_stopped: 1 })
        const asked = yield* askLaunch(client, campaign_id)
        assert.strictEqual(asked.result.preview.leads_active, 1)
        assert.strictEqual(yield* stateOf(client, campaign_id, ann), "removed")
        assert.strictEqual(yield* stateOf(client, campaign_id, bob), "pending")
        const drafting = ok(
          yield* client.call("create_campaign", {
            name: "C",
            sequence: SEQUENCE,
            recipients: [{ email: bob, custom: { status: "unsubscribed", "Hard bounced": "yes" } }],
            dry_run: true
          })
        )
        assert.deepInclude(drafting.result.plan.would, { leads_accepted: 0, leads_stopped: 1 })
        const { result } = yield* draft(client, {
          recipients: [
            { email: bob, custom: { "Hard bounced": "yes" } },
            { email: bob, custom: { status: "unsubscribed" } }
          ]
        })
        assert.deepInclude(result, { leads_accepted: 0, suppressed_reasons: { invalid: 1 }, leads_stopped: 1 })
        assert.deepInclude(result.stopped[0], { campaign_id, email: bob, field: "custom.status" })
      })
    )

    it.effect("no approval is waited for, and a call that is refused stops nobody", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const [ann, bob] = ["silent+ann@magic.test", "silent+bob@magic.test"]
        const campaign_id = yield* launched(client, { recipients: to(ann, bob), sequence: SEQUENCE })
        yield* pass("1 second")
        const many = Array.from({ length: 4_999 }, (_, one) => ({ email: `p${one}@many.test` }))
        refused(yield* add(client, campaign_id, { leads: [...many, saysNo(ann)] }), 400, "invalid_request")
        assert.strictEqual(yield* stateOf(client, campaign_id, ann), "active")
        const asked = yield* askLeads(client, campaign_id, [saysNo(ann), ...to("silent+new@magic.test")])
        assert.deepInclude(asked.preview, { leads_accepted: 1, leads_stopped: 1 })
        assert.deepInclude(asked.preview.stopped[0], { email: ann, campaign_id })
        assert.strictEqual(yield* stateOf(client, campaign_id, ann), "removed")
        assert.strictEqual(yield* stateOf(client, campaign_id, bob), "active")
      })
    )
  })
}
