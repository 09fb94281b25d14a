import { assert, layer as describeLayer } from "@effect/vitest"
import type { CampaignState, PauseReason } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { decide } from "../../service/Client.js"
import { idOf, add, askLeads, dryRun, coversOf, campaignOf, addressed, NONE } from "./addLeadsSupport.js"
import { alter } from "./launch.js"
import {
  askLaunch,
  deliveries,
  freshKey,
  kindsOf,
  launched,
  ok,
  pass,
  refused,
  sender,
  type ServiceOnStores,
  listCounts,
  silent,
  SUITE,
  to,
  trailOf
} from "./stories.js"

/** Adding people to a campaign that was launched. */
export const addLeadsApprovalContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`add_leads to a launched campaign (${name})`, (it) => {
    it.effect("adding to an active campaign pauses it until a human has approved, and covers only who was added", () =>
      Effect.gen(function* () {
        const client = yield* sender(50)
        const campaign_id = yield* launched(client, { recipients: silent(2, "old") })
        const [launchedBy] = new Set(Object.values(yield* coversOf(client, campaign_id)))
        const leads = to("silent+old0@magic.test", "silent+new0@magic.test", "silent+new1@magic.test", "nobody")
        const reasons = { leads_suppressed: 1, suppressed_reasons: { invalid: 1 } }
        const counts = { leads_accepted: 2, ...reasons, list: listCounts({ unverified: 2 }) }
        const plan = yield* dryRun(client, campaign_id, { leads })
        assert.deepStrictEqual(plan.would, { ...counts, pauses_campaign: true, needs_confirmation: true })
        assert.deepStrictEqual(plan.would_exceed, [])
        assert.strictEqual((yield* campaignOf(client, campaign_id)).state, "active", "a dry run pauses nothing")

        const key = freshKey()
        const asked = yield* askLeads(client, campaign_id, leads, key)
        const { invalid, mailboxes, ...preview } = asked.preview
        assert.lengthOf(mailboxes, 2)
        assert.lengthOf(invalid ?? [], 1)
        assert.deepStrictEqual(preview, {
          campaign_id,
          ...counts,
          variables: [{ name: "first_name", distinct_values: 1, longest: 5 }],
          links: [],
          overlapping_people: 0,
          campaign_lead_total: 4,
          mailboxes_attached: 2,
          daily_send_limit: 50
        })
        const paused = yield* campaignOf(client, campaign_id)
        assert.deepStrictEqual([paused.state, paused.pauseReason], ["paused", "awaiting_approval"])
        yield* pass("3 seconds")
        assert.isEmpty(yield* deliveries(campaign_id), "a paused campaign sends nothing")
        assert.lengthOf(Object.keys(yield* coversOf(client, campaign_id)), 2, "nobody comes in unapproved")
        const repeat = ok(yield* add(client, campaign_id, { leads }, key))
        assert.deepStrictEqual([repeat.result, repeat.svc.replayed], [asked, true])

        const console = yield* Console
        const { approval } = Option.getOrThrow(yield* console.approval(client.workspaceId, idOf(asked.approval_url)))
        assert.deepInclude(approval.snapshot, {
          kind: "add_leads",
          campaign_id,
          campaign_name: "Story",
          leads: 2,
          leads_removed: 1,
          campaign_lead_total: 4,
          pause_reason: "awaiting_approval",
          recipients: ["silent+new0@magic.test", "silent+new1@magic.test"].map((email) => ({
            email,
            name: null,
            company_name: null
          }))
        })
        const { confirmation_token } = asked
        const confirmed = { leads, confirmation_token }
        refused(yield* add(client, campaign_id, confirmed, key), 428, "confirmation_required")
        yield* decide(client, asked.approval_url, "approve")
        const done = ok(yield* add(client, campaign_id, confirmed, key))
        const { invalid: left, ...added } = done.result
        assert.deepStrictEqual(left, invalid)
        assert.deepStrictEqual(added, {
          ...NONE,
          campaign_id,
          state: "active",
          leads_accepted: 2,
          leads_correlated: 2,
          leads_suppressed: 1,
          campaign_lead_total: 4
        })
        const replay = ok(yield* add(client, campaign_id, confirmed, key))
        assert.deepStrictEqual([replay.result, replay.svc.replayed], [done.result, true])
        refused(yield* add(client, campaign_id, confirmed), 409, "approval_superseded")
        assert.deepStrictEqual(yield* coversOf(client, campaign_id), {
          "silent+old0@magic.test": launchedBy!,
          "silent+old1@magic.test": launchedBy!,
          "silent+new0@magic.test": idOf(asked.approval_url),
          "silent+new1@magic.test": idOf(asked.approval_url)
        })
        yield* pass("3 seconds")
        const sent = yield* deliveries(campaign_id)
        assert.lengthOf(sent, 8, "two messages to each of four")
        const kinds = kindsOf(yield* trailOf(client, { campaign_id }))
        assert.deepStrictEqual(kinds.slice(6, -8), [
          "launch_requested",
          "approval_requested",
          "paused",
          "approved",
          "admitted",
          "admitted",
          "removed",
          "resumed"
        ])
        const [pause] = yield* trailOf(client, { campaign_id, kind: "paused" })
        assert.deepStrictEqual(pause?.detail, { reason: "awaiting_approval", provider_verified: true })
      }).pipe(Effect.orDie)
    )

    it.effect("declined or expired, the campaign stays paused, and a launch goes on without who was not added", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(1, "old") })
        const leads = silent(1, "new")
        const confirm = (confirmation_token: string) => add(client, campaign_id, { leads, confirmation_token })
        const declined = yield* askLeads(client, campaign_id, leads)
        yield* decide(client, declined.approval_url, "decline")
        refused(yield* confirm(declined.confirmation_token), 409, "approval_declined")
        const expired = yield* askLeads(client, campaign_id, leads)
        yield* TestClock.adjust("24 hours")
        refused(yield* confirm(expired.confirmation_token), 409, "approval_expired")
        const superseded = yield* askLeads(client, campaign_id, leads)
        yield* decide(client, superseded.approval_url, "approve")
        const asked = yield* askLaunch(client, campaign_id)
        refused(yield* confirm(superseded.confirmation_token), 409, "approval_superseded")
        yield* pass("2 seconds")
        const { pauseReason, state } = yield* campaignOf(client, campaign_id)
        assert.deepStrictEqual([state, pauseReason], ["paused", "awaiting_approval"])
        assert.isEmpty(yield* deliveries(campaign_id))
        assert.lengthOf(yield* trailOf(client, { campaign_id, kind: "paused" }), 1, "paused once")
        assert.strictEqual(asked.result.preview.leads_active, 1)
        yield* decide(client, asked.result.approval_url, "approve")
        const { confirmation_token } = asked.result
        ok(yield* client.call("launch_campaign", { campaign_id, confirmation_token }, { key: freshKey() }))
        yield* pass("2 seconds")
        assert.deepStrictEqual(yield* addressed(campaign_id), ["silent+old0@magic.test"])
      })
    )

    it.effect("asking again supersedes, also with other people, and only whom the last ask showed are added", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(1, "old") })
        const first = yield* askLeads(client, campaign_id, silent(1, "first"))
        yield* decide(client, first.approval_url, "approve")
        const plan = yield* dryRun(client, campaign_id, { leads: silent(1, "second") })
        assert.deepStrictEqual([plan.would.pauses_campaign, plan.would.needs_confirmation], [false, true])
        const second = yield* askLeads(client, campaign_id, silent(1, "second"))
        const confirm = (tag: string, confirmation_token: string) =>
          add(client, campaign_id, { leads: silent(1, tag), confirmation_token })
        refused(yield* confirm("first", first.confirmation_token), 409, "approval_superseded")
        yield* decide(client, second.approval_url, "approve")
        // Other people than were shown are not what was approved.
        refused(yield* confirm("first", second.confirmation_token), 409, "approval_changed")
        ok(yield* confirm("second", second.confirmation_token))
        yield* pass("2 seconds")
        assert.deepStrictEqual(yield* addressed(campaign_id), ["silent+old0@magic.test", "silent+second0@magic.test"])
      })
    )

    it.effect(
      "paused for whatever reason but a kill it asks as an active one does; completed or killed it refuses",
      () =>
        Effect.gen(function* () {
          const client = yield* sender()
          const states: ReadonlyArray<readonly [CampaignState, PauseReason | null, boolean]> = [
            ["paused", "owner", true],
            ["paused", "capacity", true],
            ["paused", "awaiting_approval", true],
            ["paused", "killed", false],
            ["completed", null, false]
          ]
          for (const [index, [state, pauseReason, allowed]] of states.entries()) {
            const campaign_id = yield* launched(client, { recipients: silent(1, `state${index}`) })
            yield* alter(client, campaign_id, {
              state,
              ...(pauseReason === null ? {} : { pauseReason }),
              launched: true
            })
            const leads = silent(1, `more${index}`)
            const plan = yield* dryRun(client, campaign_id, { leads })
            if (!allowed) {
              const about = { reason: "campaign_state", state }
              assert.deepStrictEqual(plan.would_exceed, ["campaign_state"])
              refused(yield* add(client, campaign_id, { leads }), 400, "invalid_request", about)
              refused(yield* add(client, campaign_id, { finalize_incomplete: true }), 400, "invalid_request", about)
              continue
            }
            assert.deepStrictEqual([plan.would_exceed, plan.would.pauses_campaign], [[], false])
            const asked = yield* askLeads(client, campaign_id, leads)
            assert.strictEqual((yield* campaignOf(client, campaign_id)).pauseReason, pauseReason)
            yield* decide(client, asked.approval_url, "approve")
            const { confirmation_token } = asked
            const done = ok(yield* add(client, campaign_id, { leads, confirmation_token })).result
            assert.strictEqual(done.state, "active")
            const after = yield* campaignOf(client, campaign_id)
            assert.deepStrictEqual([after.state, after.pauseReason], ["active", null])
            assert.lengthOf(yield* trailOf(client, { campaign_id, kind: "resumed" }), 1)
          }
        })
    )

    it.effect("a dry run takes no token, and what was asked about once is told apart from a launch", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(1, "old") })
        const leads = silent(1, "new")
        const { approval_url, confirmation_token } = yield* askLeads(client, campaign_id, leads)
        refused(
          yield* client.call("add_leads", { campaign_id, leads, confirmation_token, dry_run: true }),
          400,
          "invalid_request",
          { reason: "dry_run_with_token" }
        )
        yield* decide(client, approval_url, "approve")
        refused(
          yield* client.call("launch_campaign", { campaign_id, confirmation_token }, { key: freshKey() }),
          409,
          "approval_changed",
          { approval_url }
        )
        const events = yield* trailOf(client, { campaign_id, kind: "approval_requested,approved" })
        assert.deepStrictEqual(
          events.map(({ detail }) => detail.verb),
          ["launch_campaign", "launch_campaign", "add_leads", "add_leads"]
        )
      })
    )
  })
}
