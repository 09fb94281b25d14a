import { assert, layer as describeLayer } from "@effect/vitest"
import { Control } from "@outbound/domain/control/Control.js"
import { Forecasts } from "@outbound/domain/control/Forecasts.js"
import { DAY_MILLIS as DAY } from "@outbound/domain/kernel/durations.js"
import { DEFAULT_CAPS } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Clock, Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import type { Client } from "../../service/Client.js"
import { makeLead } from "../outboundFixtures.js"
import { signIn } from "./controlSupport.js"
import { alter } from "./launch.js"
import {
  draft,
  freshKey,
  launch,
  launched,
  ok,
  pass,
  refused,
  sender,
  type ServiceOnStores,
  silent,
  SUITE,
  to,
  trailOf,
  work
} from "./stories.js"

const ABSENT = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"

const forecastOf = (client: Client, campaign_id: string) =>
  Effect.map(client.call("forecast_campaign", { campaign_id }), (answer) => ok(answer).result)

/** What left, counted as a forecast counts it. */
const sentOf = (client: Client, campaign_id: string, sinceMillis = 0) =>
  Effect.gen(function* () {
    const events = yield* trailOf(client, { campaign_id, kind: "sent" })
    const since = events.filter(({ observed_at }) => Date.parse(observed_at) >= sinceMillis)
    const counts = new Map<string, number>()
    for (const { detail, observed_at } of since) {
      const of = `${observed_at.slice(0, 10)} ${String(detail["mailbox"])}`
      counts.set(of, (counts.get(of) ?? 0) + 1)
    }
    return { counts: Object.fromEntries(counts), last: since.at(-1)?.observed_at ?? null }
  })

interface Day {
  readonly date: string
  readonly mailbox: string
  readonly messages: number
}

const countsIn = (days: ReadonlyArray<Day>) =>
  Object.fromEntries(days.map(({ date, mailbox, messages }) => [`${date} ${mailbox}`, messages]))

const SEQUENCES = [
  [{ subject: "Hello", body: "Hi" }],
  [
    { subject: "Hello", body: "Hi" },
    { body: "Again", wait_days: 2 }
  ],
  [
    { subject: "Hello", body: "Hi" },
    { body: "Again", wait_days: 3 },
    { body: "Last", wait_days: 60 }
  ]
]

