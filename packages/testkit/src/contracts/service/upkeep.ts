import { DAY_MILLIS as DAY } from "@outbound/domain/kernel/durations.js"
import { assert, layer as describeLayer } from "@effect/vitest"
import { CampaignMailboxes } from "@outbound/domain/outreach/launching/CampaignMailboxes.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Upkeep } from "@outbound/domain/outreach/sending/Upkeep.js"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import type { Client } from "../../service/Client.js"
import {
  buy,
  deliveries,
  draft,
  ended,
  freshKey,
  grant,
  kindsOf,
  launch,
  launched,
  member,
  ok,
  PURCHASE,
  refused,
  type ServiceOnStores,
  silent,
  SUITE,
  trailOf,
  work
} from "./stories.js"

/** A workspace without a credit, but for those granted, that bought so many mailboxes. */
const owner = (credits: number, mailboxes: number) =>
  Effect.gen(function* () {
    const client = yield* member({ credits: "0" })
    yield* grant(client, String(credits))
    const bought = yield* buy(client, { ...PURCHASE, daily_sends: 25 * mailboxes })
    yield* ended(client, bought.result.operation_id)
    return client
  })

const balance = (client: Client) =>
  Effect.map(client.call("get_usage"), (answer) => Number(ok(answer).result.credits_available))

const sweep = Effect.flatMap(Upkeep, (upkeep) => upkeep.sweep)

const at = (year: number, month: number, day: number, hour = 12) => Date.UTC(year, month - 1, day, hour)

