import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { type Overlap, WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { assert, layer as describeLayer } from "@effect/vitest"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import type { CampaignState, PauseReason } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Clock, Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { type Client, decide, makeClient, makeKey } from "../../service/Client.js"
import {
  askLaunch,
  deliveries,
  draft,
  freshKey,
  kindsOf,
  launch,
  launched,
  leadOf,
  listCounts,
  member,
  ok,
  pass,
  refused,
  SCOPES,
  SEQUENCE,
  sender,
  type ServiceOnStores,
  silent,
  SUITE,
  to,
  trailOf
} from "./stories.js"

const NOBODY = { opted_out: 0, platform_blocked: 0, invalid: 0, capped: 0, other: 0, total: 0 }
const NO_ID = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"

const ONE_STEP = SEQUENCE.slice(0, 1)

const overlapping = ({ workspaceId }: Client, overlap: Overlap) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    yield* atomically((yield* WorkspaceStore).setOverlap(workspaceId, overlap))
  })

/** From a draft to a state, by the steps that a campaign's machine has. */
const ways: Readonly<Record<CampaignState, ReadonlyArray<CampaignState>>> = {
  draft: [],
  incomplete: ["incomplete"],
  active: ["active"],
  paused: ["active", "paused"],
  completed: ["active", "completed"]
}

/** What no verb of the loop can bring a draft to yet, or only with much ado. */
export const alter = (
  client: Client,
  campaignId: string,
  change: {
    readonly state?: CampaignState
    readonly pauseReason?: PauseReason
    readonly grows?: boolean
    /** It was launched before. */
    readonly launched?: boolean
  }
) =>
  Effect.gen(function* () {
    const campaigns = yield* CampaignStore
    const { atomically } = yield* UnitOfWork
    yield* atomically(
      Effect.gen(function* () {
        for (const state of ways[change.state ?? "draft"].slice(change.launched === true ? 1 : 0)) {
          const campaign = Option.getOrThrow(yield* campaigns.lock(client.workspaceId, campaignId))
          yield* campaigns.update({
            ...campaign,
            state,
            pauseReason: state === "paused" ? (change.pauseReason ?? null) : null
          })
        }
        if (change.grows !== true) return
        const campaign = Option.getOrThrow(yield* campaigns.lock(client.workspaceId, campaignId))
        yield* campaigns.update({ ...campaign, recipientsVersion: campaign.recipientsVersion + 1 })
      })
    )
  })

const go = (client: Client, campaign_id: string, confirmation_token?: string, key = freshKey()) =>
  client.call(
    "launch_campaign",
    { campaign_id, ...(confirmation_token === undefined ? {} : { confirmation_token }) },
    { key }
  )

