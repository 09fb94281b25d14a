import { assert, layer as describeLayer } from "@effect/vitest"
import { Inbox } from "@outbound/domain/outreach/replies/Inbox.js"
import { Dispatcher } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import {
  askLaunch,
  deliveries,
  draft,
  freshKey,
  kindsOf,
  launched,
  ok,
  pass,
  refused,
  sender,
  silent,
  SUITE,
  to,
  trailOf,
  work
} from "../../src/contracts/service/stories.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import { decide } from "../../src/service/Client.js"
import { quietMemory } from "../../src/service/Service.js"

const failNext = (operation: string, times = 1) =>
  Effect.flatMap(MemoryFaults, (faults) => faults.failNext(operation, times))

describeLayer(quietMemory, SUITE)("stores that fail", (it) => {
  it.effect("a launch whose suppression check fails does not happen, and its approval stays good", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      const { result } = yield* draft(client, { recipients: silent(2) })
      const campaign_id = result.campaign_id as string
      yield* failNext("SuppressionStore.check")
      refused(
        yield* client.call("launch_campaign", { campaign_id }, { key: freshKey() }),
        503,
        "contact_history_unavailable"
      )
      yield* failNext("SuppressionStore.check")
      refused(yield* client.call("launch_campaign", { campaign_id, dry_run: true }), 503, "contact_history_unavailable")
      const asked = yield* askLaunch(client, campaign_id)
      yield* decide(client, asked.result.approval_url, "approve")
      const confirmed = { campaign_id, confirmation_token: asked.result.confirmation_token as string }
      const key = freshKey()
      yield* failNext("SuppressionStore.check")
      refused(yield* client.call("launch_campaign", confirmed, { key }), 503, "contact_history_unavailable")
      yield* pass("2 seconds")
      assert.isEmpty(yield* deliveries(campaign_id))
      assert.isEmpty(yield* trailOf(client, { kind: "launched,sent,removed" }))
      ok(yield* client.call("launch_campaign", confirmed, { key }))
      yield* pass("3 seconds")
      assert.lengthOf(yield* deliveries(campaign_id), 4)
    })
  )

  it.effect("a draft whose suppression check fails is not made", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      const body = { name: "n", recipients: silent(2), sequence: [{ subject: "a", body: "b" }] }
      const key = freshKey()
      yield* failNext("SuppressionStore.check")
      refused(yield* client.call("create_campaign", body, { key }), 503, "contact_history_unavailable")
      assert.isEmpty(yield* trailOf(client, { kind: "admitted" }))
      ok(yield* client.call("create_campaign", body, { key }))
    })
  )

  it.effect("wherever adding people fails, nothing of it happened, nothing was paused, and it may be tried again", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      const campaign_id = yield* launched(client, { recipients: silent(1, "old") })
      const leads = silent(1, "new")
      const wouldPause = Effect.map(
        client.call("add_leads", { campaign_id, leads, dry_run: true }),
        (answer) => ok(answer).result.plan.would.pauses_campaign as boolean
      )
      const key = freshKey()
      const ask = client.call("add_leads", { campaign_id, leads }, { key })
      for (const operation of ["SuppressionStore.check", "CampaignStore.update", "ApprovalStore.insert"]) {
        yield* failNext(operation)
        const answer = yield* ask
        assert.include(["contact_history_unavailable", "internal"], answer.error?.code)
        assert.isTrue(yield* wouldPause, operation)
      }
      assert.isEmpty(yield* trailOf(client, { campaign_id, kind: "paused" }))
      const { approval_url, confirmation_token } = ok(yield* ask).result
      yield* decide(client, approval_url, "approve")
      const confirm = client.call("add_leads", { campaign_id, leads, confirmation_token }, { key })
      for (const operation of [
        "SuppressionStore.check",
        "CampaignStore.addLeads",
        "CampaignStore.coverLeads",
        "CampaignStore.update",
        "ApprovalStore.update",
        "TrailStore.append"
      ]) {
        yield* failNext(operation)
        const answer = yield* confirm
        assert.include(["contact_history_unavailable", "internal"], answer.error?.code, operation)
        yield* pass("1 second")
        assert.isEmpty(yield* deliveries(campaign_id), operation)
      }
      assert.lengthOf(yield* trailOf(client, { campaign_id, kind: "admitted" }), 1)
      assert.strictEqual(ok(yield* confirm).result.campaign_lead_total, 2)
      yield* pass("3 seconds")
      assert.lengthOf(yield* deliveries(campaign_id), 4)
    })
  )

  it.effect("wherever a launch's transaction fails, nothing of it happened and it may be tried again", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      for (const operation of [
        "CampaignStore.coverLeads",
        "CampaignStore.update",
        "ApprovalStore.update",
        "TrailStore.append",
        "CallJournal.settleIn"
      ]) {
        const { result } = yield* draft(client, { recipients: silent(1, operation.toLowerCase()) })
        const campaign_id = result.campaign_id as string
        const asked = yield* askLaunch(client, campaign_id)
        yield* decide(client, asked.result.approval_url, "approve")
        const confirmed = { campaign_id, confirmation_token: asked.result.confirmation_token as string }
        const key = freshKey()
        yield* failNext(operation)
        refused(yield* client.call("launch_campaign", confirmed, { key }), 500, "internal")
        yield* work
        assert.isEmpty(yield* deliveries(campaign_id), operation)
        ok(yield* client.call("launch_campaign", confirmed, { key }))
        assert.lengthOf(yield* trailOf(client, { campaign_id, kind: "launched" }), 1, operation)
      }
    })
  )

  it.effect("a message whose outcome could not be written down is never sent again", () =>
    Effect.gen(function* () {
      for (const operation of ["SendingStore.endMessage", "TrailStore.append", "CampaignStore.updateLead"]) {
        const client = yield* sender()
        // What other stories still have to send must not meet the fault.
        yield* pass("20 seconds", "5 seconds")
        const campaign_id = yield* launched(client, { recipients: to("interested@magic.test") })
        const dispatcher = yield* Dispatcher
        yield* failNext(operation)
        yield* dispatcher.round
        assert.lengthOf(yield* deliveries(campaign_id), 1, operation)
        assert.isEmpty(yield* trailOf(client, { campaign_id, kind: "sent,stop" }))
        // Replies are still applied.
        yield* pass("10 minutes", "1 minute")
        assert.lengthOf(yield* deliveries(campaign_id), 1, operation)
        const events = yield* trailOf(client, { campaign_id, kind: "sent,stop,reply" })
        assert.deepStrictEqual(kindsOf(events), ["reply", "stop"], operation)
        const { replies } = ok(yield* client.call("get_replies", { campaign_id })).result
        const { lead } = ok(yield* client.call("get_reply", { reply_id: replies[0].reply_id })).result
        assert.strictEqual(lead.state, "replied")
      }
    }).pipe(Effect.orDie)
  )

  it.effect("an answer whose record fails stays in the inbox, and is applied once", () =>
    Effect.gen(function* () {
      const inbox = yield* Inbox
      for (const operation of [
        "ReplyStore.insert",
        "SuppressionStore.add",
        "TrailStore.append",
        "ReplyStore.takeFromInbox"
      ]) {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: to("interested@magic.test") })
        yield* work
        yield* TestClock.adjust("2 seconds")
        yield* failNext(operation)
        assert.strictEqual(yield* inbox.round, 0, operation)
        assert.isEmpty(yield* trailOf(client, { campaign_id, kind: "reply,suppressed,stop" }), operation)
        yield* TestClock.adjust("1 second")
        yield* work
        const events = yield* trailOf(client, { campaign_id, kind: "reply,suppressed,stop" })
        assert.deepStrictEqual(kindsOf(events), ["reply", "suppressed", "stop"], operation)
        assert.lengthOf(ok(yield* client.call("get_replies", { campaign_id })).result.replies, 1, operation)
      }
    }).pipe(Effect.orDie)
  )

  it.effect("an answer that can't be applied keeps nobody else's waiting", () =>
    Effect.gen(function* () {
      const inbox = yield* Inbox
      const client = yield* sender()
      yield* pass("20 seconds", "5 seconds")
      const people = to("interested+1@magic.test", "interested+2@magic.test", "interested+3@magic.test")
      const campaign_id = yield* launched(client, { recipients: people })
      yield* work
      yield* TestClock.adjust("2 seconds")
      yield* failNext("ReplyStore.insert")
      assert.strictEqual(yield* inbox.round, 2)
      assert.lengthOf(ok(yield* client.call("get_replies", { campaign_id })).result.replies, 2)
      // It is not tried again at once, and then is.
      assert.strictEqual(yield* inbox.round, 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* inbox.round, 1)
      assert.lengthOf(ok(yield* client.call("get_replies", { campaign_id })).result.replies, 3)
      yield* pass("3 seconds")
      assert.lengthOf(yield* deliveries(campaign_id), 3)
    }).pipe(Effect.orDie)
  )
})