/** What keeping mailboxes alive costs, and what becomes of those that nobody pays for. */
export const upkeepContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`upkeep (${name})`, (it) => {
    it.effect("it is charged when a mailbox comes alive and on that day of every month, however short", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(at(2030, 1, 31))
        const client = yield* owner(100_000, 2)
        let left = 100_000 - 1500 - 2 * 750
        assert.strictEqual(yield* balance(client), left)
        const due = [at(2030, 2, 28), at(2030, 3, 31), at(2030, 4, 30), at(2030, 5, 31)]
        for (const day of due) {
          yield* TestClock.setTime(day - 3_600_000)
          yield* sweep
          assert.strictEqual(yield* balance(client), left)
          yield* TestClock.setTime(day + 3_600_000)
          yield* sweep
          yield* sweep
          left -= 2 * 750
          assert.strictEqual(yield* balance(client), left)
        }
        const usage = ok(yield* client.call("get_usage")).result.last_30_days
        assert.deepInclude(usage, { verb: "upkeep", calls: 2, credits_charged: "1500" })
        assert.strictEqual(ok(yield* client.call("get_me")).result.spent_this_month, "0")
        assert.isEmpty(yield* trailOf(client, { kind: "mailbox_paused" }))
        // A host that was away for months charges each of them.
        yield* TestClock.setTime(at(2030, 8, 31, 14))
        yield* sweep
        yield* sweep
        yield* sweep
        yield* sweep
        assert.strictEqual(yield* balance(client), left - 3 * 2 * 750)
      }).pipe(Effect.orDie)
    )

    it.effect("unpaid it goes on for three days, then mailbox and campaign are paused, and the trail says so", () =>
      Effect.gen(function* () {
        const client = yield* owner(1500, 1)
        assert.strictEqual(yield* balance(client), 0)
        const unpaidSince = yield* Clock.currentTimeMillis
        const campaign_id = yield* launched(client, {
          recipients: silent(1),
          sequence: [
            { subject: "a", body: "b" },
            { body: "c", wait_days: 90 }
          ]
        })
        yield* work
        const { result } = yield* draft(client, { recipients: silent(1, "later") })
        yield* TestClock.setTime(unpaidSince + 3 * DAY - 60_000)
        yield* sweep
        assert.isEmpty(yield* trailOf(client, { kind: "mailbox_paused,paused" }))
        yield* TestClock.setTime(unpaidSince + 3 * DAY + 60_000)
        yield* sweep
        yield* sweep
        const events = yield* trailOf(client, { kind: "mailbox_paused,paused" })
        assert.deepStrictEqual(
          events.map(({ campaign_id: campaign, detail, kind, source }) => [kind, campaign, detail.reason, source]),
          [
            ["mailbox_paused", null, "upkeep_unpaid", "system"],
            ["paused", campaign_id, "capacity", "system"]
          ]
        )
        assert.strictEqual(events[1]?.detail.provider_verified, true)
        const before = yield* deliveries(campaign_id)
        yield* TestClock.adjust(100 * DAY)
        yield* work
        assert.lengthOf(yield* deliveries(campaign_id), before.length)
        const again = yield* client.call("launch_campaign", { campaign_id: result.campaign_id }, { key: freshKey() })
        refused(again, 409, "mailbox_unavailable")
        // With capacity again it goes on, once an owner has let it use that and a human has approved.
        yield* grant(client, "10000")
        const bought = yield* buy(client)
        yield* ended(client, bought.result.operation_id)
        const alone = yield* client.call("launch_campaign", { campaign_id }, { key: freshKey() })
        refused(alone, 409, "mailbox_unavailable")
        const [mailbox] = yield* Effect.flatMap(SendingStore, (store) => store.activeMailboxes(client.workspaceId))
        const { add } = yield* CampaignMailboxes
        yield* add(client.workspaceId, campaign_id, mailbox?.mailboxId ?? "", "owner@example.com")
        const resumed = yield* launch(client, campaign_id)
        assert.strictEqual(resumed.result.status, "launched")
      }).pipe(Effect.orDie)
    )

    it.effect("a top-up brings an unpaid mailbox back, for a month from then; its campaigns wait for a human", () =>
      Effect.gen(function* () {
        const client = yield* owner(1500, 1)
        const campaign_id = yield* launched(client, {
          recipients: silent(1),
          sequence: [
            { subject: "a", body: "b" },
            { body: "c", wait_days: 90 }
          ]
        })
        yield* work
        yield* TestClock.adjust(3 * DAY + 1)
        yield* sweep
        assert.lengthOf(yield* trailOf(client, { kind: "mailbox_paused" }), 1)
        yield* TestClock.adjust(40 * DAY)
        yield* sweep
        yield* grant(client, "749")
        yield* sweep
        assert.lengthOf(yield* trailOf(client, { kind: "mailbox_active" }), 1)
        yield* grant(client, "1")
        yield* sweep
        yield* sweep
        assert.strictEqual(yield* balance(client), 0)
        const alive = yield* trailOf(client, { kind: "mailbox_active" })
        assert.lengthOf(alive, 2)
        assert.strictEqual(alive[1]?.detail.mailbox, alive[0]?.detail.mailbox)
        yield* TestClock.adjust(27 * DAY)
        yield* sweep
        assert.lengthOf(yield* trailOf(client, { kind: "mailbox_paused" }), 1)
        assert.isEmpty(yield* trailOf(client, { campaign_id, kind: "resumed" }))
        const resumed = yield* launch(client, campaign_id)
        assert.strictEqual(resumed.result.status, "launched")
        yield* TestClock.adjust(100 * DAY)
        yield* work
        assert.lengthOf(yield* deliveries(campaign_id), 2)
      }).pipe(Effect.orDie)
    )

    it.effect("a top-up within the grace pays, and nothing was paused", () =>
      Effect.gen(function* () {
        const client = yield* owner(1500, 1)
        yield* TestClock.adjust(2 * DAY)
        yield* sweep
        yield* grant(client, "750")
        yield* sweep
        assert.strictEqual(yield* balance(client), 0)
        yield* TestClock.adjust(10 * DAY)
        yield* sweep
        assert.isEmpty(yield* trailOf(client, { kind: "mailbox_paused" }))
      }).pipe(Effect.orDie)
    )

    it.effect("of several mailboxes the unpaid one is paused, with the campaigns that it writes for", () =>
      Effect.gen(function* () {
        const client = yield* owner(1500 + 750, 2)
        assert.strictEqual(yield* balance(client), 0)
        const slow = [
          { subject: "a", body: "b" },
          { body: "c", wait_days: 90 }
        ]
        const both = yield* launched(client, { recipients: silent(2), sequence: slow })
        const [first] = yield* trailOf(client, { kind: "mailbox_active" })
        yield* work
        yield* TestClock.adjust(3 * DAY + 1)
        yield* sweep
        assert.deepStrictEqual(kindsOf(yield* trailOf(client, { kind: "mailbox_paused,paused" })), [
          "mailbox_paused",
          "paused"
        ])
        const [paused] = yield* trailOf(client, { kind: "paused" })
        assert.strictEqual(paused?.campaign_id, both)
        assert.isString(first?.detail.mailbox)
        const next = yield* draft(client, { recipients: silent(2, "n") })
        const dry = ok(yield* client.call("launch_campaign", { campaign_id: next.result.campaign_id, dry_run: true }))
        assert.deepStrictEqual([dry.result.plan.would.mailboxes_attached, dry.result.plan.would_exceed], [1, []])
      }).pipe(Effect.orDie)
    )
  })
}
