import { assert, layer as describeLayer } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { addressHashInput } from "@outbound/domain/kernel/people/EmailAddress.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Clock, Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { type Client, decide } from "../../service/Client.js"
import { idOf, add, askLeads, dryRun, drafted, addressed } from "./addLeadsSupport.js"
import { alter } from "./launch.js"
import {
  askLaunch,
  freshKey,
  launch,
  launched,
  leadOf,
  ok,
  pass,
  refused,
  sender,
  SEQUENCE,
  type ServiceOnStores,
  silent,
  SUITE,
  to,
  trailOf
} from "./stories.js"

/** What the approval of added people binds, and what happens beside it. */
export const addLeadsBindingContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`the approval of added people (${name})`, (it) => {
    it.effect(
      "whom nobody approved is not written to, and the launch that restarts the campaign shows and covers them",
      () =>
        Effect.gen(function* () {
          const client = yield* sender()
          const campaign_id = yield* launched(client, { recipients: silent(1, "old") })
          yield* comeIn(client, campaign_id, "silent+unapproved@magic.test")
          const asked = yield* askLeads(client, campaign_id, silent(1, "new"))
          yield* decide(client, asked.approval_url, "approve")
          const { confirmation_token } = asked
          ok(yield* add(client, campaign_id, { leads: silent(1, "new"), confirmation_token }))
          yield* pass("3 seconds")
          assert.deepStrictEqual(yield* addressed(campaign_id), ["silent+new0@magic.test", "silent+old0@magic.test"])
          yield* alter(client, campaign_id, { state: "paused", pauseReason: "owner", launched: true })
          const shown = yield* askLaunch(client, campaign_id)
          assert.strictEqual(shown.result.preview.leads_active, 3)
          yield* launch(client, campaign_id)
          yield* pass("3 seconds")
          assert.include(yield* addressed(campaign_id), "silent+unapproved@magic.test")
        })
    )

    it.effect("a token of a campaign that was killed since is refused for its state, and a cancelled one says so", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(1) })
        const leads = silent(1, "new")
        const { approval_url, confirmation_token } = yield* askLeads(client, campaign_id, leads)
        yield* decide(client, approval_url, "approve")
        yield* alter(client, campaign_id, { state: "paused", pauseReason: "killed", launched: true })
        const confirm = add(client, campaign_id, { leads, confirmation_token })
        refused(yield* confirm, 400, "invalid_request", { reason: "campaign_state", state: "paused" })
        yield* cancel(client, idOf(approval_url))
        refused(yield* confirm, 409, "approval_cancelled", { approval_url })
      })
    )

    it.effect("a campaign that grew since it was shown is not what was approved; fewer people are", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(1, "old") })
        const other = yield* drafted(client, to("silent+no@magic.test"))
        const leads = to("silent+no@magic.test", "silent+yes@magic.test", "silent+cap@magic.test")
        const first = yield* askLeads(client, campaign_id, leads)
        yield* decide(client, first.approval_url, "approve")
        yield* alter(client, campaign_id, { grows: true })
        const { approval_url, confirmation_token } = first
        const late = add(client, campaign_id, { leads, confirmation_token })
        refused(yield* late, 409, "approval_changed", { approval_url })

        const second = yield* askLeads(client, campaign_id, leads)
        assert.strictEqual(second.preview.leads_accepted, 3)
        yield* decide(client, second.approval_url, "approve")
        const campaign_lead_id = yield* leadOf(client, other, "silent+no@magic.test")
        ok(yield* client.call("set_lead_status", { campaign_lead_id, status: "not_interested" }, { key: freshKey() }))
        yield* launched(client, { recipients: to("silent+cap@magic.test") })
        yield* pass("1 second")
        const done = ok(
          yield* add(client, campaign_id, { leads, confirmation_token: second.confirmation_token })
        ).result
        assert.deepStrictEqual([done.leads_accepted, done.leads_suppressed], [1, 2])
        yield* pass("2 seconds")
        assert.deepStrictEqual(yield* addressed(campaign_id), ["silent+old0@magic.test", "silent+yes@magic.test"])
      })
    )

    it.effect("who was shown as left out stays out, though they could be written to by the time of the call", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        yield* launched(client, { recipients: to("silent+c@magic.test"), sequence: SEQUENCE.slice(0, 1) })
        yield* pass("1 second")
        const campaign_id = yield* launched(client, { recipients: silent(1, "old") })
        yield* TestClock.adjust("719 hours")
        const leads = to("silent+c@magic.test", "silent+d@magic.test")
        const asked = yield* askLeads(client, campaign_id, leads)
        assert.deepStrictEqual(asked.preview.suppressed_reasons, { capped: 1 })
        yield* decide(client, asked.approval_url, "approve")
        yield* TestClock.adjust("2 hours")
        assert.deepStrictEqual((yield* dryRun(client, campaign_id, { leads })).would.suppressed_reasons, {})
        const { confirmation_token } = asked
        const done = ok(yield* add(client, campaign_id, { leads, confirmation_token })).result
        assert.deepStrictEqual([done.leads_accepted, done.leads_suppressed], [1, 1])
      })
    )

    it.effect("of confirmed calls at once, each under a key of its own, one executes", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(1, "old") })
        const leads = silent(2, "new")
        const { approval_url, confirmation_token } = yield* askLeads(client, campaign_id, leads)
        yield* decide(client, approval_url, "approve")
        const answers = yield* Effect.all(
          Array.from({ length: 10 }, () => add(client, campaign_id, { leads, confirmation_token })),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          answers.filter(({ status }) => status === 200),
          1
        )
        for (const answer of answers) if (answer.status !== 200) refused(answer, 409, "approval_superseded")
        assert.lengthOf(yield* trailOf(client, { campaign_id, kind: "admitted" }), 3)
      })
    )

    it.effect("launching and adding at once: nobody is written to whom no approval covers", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        for (let round = 0; round < 5; round += 1) {
          const campaign_id = yield* drafted(client, silent(1, `old${round}`))
          const asked = yield* askLaunch(client, campaign_id)
          yield* decide(client, asked.result.approval_url, "approve")
          const { confirmation_token } = asked.result
          const [started, added] = yield* Effect.all(
            [
              client.call("launch_campaign", { campaign_id, confirmation_token }, { key: freshKey() }),
              add(client, campaign_id, { leads: silent(1, `new${round}`) })
            ],
            { concurrency: "unbounded" }
          )
          if (started.status !== 200) {
            refused(started, 409, "approval_changed")
            assert.strictEqual(ok(added).result.state, "draft")
          } else if (added.status === 200) {
            assert.strictEqual(added.result.status, "needs_confirmation")
          } else {
            refused(added, 400, "invalid_request", { reason: "campaign_state" })
          }
          yield* pass("2 seconds")
          assert.notInclude(yield* addressed(campaign_id), `silent+new${round}0@magic.test`)
        }
      })
    )
  })
}