/** Launching a campaign. */
export const launchContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`launch_campaign (${name})`, (it) => {
    it.effect("the preview, the dry run and the launch say the same numbers", () =>
      Effect.gen(function* () {
        const client = yield* sender(50)
        const { result } = yield* draft(client, { recipients: silent(4) })
        const campaign_id = result.campaign_id as string
        const numbers = {
          mailboxes_attached: 2,
          leads_active: 4,
          leads_suppressed_at_launch: 0,
          removed: NOBODY,
          list: listCounts({ unverified: 4 }),
          daily_send_limit: 50
        }
        const dry = ok(yield* client.call("launch_campaign", { campaign_id, dry_run: true }))
        assert.deepStrictEqual(dry.result.plan.would, { ...numbers, needs_confirmation: true })
        assert.deepStrictEqual([dry.result.plan.plan_version, dry.result.plan.would_exceed], [1, []])
        assert.isEmpty(yield* trailOf(client, { campaign_id, kind: "approval_requested,launch_requested" }))
        const asked = yield* askLaunch(client, campaign_id)
        assert.strictEqual(asked.result.status, "needs_confirmation")
        const { mailboxes, ...preview } = asked.result.preview
        assert.lengthOf(mailboxes, 2)
        assert.deepStrictEqual(preview, {
          campaign_id,
          ...numbers,
          variables: [{ name: "first_name", distinct_values: 1, longest: 5 }],
          links: [],
          overlapping_people: 0
        })
        refused(
          yield* client.call("launch_campaign", {
            campaign_id,
            dry_run: true,
            confirmation_token: asked.result.confirmation_token
          }),
          400,
          "invalid_request",
          { reason: "dry_run_with_token" }
        )
        refused(yield* client.call("launch_campaign", { campaign_id }), 400, "invalid_request", {
          reason: "idempotency_key_required"
        })
        yield* decide(client, asked.result.approval_url, "approve")
        const done = ok(yield* go(client, campaign_id, asked.result.confirmation_token))
        assert.deepStrictEqual(done.result, {
          status: "launched",
          campaign_id,
          mailboxes_attached: 2,
          leads_active: 4,
          leads_suppressed_at_launch: 0
        })
        assert.strictEqual(done.svc.credits_charged, "0")
        const events = yield* trailOf(client, { campaign_id })
        assert.deepStrictEqual(kindsOf(events).slice(4), [
          "launch_requested",
          "approval_requested",
          "approved",
          "launched"
        ])
        const me = ok(yield* client.call("get_me"))
        assert.strictEqual(me.result.launches_today, 1)
      })
    )

    it.effect("a launch needs its scope, its campaign, capacity and a postal address, and the dry run says so", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const { result } = yield* draft(client, { recipients: silent(1) })
        const campaign_id = result.campaign_id as string
        refused(yield* go(client, campaign_id), 409, "mailbox_unavailable")
        const dry = ok(yield* client.call("launch_campaign", { campaign_id, dry_run: true }))
        assert.deepStrictEqual(dry.result.plan.would_exceed, ["mailbox_unavailable"])
        const poor = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: ["campaign:write"] })
        refused(yield* go(poor, campaign_id), 403, "forbidden", { required_scope: "campaign:launch" })
        const poorDry = ok(yield* poor.call("launch_campaign", { campaign_id, dry_run: true }))
        assert.deepStrictEqual(poorDry.result.plan.would_exceed, ["forbidden", "mailbox_unavailable"])
        refused(yield* go(client, NO_ID), 404, "not_found")
        refused(yield* client.call("launch_campaign", { campaign_id: NO_ID, dry_run: true }), 404, "not_found")
        refused(yield* go(client, "not a uuid"), 400, "invalid_request")

        const nowhere = yield* makeClient({ kind: "live", scopes: SCOPES })
        const live = yield* draft(nowhere, { recipients: silent(1) })
        refused(yield* go(nowhere, live.result.campaign_id), 400, "invalid_request", {
          reason: "postal_address_missing"
        })
        const liveDry = ok(
          yield* nowhere.call("launch_campaign", { campaign_id: live.result.campaign_id, dry_run: true })
        )
        assert.deepStrictEqual(liveDry.result.plan.would_exceed, ["postal_address_missing", "mailbox_unavailable"])
      })
    )

    it.effect("an id in capitals is the same id", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { result } = yield* draft(client, { recipients: silent(1) })
        const asked = yield* askLaunch(client, (result.campaign_id as string).toUpperCase())
        assert.strictEqual(asked.result.preview.campaign_id, result.campaign_id)
      })
    )

    it.effect("only a draft is launched, or what is paused for another reason than a kill", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const states: ReadonlyArray<readonly [CampaignState, PauseReason | null, boolean]> = [
          ["active", null, false],
          ["completed", null, false],
          ["incomplete", null, false],
          ["paused", "killed", false],
          ["paused", "owner", true],
          ["paused", "capacity", true],
          ["paused", "awaiting_approval", true]
        ]
        for (const [index, [state, pauseReason, allowed]] of states.entries()) {
          const { result } = yield* draft(client, { recipients: silent(1, `state${index}`) })
          const campaign_id = result.campaign_id as string
          const asked = yield* askLaunch(client, campaign_id)
          yield* decide(client, asked.result.approval_url, "approve")
          yield* alter(client, campaign_id, { state, ...(pauseReason === null ? {} : { pauseReason }) })
          const dry = ok(yield* client.call("launch_campaign", { campaign_id, dry_run: true }))
          const confirmed = yield* go(client, campaign_id, asked.result.confirmation_token)
          if (allowed) {
            assert.deepStrictEqual(dry.result.plan.would_exceed, [])
            ok(confirmed)
            continue
          }
          assert.deepStrictEqual(dry.result.plan.would_exceed, ["campaign_state"])
          refused(confirmed, 400, "invalid_request", { reason: "campaign_state", state })
          const again = yield* go(client, campaign_id)
          refused(again, 400, "invalid_request", { reason: "campaign_state", state })
          // The state alone would not tell a killed campaign from one that can go on.
          assert.strictEqual(/kill/.test(again.error?.message ?? ""), pauseReason === "killed", again.error?.message)
        }
      })
    )

    it.effect("more recipients than were shown are not what was approved", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { result } = yield* draft(client, { recipients: silent(1) })
        const campaign_id = result.campaign_id as string
        const asked = yield* askLaunch(client, campaign_id)
        yield* decide(client, asked.result.approval_url, "approve")
        yield* alter(client, campaign_id, { grows: true })
        const { approval_url, confirmation_token } = asked.result
        refused(yield* go(client, campaign_id, confirmation_token), 409, "approval_changed", { approval_url })
        yield* pass("2 seconds")
        assert.isEmpty(yield* deliveries(campaign_id))
        ok(yield* launch(client, campaign_id))
      })
    )

    it.effect("who said no since the draft is taken out, counted and told, and the approval still holds", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const people = to(
          "interested@magic.test",
          "silent@magic.test",
          "unsubscribe@magic.test",
          "silent+kept@magic.test"
        )
        const { result } = yield* draft(client, { recipients: people })
        const campaign_id = result.campaign_id as string
        const asked = yield* askLaunch(client, campaign_id)
        assert.strictEqual(asked.result.preview.leads_active, 4)
        yield* decide(client, asked.result.approval_url, "approve")
        yield* launched(client, { recipients: people.slice(0, 2) })
        yield* pass("3 seconds")
        const campaign_lead_id = yield* leadOf(client, campaign_id, "unsubscribe@magic.test")
        const status = { campaign_lead_id, status: "not_interested" }
        ok(yield* client.call("set_lead_status", status, { key: freshKey() }))
        const removed = { ...NOBODY, opted_out: 2, capped: 1, total: 3 }
        const dry = ok(yield* client.call("launch_campaign", { campaign_id, dry_run: true }))
        assert.deepStrictEqual([dry.result.plan.would.removed, dry.result.plan.would.leads_active], [removed, 1])
        const done = ok(yield* go(client, campaign_id, asked.result.confirmation_token))
        assert.deepStrictEqual([done.result.leads_active, done.result.leads_suppressed_at_launch], [1, 3])
        const events = yield* trailOf(client, { campaign_id, kind: "removed" })
        assert.sameDeepMembers(
          events.map(({ detail, email, request_id }) => [email, detail.reason, request_id]),
          [
            ["interested@magic.test", "opted_out", done.svc.request_id],
            ["silent@magic.test", "capped", done.svc.request_id],
            ["unsubscribe@magic.test", "opted_out", done.svc.request_id]
          ]
        )
        yield* pass("5 seconds")
        const sent = yield* deliveries(campaign_id)
        assert.deepStrictEqual([...new Set(sent.map((message) => message.to.address))], ["silent+kept@magic.test"])
      })
    )

    it.effect("who was shown as taken out stays out, though they could be written to by the time of the launch", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { result } = yield* draft(client, { recipients: to("silent+c@magic.test", "silent+d@magic.test") })
        const campaign_id = result.campaign_id as string
        yield* launched(client, { recipients: to("silent+c@magic.test"), sequence: SEQUENCE.slice(0, 1) })
        yield* pass("1 second")
        yield* TestClock.adjust("719 hours")
        const asked = yield* askLaunch(client, campaign_id)
        assert.strictEqual(asked.result.preview.removed.capped, 1)
        yield* decide(client, asked.result.approval_url, "approve")
        yield* TestClock.adjust("2 hours")
        const done = ok(yield* go(client, campaign_id, asked.result.confirmation_token))
        assert.deepStrictEqual([done.result.leads_active, done.result.leads_suppressed_at_launch], [1, 1])
      })
    )

    it.effect("where people wait for another campaign, they are written to 30 days after its last message", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        yield* overlapping(client, "queue")
        const both = to("silent+c@magic.test", "silent+e@magic.test")
        const first = yield* launched(client, { recipients: both, sequence: ONE_STEP })
        yield* pass("1 second")
        const people = to("silent+c@magic.test", "silent+e@magic.test", "silent+d@magic.test")
        const { result } = yield* draft(client, { recipients: people, sequence: ONE_STEP })
        assert.strictEqual(result.leads_suppressed, 0)
        const campaign_id = result.campaign_id as string
        const asked = yield* askLaunch(client, campaign_id)
        assert.deepInclude(asked.result.preview, { leads_active: 3, removed: NOBODY })
        const { days, recipients_left_out } = ok(yield* client.call("forecast_campaign", { campaign_id })).result
        assert.deepStrictEqual(recipients_left_out, {})
        const now = yield* Clock.currentTimeMillis
        const dayOf = (millis: number) => new Date(millis).toISOString().slice(0, 10)
        const byDay = new Map<string, number>()
        for (const { date, messages } of days) byDay.set(date, (byDay.get(date) ?? 0) + messages)
        assert.deepStrictEqual(
          [...byDay],
          [
            [dayOf(now), 1],
            [dayOf(now + 30 * DAY_MILLIS), 2]
          ]
        )
        yield* decide(client, asked.result.approval_url, "approve")
        ok(yield* go(client, campaign_id, asked.result.confirmation_token))
        const written = Effect.map(deliveries(campaign_id), (sent) => sent.map(({ to: { address } }) => address))
        const no = { campaign_lead_id: yield* leadOf(client, first, "silent+e@magic.test"), status: "not_interested" }
        ok(yield* client.call("set_lead_status", no, { key: freshKey() }))
        for (const days of [1, 28]) {
          yield* pass("5 seconds")
          assert.deepStrictEqual(yield* written, ["silent+d@magic.test"])
          yield* TestClock.adjust(`${days} days`)
        }
        yield* TestClock.adjust("25 hours")
        yield* pass("5 seconds")
        // Somebody who said no to the other campaign meanwhile is left alone for good.
        assert.deepStrictEqual(yield* written, ["silent+d@magic.test", "silent+c@magic.test"])
      })
    )

    it.effect("who was shown as taken out stays out, though people wait since then", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { result } = yield* draft(client, { recipients: to("silent+c@magic.test", "silent+d@magic.test") })
        const campaign_id = result.campaign_id as string
        yield* launched(client, { recipients: to("silent+c@magic.test"), sequence: ONE_STEP })
        yield* pass("1 second")
        const asked = yield* askLaunch(client, campaign_id)
        assert.strictEqual(asked.result.preview.removed.capped, 1)
        yield* decide(client, asked.result.approval_url, "approve")
        yield* overlapping(client, "queue")
        const done = yield* go(client, campaign_id, asked.result.confirmation_token)
        assert.strictEqual(done.error?.code, "approval_changed")
      })
    )

    it.effect("whom no executed approval covers is not written to", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { result } = yield* draft(client, { recipients: silent(2) })
        const campaign_id = result.campaign_id as string
        const asked = yield* askLaunch(client, campaign_id)
        yield* decide(client, asked.result.approval_url, "approve")
        // As if something had made the campaign active without its launch.
        yield* alter(client, campaign_id, { state: "active" })
        yield* pass("3 seconds")
        assert.isEmpty(yield* deliveries(campaign_id))
      })
    )
  })
}