/** The calendar of a campaign before its launch (contract: campaigns, reading). */
export const forecastContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`forecast_campaign (${name})`, (it) => {
    it.effect("is what then happens, day by day and mailbox by mailbox, where nobody answers", () =>
      Effect.gen(function* () {
        for (const [people, mailboxes, sequence] of [
          [1, 1, SEQUENCES[1]!],
          [60, 1, SEQUENCES[0]!],
          [40, 1, SEQUENCES[2]!],
          [110, 2, SEQUENCES[1]!]
        ] as const) {
          const client = yield* sender(25 * mailboxes)
          const { result } = yield* draft(client, { recipients: silent(people), sequence })
          const { campaign_id } = result
          const foreseen = yield* forecastOf(client, campaign_id)
          assert.deepStrictEqual(foreseen.recipients_left_out, {})
          yield* launch(client, campaign_id)
          yield* pass("70 seconds")
          yield* pass("6 days", "4 hours")
          const happened = yield* sentOf(client, campaign_id)
          assert.deepStrictEqual(countsIn(foreseen.days), happened.counts, `${people} people`)
          assert.strictEqual(foreseen.last_message_at.slice(0, 10), happened.last?.slice(0, 10))
          assert.deepStrictEqual(yield* forecastOf(client, campaign_id), {
            days: [],
            last_message_at: null,
            recipients_left_out: {}
          })
        }
      })
    )

    it.effect("goes on from where a running campaign is, with what left today", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(40), sequence: SEQUENCES[1]! })
        yield* pass("1 second")
        const nowMillis = (yield* Clock.currentTimeMillis) + 1
        const foreseen = yield* forecastOf(client, campaign_id)
        yield* pass("10 seconds")
        yield* pass("4 days", "4 hours")
        assert.deepStrictEqual(countsIn(foreseen.days), (yield* sentOf(client, campaign_id, nowMillis)).counts)
      })
    )

    it.effect("of a launch is what it then does, also with people whom nobody has approved yet", () =>
      Effect.gen(function* () {
        const { ofLaunch } = yield* Forecasts
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(40), sequence: SEQUENCES[1]! })
        yield* pass("1 second")
        yield* alter(client, campaign_id, { state: "paused", pauseReason: "owner" })
        const campaigns = yield* CampaignStore
        const { atomically } = yield* UnitOfWork
        const campaign = Option.getOrThrow(yield* campaigns.get(client.workspaceId, campaign_id))
        const late = silent(20, "late").map(({ email }) => makeLead(client.workspaceId, email))
        yield* atomically(campaigns.addLeads(campaign, late))
        assert.deepStrictEqual((yield* forecastOf(client, campaign_id)).recipients_left_out, { not_approved: 20 })

        const { days, lastMessageAtMillis, leftOut } = Option.getOrThrow(
          yield* ofLaunch(client.workspaceId, campaign_id)
        )
        assert.deepStrictEqual(leftOut, {})
        const nowMillis = (yield* Clock.currentTimeMillis) + 1
        yield* launch(client, campaign_id)
        yield* pass("70 seconds")
        yield* pass("6 days", "4 hours")
        const happened = yield* sentOf(client, campaign_id, nowMillis)
        assert.deepStrictEqual(countsIn(days), happened.counts)
        assert.strictEqual(new Date(lastMessageAtMillis ?? 0).toISOString().slice(0, 10), happened.last?.slice(0, 10))
        const stranger = yield* sender()
        assert.isTrue(Option.isNone(yield* ofLaunch(stranger.workspaceId, campaign_id)))
      })
    )

    it.effect("counts what a campaign that runs takes of the same mailbox, as get_campaign and list_leads do", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        yield* launched(client, { recipients: silent(40, "before") })
        const { result } = yield* draft(client, { recipients: silent(5, "after"), sequence: SEQUENCES[1]! })
        const { campaign_id } = result
        const foreseen = yield* forecastOf(client, campaign_id)
        yield* launch(client, campaign_id)
        const now = yield* Clock.currentTimeMillis
        const shown = Effect.gen(function* () {
          const { next_due_at } = ok(yield* client.call("get_campaign", { campaign_id })).result
          const { leads } = ok(yield* client.call("list_leads", { campaign_id })).result
          const dues = leads.map((lead: { next_due_at: string | null }) => lead.next_due_at)
          return { next_due_at: Date.parse(next_due_at), dues }
        })
        // Forty are due before them, and the mailbox sends 25 a day.
        const tomorrow = Math.floor(now / DAY + 1) * DAY
        assert.strictEqual((yield* shown).next_due_at, tomorrow)
        yield* pass("70 seconds")
        const { dues, next_due_at } = yield* shown
        assert.strictEqual(next_due_at, tomorrow)
        assert.deepStrictEqual(dues, Array(5).fill(new Date(tomorrow).toISOString()))
        yield* TestClock.setTime(tomorrow - 1)
        yield* work
        assert.deepStrictEqual((yield* sentOf(client, campaign_id)).counts, {})
        yield* pass("70 seconds")
        assert.lengthOf(Object.keys((yield* sentOf(client, campaign_id)).counts), 1)
        yield* pass("6 days", "4 hours")
        assert.deepStrictEqual(countsIn(foreseen.days), (yield* sentOf(client, campaign_id)).counts)
        assert.deepStrictEqual((yield* shown).dues, Array(5).fill(null))
      })
    )

    it.effect("what a mailbox sent today counts for the workspace's cap, also if it was paused since", () =>
      Effect.gen(function* () {
        const client = yield* sender(50)
        const control = yield* Control
        const dailySends = 30
        yield* control.setCaps(yield* signIn(client.ownerEmail), { ...DEFAULT_CAPS, dailySends })
        const campaign_id = yield* launched(client, { recipients: silent(60), sequence: SEQUENCES[0]! })
        yield* pass("70 seconds")
        const sent = Object.values((yield* sentOf(client, campaign_id)).counts)
        assert.strictEqual(sent[0]! + sent[1]!, dailySends)
        assert.isBelow(Math.max(...sent), 25)
        const sendings = yield* SendingStore
        const { atomically } = yield* UnitOfWork
        const [one] = yield* sendings.activeMailboxes(client.workspaceId)
        yield* atomically(sendings.updateMailboxes([{ ...one!, state: "paused", pauseReason: "owner" }]))
        const [first] = (yield* forecastOf(client, campaign_id)).days
        const tomorrow = new Date((yield* Clock.currentTimeMillis) + DAY).toISOString().slice(0, 10)
        assert.strictEqual(first?.date, tomorrow)
        const { next_due_at } = ok(yield* client.call("get_campaign", { campaign_id })).result
        assert.strictEqual(next_due_at, `${tomorrow}T00:00:00.000Z`)
      }).pipe(Effect.orDie)
    )

    it.effect("of a campaign that was killed is empty, also if it was launched now; one that rests goes on", () =>
      Effect.gen(function* () {
        const { ofLaunch } = yield* Forecasts
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(3), sequence: SEQUENCES[2]! })
        yield* pass("1 second")
        yield* alter(client, campaign_id, { state: "paused", pauseReason: "owner" })
        assert.isNotEmpty((yield* forecastOf(client, campaign_id)).days)
        yield* alter(client, campaign_id, { state: "paused", pauseReason: "killed" })
        assert.deepStrictEqual(yield* forecastOf(client, campaign_id), {
          days: [],
          last_message_at: null,
          recipients_left_out: { campaign_over: 3 }
        })
        const { days, leftOut } = Option.getOrThrow(yield* ofLaunch(client.workspaceId, campaign_id))
        assert.deepStrictEqual([days, leftOut], [[], { campaign_over: 3 }])
      })
    )

    it.effect("says who is left out, and why", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { result } = yield* draft(client, { recipients: to("a@gone.test", "b@stays.test") })
        ok(yield* client.call("add_suppressions", { domains: ["gone.test"] }, { key: freshKey() }))
        const foreseen = yield* forecastOf(client, result.campaign_id)
        assert.deepStrictEqual(foreseen.recipients_left_out, { opted_out: 1 })
        assert.strictEqual(
          foreseen.days.reduce((sum: number, { messages }: Day) => sum + messages, 0),
          2
        )
        const stranger = yield* sender()
        for (const campaign_id of [result.campaign_id, ABSENT]) {
          refused(yield* stranger.call("forecast_campaign", { campaign_id }), 404, "not_found")
        }
      })
    )
  })
}