/** Somebody comes into the campaign by no approval. No verb does it to one that was launched. */
export const comeIn = (client: Client, campaignId: string, email: string) =>
  Effect.gen(function* () {
    const campaigns = yield* CampaignStore
    const [crypto, ids] = [yield* Crypto, yield* Ids]
    const { atomically } = yield* UnitOfWork
    const { workspaceId } = client
    const campaignLeadId = ids.next(yield* Clock.currentTimeMillis)
    const addressHash = crypto.mac("suppression", addressHashInput(workspaceId, email))
    const person = { email, firstName: null, lastName: null, companyName: null, custom: {}, origin: null }
    yield* atomically(
      Effect.gen(function* () {
        const campaign = Option.getOrThrow(yield* campaigns.lock(workspaceId, campaignId))
        yield* campaigns.addLeads(campaign, [{ ...person, campaignLeadId, addressHash }])
      })
    )
  })

/** What a kill does to an open approval. */
const cancel = (client: Client, approvalId: string) =>
  Effect.gen(function* () {
    const approvals = yield* ApprovalStore
    const { atomically } = yield* UnitOfWork
    yield* atomically(
      Effect.gen(function* () {
        const approval = Option.getOrThrow(yield* approvals.lock(client.workspaceId, approvalId))
        yield* approvals.update({ ...approval, state: "cancelled" })
      })
    )
  })
