import { assert } from "@effect/vitest"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import type { LeadState } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { VendorStore } from "@outbound/domain/outreach/sending/vendor/VendorStore.js"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { decide } from "../../service/Client.js"
import { DOWN, type FakeVendor, LOST_BEFORE } from "../../vendors/FakeVendor.js"
import { describeStories } from "./describeStories.js"
import { assertIssues } from "./support.js"
import { draft, freshKey, kindsOf, launch, leadOf, ok, refused, trailOf } from "./stories.js"
import {
  assertOnce,
  atWork,
  campaignAt,
  confirmed,
  hostTurn,
  inState,
  leadIn,
  MONDAY,
  sentIn,
  stateOf,
  strangers,
  TWO_STEPS,
  vendorPass,
  type VendorService,
  vendorTeam
} from "./vendorStories.js"

const LONG = 300_000

/** Campaigns that a vendor schedules by itself: what it is given, when, and what it never does. */
export const vendorSendingContract = <E>(name: string, service: Layer.Layer<VendorService, E>, fake: FakeVendor) => {
  const { world } = fake

  describeStories(service)(`a vendor that schedules by itself (${name})`, (it) => {
    it.effect(
      "a campaign is incomplete until the vendor has everybody, and nothing is sent before a human approved it",
      () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(MONDAY)
          const { client } = yield* vendorTeam()
          const people = strangers(7)
          const { campaign_id, state } = (yield* draft(client, {
            sequence: TWO_STEPS,
            recipients: people.map((one, index) => ({ ...one, custom: { fact: `fact {{x}} ${index}` } }))
          })).result
          assert.strictEqual(state, "incomplete")
          refused(yield* client.call("launch_campaign", { campaign_id }, { key: freshKey() }), 400, "invalid_request", {
            reason: "campaign_state",
            state: "incomplete"
          })
          yield* vendorPass(fake, "2 minutes")
          assert.strictEqual(yield* inState(client.workspaceId, campaign_id), "draft")
          const vendorCampaign = campaignAt(fake, campaign_id)
          assert.lengthOf(vendorCampaign.people, 7)
          assert.strictEqual(vendorCampaign.status, "draft")
          assert.isEmpty(sentIn(fake, campaign_id))
          yield* launch(client, campaign_id)
          yield* vendorPass(fake, "3 minutes")
          assertOnce(fake, campaign_id)
          assert.lengthOf(sentIn(fake, campaign_id), 7)
          const [first] = sentIn(fake, campaign_id)
          assert.strictEqual(first?.subject, "Hello there")
          assert.include(first?.text, "Hi there, fact {{x}} 0")
          assert.include(first?.text, "1 Main Street, Springfield")
          assert.include(first?.text, `/u/${client.workspaceId}/`)
          assert.strictEqual(vendorCampaign.terms.dailySends, 50)
          const sent = yield* trailOf(client, { campaign_id, kind: "sent" })
          assert.lengthOf(sent, 7)
          assert.isTrue(sent.every(({ detail, source }) => detail.step === 1 && source === "provider_poll"))
          // Another campaign leaves them alone, by the contact history.
          const other = yield* draft(client, { sequence: TWO_STEPS, recipients: people })
          assert.deepStrictEqual(other.result.suppressed_reasons, { capped: 7 })
          yield* vendorPass(fake, "49 hours", "7 hours")
          assertOnce(fake, campaign_id)
          assert.lengthOf(sentIn(fake, campaign_id), 14)
          yield* vendorPass(fake, "12 days", "3 days")
          yield* vendorPass(fake, "1 minute", "30 seconds")
          assert.strictEqual(yield* inState(client.workspaceId, campaign_id), "completed")
          assert.strictEqual(vendorCampaign.status, "paused")
        }),
      LONG
    )

    it.effect("whom the vendor loses, shows late or refuses is found out, and everybody is there once", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam()
        const people = strangers(6)
        const [lost, late, no] = people.map(({ email }) => email) as [string, string, string]
        world.loses.add(lost)
        world.hides.set(late, 2)
        world.refuses.add(no)
        const { campaign_id } = (yield* draft(client, { sequence: TWO_STEPS, recipients: people })).result
        yield* hostTurn
        assert.strictEqual(yield* inState(client.workspaceId, campaign_id), "incomplete")
        const asked = ok(
          yield* client.call("add_leads", { campaign_id, finalize_incomplete: true }, { key: freshKey() })
        ).result
        assert.deepStrictEqual([asked.state, asked.leads_pending, asked.campaign_lead_total], ["incomplete", 2, 6])
        yield* vendorPass(fake, "10 minutes")
        assert.strictEqual(yield* stateOf(client, campaign_id), "draft")
        assert.deepStrictEqual(
          campaignAt(fake, campaign_id)
            .people.map(({ email }) => email)
            .sort(),
          people
            .map(({ email }) => email)
            .filter((email) => email !== no)
            .sort()
        )
        const stopped = yield* trailOf(client, { campaign_id, kind: "stop" })
        assert.deepStrictEqual(
          stopped.map(({ detail, email }) => [email, detail.reason]),
          [[no, "refused_by_provider"]]
        )
      })
    )

    it.effect("an answer stops its sequence on both sides, is listed, and can be answered in its thread", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client, mailboxes } = yield* vendorTeam(1)
        const people = strangers(3)
        const [first = "", second = "", third = ""] = people.map(({ email }) => email)
        const campaign_id = yield* atWork(client, fake, { recipients: people })
        const { ref } = campaignAt(fake, campaign_id)
        fake.tellTwice(true)
        const now = yield* Clock.currentTimeMillis
        world.answer(ref, first, "Sounds interesting, tell me more", now)
        world.end(ref, second, "bounced", now)
        world.end(ref, third, "unsubscribed", now)
        yield* vendorPass(fake, "3 minutes")
        fake.tellTwice(false)
        const told = yield* trailOf(client, { campaign_id, kind: "sent,reply,bounce,unsubscribe,suppressed,stop" })
        assert.deepStrictEqual(kindsOf(told).toSorted(), [
          "bounce",
          "reply",
          "sent",
          "sent",
          "sent",
          "stop",
          "stop",
          "stop",
          "suppressed",
          "suppressed",
          "unsubscribe"
        ])
        assert.isTrue(world.blocked.has(third))
        // A person may still answer people who only replied.
        assert.isFalse(world.blocked.has(first))
        // The vendor says that a message bounced, and not why. So it proves nothing about the address.
        assert.isFalse(world.blocked.has(second))
        const [bounced] = yield* trailOf(client, { campaign_id, email: second, kind: "stop" })
        assert.strictEqual(bounced?.detail.reason, "refused_by_provider")
        const { replies } = ok(yield* client.call("get_replies", { campaign_id, classification: "interested" })).result
        assert.lengthOf(replies, 1)
        assert.strictEqual(replies[0].from_email, first)
        const { reply_id } = replies[0]
        const request = { reply_id, body_text: "Gladly." }
        const asked = ok(yield* client.call("reply_to_thread", request, { key: freshKey() }))
        yield* decide(client, asked.result.approval_url, "approve")
        const { confirmation_token } = asked.result
        const sent = ok(yield* client.call("reply_to_thread", { ...request, confirmation_token }, { key: freshKey() }))
        assert.strictEqual(sent.result.from_email, mailboxes[0]?.address)
        assert.deepStrictEqual(
          world.answered.filter(({ to }) => to === first).map(({ text }) => text),
          ["Gladly."]
        )
        const campaign_lead_id = yield* leadOf(client, campaign_id, first)
        ok(yield* client.call("set_lead_status", { campaign_lead_id, status: "meeting_booked" }, { key: freshKey() }))
        yield* vendorPass(fake, "1 minute")
        assert.strictEqual(
          campaignAt(fake, campaign_id).people.find(({ email }) => email === first)?.interest,
          "meeting_booked"
        )
        yield* vendorPass(fake, "49 hours", "7 hours")
        assert.lengthOf(sentIn(fake, campaign_id), 3)
        const knows = (email: string) => campaignAt(fake, campaign_id).people.some((one) => one.email === email)
        assert.isTrue(knows(first) && knows(second))
        const erasure = yield* Erasure
        yield* erasure.eraseFor(client.workspaceId, first)
        yield* vendorPass(fake, "1 minute")
        assert.isTrue(!knows(first) && knows(second))
      }).pipe(Effect.orDie)
    )

    it.effect("a no is made good at the vendor within a minute, or the campaign is paused", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam()
        const people = strangers(4)
        const [first = "", second = ""] = people.map(({ email }) => email)
        const campaign_id = yield* atWork(client, fake, { recipients: people })
        const no = (email: string) =>
          Effect.gen(function* () {
            const campaign_lead_id = yield* leadOf(client, campaign_id, email)
            ok(
              yield* client.call("set_lead_status", { campaign_lead_id, status: "not_interested" }, { key: freshKey() })
            )
          })
        yield* no(first)
        yield* vendorPass(fake, "20 seconds")
        assert.notInclude(
          campaignAt(fake, campaign_id).people.map(({ email }) => email),
          first
        )
        assert.isTrue(world.blocked.has(first))
        assert.strictEqual(yield* inState(client.workspaceId, campaign_id), "active")
        fake.always(DOWN)
        yield* no(second)
        yield* vendorPass(fake, "50 seconds")
        assert.strictEqual(yield* inState(client.workspaceId, campaign_id), "active")
        yield* vendorPass(fake, "40 seconds")
        assert.strictEqual(yield* inState(client.workspaceId, campaign_id), "paused capacity")
        const asked = yield* trailOf(client, { campaign_id, kind: "pause_requested,paused" })
        assert.deepStrictEqual(kindsOf(asked), ["pause_requested"])
        fake.always(null)
        yield* vendorPass(fake, "40 seconds")
        const after = yield* trailOf(client, { campaign_id, kind: "pause_requested,paused" })
        assert.deepStrictEqual(kindsOf(after), ["pause_requested", "paused"])
        assert.deepStrictEqual(after[1]?.detail, { reason: "capacity", provider_verified: true })
        assert.isTrue(world.blocked.has(second))
        assert.strictEqual(campaignAt(fake, campaign_id).status, "paused")
        // A human lets it go on.
        yield* launch(client, campaign_id)
        yield* vendorPass(fake, "49 hours", "7 hours")
        assert.strictEqual(campaignAt(fake, campaign_id).status, "active")
        assert.lengthOf(sentIn(fake, campaign_id), 6)
        assertOnce(fake, campaign_id)
      })
    )

    it.effect("people removed at the launch are gone at the vendor before anything is sent", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam()
        const people = strangers(4)
        const [first = ""] = people.map(({ email }) => email)
        const other = yield* atWork(client, fake, { recipients: [{ email: `x-${first}` }] })
        const campaign_id = yield* confirmed(client, fake, { recipients: [...people, { email: `x-${first}` }] })
        // Taken out when the draft was made already; a no that comes later is not.
        assert.lengthOf(campaignAt(fake, campaign_id).people, 4)
        const campaign_lead_id = yield* leadOf(client, campaign_id, first)
        ok(yield* client.call("set_lead_status", { campaign_lead_id, status: "not_interested" }, { key: freshKey() }))
        fake.trouble("withdraw", DOWN, LOST_BEFORE)
        const launched = yield* launch(client, campaign_id)
        assert.strictEqual(launched.result.leads_suppressed_at_launch, 1)
        yield* hostTurn
        assert.strictEqual(campaignAt(fake, campaign_id).status, "draft")
        yield* vendorPass(fake, "5 minutes")
        assert.notInclude(
          sentIn(fake, campaign_id).map(({ email }) => email),
          first
        )
        assert.lengthOf(sentIn(fake, campaign_id), 3)
        assert.lengthOf(sentIn(fake, other), 1)
      })
    )

    it.effect("two campaigns with the same people write to each of them once", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam()
        const people = strangers(3)
        const one = yield* confirmed(client, fake, { recipients: people })
        const other = yield* confirmed(client, fake, { recipients: people })
        yield* Effect.all([launch(client, one), launch(client, other)])
        yield* vendorPass(fake, "5 minutes")
        const written = [...sentIn(fake, one), ...sentIn(fake, other)].map(({ email }) => email)
        assert.lengthOf(written, 3)
        assert.lengthOf(new Set(written), 3)
        assert.lengthOf(yield* trailOf(client, { kind: "removed" }), 3)
      })
    )

    it.effect("adding people pauses the campaign there, and it goes on with everybody once a human agreed", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam()
        const campaign_id = yield* atWork(client, fake, { recipients: strangers(2) })
        const request = { campaign_id, leads: strangers(4) }
        const key = freshKey()
        const asked = ok(yield* client.call("add_leads", request, { key }))
        yield* vendorPass(fake, "20 seconds")
        assert.strictEqual(campaignAt(fake, campaign_id).status, "paused")
        assert.deepStrictEqual(kindsOf(yield* trailOf(client, { campaign_id, kind: "pause_requested,paused" })), [
          "pause_requested",
          "paused"
        ])
        assert.lengthOf(campaignAt(fake, campaign_id).people, 2)
        yield* decide(client, asked.result.approval_url, "approve")
        const { confirmation_token } = asked.result
        const added = ok(yield* client.call("add_leads", { ...request, confirmation_token }, { key })).result
        assert.deepStrictEqual([added.state, added.leads_accepted, added.leads_pending], ["active", 4, 4])
        yield* vendorPass(fake, "3 minutes")
        assert.lengthOf(sentIn(fake, campaign_id), 6)
        assertOnce(fake, campaign_id)
      })
    )

    it.effect("after a relaunch, an unconfirmed person is ready only once the vendor confirms or reports them", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam()
        const campaign_id = yield* atWork(client, fake, { recipients: strangers(2) })
        const campaigns = yield* CampaignStore
        const many = (state: LeadState) =>
          Effect.map(campaigns.leadsIn(client.workspaceId, campaign_id, [state]), ({ length }) => length)
        const leads = strangers(3)
        const key = freshKey()
        const asked = ok(yield* client.call("add_leads", { campaign_id, leads }, { key }))
        yield* decide(client, asked.result.approval_url, "approve")
        const { confirmation_token } = asked.result
        ok(yield* client.call("add_leads", { campaign_id, leads, confirmation_token }, { key }))
        // Asking to add another person pauses it.
        ok(yield* client.call("add_leads", { campaign_id, leads: strangers(1) }, { key: freshKey() }))
        assert.match(yield* inState(client.workspaceId, campaign_id), /^paused/)
        // One of them is not shown for long, and written to before.
        world.hides.set(leads[0]?.email ?? "", 5)
        yield* launch(client, campaign_id)
        assert.deepStrictEqual([yield* many("pending"), yield* many("ready")], [3, 0])
        yield* hostTurn
        assert.deepStrictEqual([yield* many("pending"), yield* many("ready")], [1, 2])
        yield* vendorPass(fake, "3 minutes")
        assert.lengthOf(sentIn(fake, campaign_id), 5)
        assert.deepStrictEqual([yield* many("pending"), yield* many("ready"), yield* many("active")], [0, 0, 5])
        assertOnce(fake, campaign_id)
      })
    )

    it.effect(
      "rules about companies, people's own hours and variants, which the vendor can't keep, are refused, also in a dry run",
      () =>
        Effect.gen(function* () {
          const { client } = yield* vendorTeam()
          const body = { name: "Rules", sequence: TWO_STEPS, recipients: strangers(1) }
          for (const rule of [{ stop_for_company: true }, { max_per_company_per_day: 3 }] as const) {
            for (const dry_run of [false, true]) {
              const answer = yield* client.call("create_campaign", { ...body, ...rule, dry_run }, { key: freshKey() })
              assertIssues(answer, Object.keys(rule))
            }
          }
          for (const [rule, given] of [
            ["recipient_timezone", true],
            ["skip_holidays", ["DE"]],
            ["skip_holidays", ["recipient"]]
          ] as const) {
            for (const dry_run of [false, true]) {
              const schedule = { [rule]: given }
              const answer = yield* client.call("create_campaign", { ...body, schedule, dry_run }, { key: freshKey() })
              assertIssues(answer, [`schedule.${rule}`])
            }
          }
          const varied = { ...body, sequence: [{ variants: ["A", "B"].map((one) => ({ subject: one, body: one })) }] }
          for (const dry_run of [false, true]) {
            const answer = yield* client.call("create_campaign", { ...varied, dry_run }, { key: freshKey() })
            assertIssues(answer, ["sequence.0.variants"])
          }
          const none = { stop_for_company: false, schedule: { recipient_timezone: false, skip_holidays: [] } }
          ok(yield* client.call("create_campaign", { ...body, ...none }, { key: freshKey() }))
        })
    )

    it.effect("a schedule that the vendor can't keep to is refused; one of the same hours elsewhere is not", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam()
        const schedule = (timezone: string) => ({ timezone, start_hour: 9, end_hour: 17 })
        const ask = (timezone: string) =>
          client.call(
            "create_campaign",
            { name: "Zones", sequence: TWO_STEPS, recipients: strangers(1), schedule: schedule(timezone) },
            { key: freshKey() }
          )
        refused(yield* ask("Asia/Kathmandu"), 400, "invalid_request")
        const { campaign_id } = ok(yield* ask("America/Los_Angeles")).result
        yield* vendorPass(fake, "1 minute")
        assert.deepInclude(campaignAt(fake, campaign_id).terms.schedule, {
          timezone: "America/Boise",
          startHour: 10,
          endHour: 18
        })
        const store = yield* VendorStore
        const counts = yield* store.counts(client.workspaceId, campaign_id)
        assert.strictEqual(counts.present, 1)
        const campaign_lead_id = yield* leadOf(
          client,
          campaign_id,
          campaignAt(fake, campaign_id).people[0]?.email ?? ""
        )
        assert.strictEqual((yield* leadIn(client.workspaceId, campaign_lead_id)).state, "pending")
        yield* launch(client, campaign_id)
        assert.strictEqual((yield* leadIn(client.workspaceId, campaign_lead_id)).state, "ready")
      })
    )
  })
}
