import { assert, layer as describeLayer } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Clock, Effect, type Layer } from "effect"
import { launched, member, ok, pass, refused, sender, type ServiceOnStores, SUITE, to } from "./stories.js"

interface Line {
  readonly kind: string
  readonly paused_because: string | null
  readonly cap_today: number
  readonly resting_until: string | null
  readonly mailbox: string
  readonly state: string
  readonly sent_today: number
  readonly sent_last_30_days: number
  readonly bounced_last_30_days: number
}

const sum = (lines: ReadonlyArray<Line>, of: (line: Line) => number) =>
  lines.reduce((total, line) => total + of(line), 0)

/** What a workspace sends from (contract: campaigns, reading). */
export const listMailboxesContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`list_mailboxes (${name})`, (it) => {
    it.effect("its sums are the campaign's, page by page and by state, and nobody else's", () =>
      Effect.gen(function* () {
        const client = yield* sender(75)
        const recipients = to("bounce@magic.test", ...[1, 2, 3, 4, 5].map((n) => `silent+${n}@magic.test`))
        const campaign_id = yield* launched(client, { recipients })
        yield* pass("20 seconds")
        const all = ok(yield* client.call("list_mailboxes")).result
        const campaign = ok(yield* client.call("get_campaign", { campaign_id })).result
        const lines = all.mailboxes as ReadonlyArray<Line>
        assert.lengthOf(lines, 3)
        assert.isNull(all.next_cursor)
        for (const of of [(line: Line) => line.sent_today, (line: Line) => line.sent_last_30_days]) {
          assert.strictEqual(sum(lines, of), campaign.sent)
        }
        assert.strictEqual(
          sum(lines, (line) => line.bounced_last_30_days),
          1
        )
        assert.deepInclude(lines[0], {
          kind: "purchased",
          state: "active",
          paused_because: null,
          cap_today: 25,
          resting_until: null
        })
        const first = ok(yield* client.call("list_mailboxes", { limit: 2 })).result
        const rest = ok(yield* client.call("list_mailboxes", { limit: 2, cursor: first.next_cursor })).result
        assert.deepStrictEqual([...first.mailboxes, ...rest.mailboxes], lines)
        assert.isNull(rest.next_cursor)
        const other = yield* client.call("list_mailboxes", { state: "active", cursor: first.next_cursor })
        refused(other, 400, "invalid_request", { reason: "cursor_mismatch" })
        refused(yield* client.call("list_mailboxes", { state: "asleep" }), 400, "invalid_request")

        // One is paused, another rests.
        const sendings = yield* SendingStore
        const { atomically } = yield* UnitOfWork
        const { workspaceId } = client
        const [one, two] = yield* sendings.activeMailboxes(workspaceId)
        const untilMillis = (yield* Clock.currentTimeMillis) + 60_000
        yield* atomically(
          Effect.andThen(
            sendings.updateMailboxes([{ ...one!, state: "paused", pauseReason: "owner" }]),
            sendings.restMailbox(workspaceId, two!.mailboxId, untilMillis)
          )
        ).pipe(Effect.orDie)
        const of = (state: string) =>
          Effect.map(client.call("list_mailboxes", { state }), (answer) => ok(answer).result.mailboxes)
        const paused = yield* of("paused")
        assert.deepStrictEqual(
          paused.map((line: Line) => [line.mailbox, line.paused_because]),
          [[one!.address, "owner"]]
        )
        const active = yield* of("active")
        assert.lengthOf(active, 2)
        const resting = active.find((line: Line) => line.mailbox === two!.address)
        assert.strictEqual(resting.resting_until, new Date(untilMillis).toISOString())
        assert.deepStrictEqual(yield* of("failed"), [])

        // One that was never delivered, or was given back, sends nothing, today or later; and nothing is said to hold it back.
        yield* atomically(sendings.updateMailboxes([{ ...one!, state: "failed", pauseReason: null }])).pipe(
          Effect.orDie
        )
        const gone = { mailbox: one!.address, state: "failed", cap_today: 0 }
        const [failed, ...none] = yield* of("failed")
        assert.deepInclude(failed, gone)
        assert.lengthOf(none, 0)
        const health = ok(yield* client.call("get_sending_health")).result
        const there = health.mailboxes.find((line: Line) => line.mailbox === one!.address)
        assert.deepInclude(there, { ...gone, state_reasons: [] })
        assert.deepStrictEqual(ok(yield* (yield* member()).call("list_mailboxes")).result.mailboxes, [])
      })
    )
  })
}
