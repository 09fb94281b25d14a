import { DAY_MILLIS as DAY } from "@outbound/domain/kernel/durations.js"
import { assert, layer as describeLayer } from "@effect/vitest"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import {
  deliveries,
  draft,
  freshKey,
  kindsOf,
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

/** What leaves, when, from where and how it is written. */
export const sequenceContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`sequences (${name})`, (it) => {
    it.effect(
      "the first step leaves at once, the next ones a second apart for each day, whatever the windows say",
      () =>
        Effect.gen(function* () {
          const client = yield* sender()
          const campaign = yield* launched(client, {
            recipients: silent(1),
            sequence: [
              { subject: "One", body: "1" },
              { body: "2", wait_days: 2 },
              { subject: "Three", body: "3", wait_days: 5 },
              { body: "4" }
            ],
            schedule: { timezone: "Pacific/Auckland", days: ["sun"], start_hour: 3, end_hour: 4 }
          })
          const start = yield* Clock.currentTimeMillis
          yield* pass("20 seconds", "500 millis")
          const events = yield* trailOf(client, { campaign_id: campaign, kind: "sent" })
          assert.deepStrictEqual(
            events.map(({ detail, observed_at, source }) => [Date.parse(observed_at) - start, detail.step, source]),
            [
              [0, 1, "system"],
              [2_000, 2, "system"],
              [7_000, 3, "system"],
              [7_000, 4, "system"]
            ]
          )
          const sent = yield* deliveries(campaign)
          assert.deepStrictEqual(
            sent.map(({ stepIndex, subject }) => [stepIndex, subject]),
            [
              [0, "One"],
              [1, "Re: One"],
              [2, "Three"],
              [3, "Re: Three"]
            ]
          )
          const ids = sent.map(({ messageId }) => messageId)
          assert.deepStrictEqual(
            sent.map(({ references }) => references),
            [[], ids.slice(0, 1), [], ids.slice(2, 3)]
          )
          assert.lengthOf(new Set(ids), 4)
          assert.lengthOf(new Set(sent.map(({ from }) => from.address)), 1)
          assert.strictEqual(events[0]?.detail.mailbox, sent[0]?.from.address)
        })
    )

    it.effect("every message says who sends it and shows the way out", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign = yield* launched(client, { recipients: silent(2) })
        yield* pass("3 seconds")
        const sent = yield* deliveries(campaign)
        assert.lengthOf(sent, 4)
        for (const message of sent) {
          assert.include(message.text, "Sandbox Ltd, 1 Example Street, Sampletown")
          assert.include(message.text, message.unsubscribeUrl)
          assert.include(message.unsubscribeUrl, `/u/${client.workspaceId}/`)
          assert.strictEqual(message.from.name, "Ada Lovelace")
        }
        assert.lengthOf(new Set(sent.map(({ unsubscribeUrl }) => unsubscribeUrl)), 2, "one for each person")
      })
    )

    it.effect("people are spread over the mailboxes, and each hears from one of them only", () =>
      Effect.gen(function* () {
        const client = yield* sender(75)
        const campaign = yield* launched(client, { recipients: silent(9) })
        yield* pass("4 seconds")
        const sent = yield* deliveries(campaign)
        assert.lengthOf(sent, 18)
        const mailboxesOf = new Map<string, Set<string>>()
        for (const { from, to: recipient } of sent) {
          mailboxesOf.set(recipient.address, (mailboxesOf.get(recipient.address) ?? new Set()).add(from.address))
        }
        for (const mailboxes of mailboxesOf.values()) assert.strictEqual(mailboxes.size, 1)
        assert.lengthOf(new Set(sent.map(({ from }) => from.address)), 3)
      })
    )

    it.effect("a mailbox sends no more than its day's share; the rest goes on the next day", () =>
      Effect.gen(function* () {
        const client = yield* sender(25)
        yield* TestClock.setTime((Math.floor((yield* Clock.currentTimeMillis) / DAY) + 1) * DAY + 1_000)
        const campaign = yield* launched(client, { recipients: silent(30), sequence: [{ subject: "a", body: "b" }] })
        yield* pass("5 seconds")
        assert.lengthOf(yield* deliveries(campaign), 25)
        const me = ok(yield* client.call("get_me"))
        assert.deepStrictEqual([me.result.sends_today, me.result.daily_send_cap], [25, 500])
        yield* TestClock.setTime((Math.floor((yield* Clock.currentTimeMillis) / DAY) + 1) * DAY - 1)
        yield* work
        assert.lengthOf(yield* deliveries(campaign), 25)
        yield* TestClock.adjust("1 millis")
        yield* work
        const sent = yield* deliveries(campaign)
        assert.lengthOf(sent, 30)
        assert.lengthOf(new Set(sent.map((message) => message.to.address)), 30)
        assert.strictEqual(ok(yield* client.call("get_me")).result.sends_today, 5)
      })
    )

    it.effect("a workspace sends no more than its day's share, however many mailboxes it has", () =>
      Effect.gen(function* () {
        const client = yield* sender(550)
        yield* TestClock.setTime((Math.floor((yield* Clock.currentTimeMillis) / DAY) + 1) * DAY + 1_000)
        const { result } = yield* draft(client, { recipients: silent(520), sequence: [{ subject: "a", body: "b" }] })
        const dry = ok(yield* client.call("launch_campaign", { campaign_id: result.campaign_id, dry_run: true }))
        assert.strictEqual(dry.result.plan.would.daily_send_limit, 500)
        yield* launch(client, result.campaign_id)
        yield* pass("2 seconds")
        assert.lengthOf(yield* deliveries(result.campaign_id), 500)
        yield* TestClock.adjust("1 day")
        yield* work
        assert.lengthOf(yield* deliveries(result.campaign_id), 520)
      })
    )

    it.effect("a campaign ends when everybody's sequence has, and nothing wakes it again", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, {
          recipients: to("silent@magic.test", "interested@magic.test", "bounce@magic.test", "out_of_office@magic.test")
        })
        yield* pass("11 seconds")
        assert.notInclude(kindsOf(yield* trailOf(client, { campaign_id })), "completed")
        yield* pass("3 seconds")
        const [completed, ...more] = yield* trailOf(client, { campaign_id, kind: "completed" })
        assert.deepStrictEqual([completed?.source, more.length], ["system", 0])
        const before = yield* deliveries(campaign_id)
        assert.lengthOf(before, 6)
        yield* pass("1 minute", "20 seconds")
        assert.lengthOf(yield* deliveries(campaign_id), 6)
        refused(yield* client.call("launch_campaign", { campaign_id }, { key: freshKey() }), 400, "invalid_request", {
          reason: "campaign_state",
          state: "completed"
        })
      })
    )

    it.effect("a campaign whose every recipient is taken out at its launch ends at once", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { result } = yield* draft(client, { recipients: to("unsubscribe@magic.test") })
        yield* launched(client, { recipients: to("unsubscribe@magic.test") })
        yield* pass("3 seconds")
        const done = yield* launch(client, result.campaign_id)
        assert.deepStrictEqual([done.result.leads_active, done.result.leads_suppressed_at_launch], [0, 1])
        yield* work
        assert.deepStrictEqual(kindsOf(yield* trailOf(client, { campaign_id: result.campaign_id })).slice(-3), [
          "removed",
          "launched",
          "completed"
        ])
      })
    )
  })
}
