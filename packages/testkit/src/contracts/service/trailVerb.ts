import { DAY_MILLIS as DAY } from "@outbound/domain/kernel/durations.js"
import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { makeKey } from "../../service/Client.js"
import {
  draft,
  type Event,
  freshKey,
  launched,
  leadOf,
  member,
  ok,
  pass,
  refused,
  sender,
  type ServiceOnStores,
  silent,
  SUITE,
  to,
  trailOf
} from "./stories.js"

/** The audit trail, as its readers see it. */
export const trailVerbContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`get_trail (${name})`, (it) => {
    it.effect("filters by campaign, person, kinds and time, and what nobody knows matches nothing", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const one = yield* launched(client, { recipients: to("interested@magic.test", "silent+1@magic.test") })
        yield* pass("3 seconds")
        yield* draft(client, { recipients: to("silent+2@magic.test", "nonsense") })
        const all = yield* trailOf(client)
        const matching = (keep: (event: Event) => boolean) => all.filter(keep)
        const filters: ReadonlyArray<readonly [JsonObject, (event: Event) => boolean]> = [
          [{ campaign_id: one }, (event) => event.campaign_id === one],
          [{ email: "Interested@MAGIC.test " }, (event) => event.email === "interested@magic.test"],
          [{ kind: "sent" }, (event) => event.kind === "sent"],
          [{ kind: "sent,reply" }, (event) => ["sent", "reply"].includes(event.kind)],
          [{ kind: ["sent", "reply,stop"] }, (event) => ["sent", "reply", "stop"].includes(event.kind)],
          [
            { kind: "sent", campaign_id: one, email: "silent+1@magic.test" },
            (event) => event.kind === "sent" && event.email === "silent+1@magic.test"
          ],
          [{ email: "nobody@magic.test" }, () => false],
          [{ email: "not an address" }, () => false],
          [{ campaign_id: "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70" }, () => false]
        ]
        for (const [filter, keep] of filters) {
          const label = JSON.stringify(filter)
          assert.deepStrictEqual(yield* trailOf(client, filter), matching(keep), label)
          if (!label.includes("nobody") && !label.includes("not an") && !label.includes("018f3a5e")) {
            assert.isNotEmpty(matching(keep), label)
          }
        }
        const middle = all[Math.floor(all.length / 2)]?.observed_at ?? ""
        const [since, until] = [yield* trailOf(client, { since: middle }), yield* trailOf(client, { until: middle })]
        assert.deepStrictEqual([...until, ...since], all, "since takes the moment in, until leaves it out")
        const times = all.map((event) => event.observed_at)
        assert.deepStrictEqual(times, [...times].sort())
      })
    )

    it.effect("pages hold every event once, newest first, while new ones come in", () =>
      Effect.gen(function* () {
        const client = yield* member()
        yield* draft(client, { recipients: silent(23) })
        const all = yield* trailOf(client)
        const seen: Array<Event> = []
        let cursor: string | null = null
        do {
          const input: JsonObject = { limit: 7, ...(cursor === null ? {} : { cursor }) }
          const { result } = ok(yield* client.call("get_trail", input))
          assert.isAtMost(result.events.length, 7)
          assert.isString(result.evaluated_at)
          seen.push(...result.events)
          cursor = result.next_cursor
          yield* TestClock.adjust("1 second")
          yield* draft(client, { recipients: silent(1) })
        } while (cursor !== null)
        assert.deepStrictEqual(seen.reverse(), all)
      })
    )

    it.effect("a cursor serves the workspace and the filters that it was made for", () =>
      Effect.gen(function* () {
        const [client, stranger] = [yield* member(), yield* member()]
        const { result } = yield* draft(client, { recipients: silent(5) })
        const filter: JsonObject = { kind: "admitted,removed", campaign_id: result.campaign_id }
        const cursor = ok(yield* client.call("get_trail", { ...filter, limit: 2 })).result.next_cursor as string
        ok(yield* client.call("get_trail", { ...filter, limit: 3, cursor }))
        ok(yield* client.call("get_trail", { ...filter, kind: "removed,admitted", cursor }))
        const mismatch = { reason: "cursor_mismatch" }
        for (const other of [
          { cursor },
          { ...filter, kind: "admitted", cursor },
          { ...filter, email: "silent+s1@magic.test", cursor },
          { ...filter, until: "2100-01-01T00:00:00Z", cursor },
          { ...filter, cursor: `${cursor}x` }
        ]) {
          refused(yield* client.call("get_trail", other), 400, "invalid_request", mismatch)
        }
        refused(yield* stranger.call("get_trail", { ...filter, cursor }), 400, "invalid_request", mismatch)
      })
    )

    it.effect("limits, kinds and times have bounds, and the scope is an owner's to give", () =>
      Effect.gen(function* () {
        const client = yield* member()
        for (const wrong of [
          { limit: 0 },
          { limit: 201 },
          { limit: "ten" },
          { kind: "opened" },
          { kind: "sent,opened" },
          { kind: "" },
          { since: "2026-01-01" },
          { until: "soon" },
          { campaign_id: "x" },
          { order: "asc" }
        ]) {
          refused(yield* client.call("get_trail", wrong), 400, "invalid_request")
        }
        ok(yield* client.call("get_trail", { limit: "200" }))
        const poor = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: ["data:read", "campaign:write"] })
        refused(yield* poor.call("get_trail"), 403, "forbidden", { required_scope: "trail:read" })
        const read = ok(yield* client.call("get_trail"))
        const record = ok(yield* client.call("get_request", { request_id: read.requestId }))
        assert.deepInclude(record.result, { verb: "get_trail", mode: "read", credits_charged: "0" })
      })
    )

    it.effect("an address is shown for two years after the person was last seen, the event for good", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const { result } = yield* draft(client, { recipients: to("silent@magic.test", "silent+b@magic.test") })
        const campaign_id = result.campaign_id as string
        yield* TestClock.adjust(400 * DAY)
        const lead = yield* leadOf(client, campaign_id, "silent@magic.test")
        const seen = yield* client.call(
          "set_lead_status",
          { campaign_lead_id: lead, status: "won" },
          { key: freshKey() }
        )
        ok(seen)
        yield* TestClock.adjust(400 * DAY)
        const events = yield* trailOf(client, { campaign_id })
        assert.deepStrictEqual(
          events.map(({ email, kind }) => [kind, email]).sort(),
          [
            ["admitted", "silent@magic.test"],
            ["admitted", undefined],
            ["status_set", "silent@magic.test"]
          ].sort()
        )
        assert.isTrue(events.every((event) => event.email !== undefined || !("email" in event)))
        assert.isEmpty(yield* trailOf(client, { email: "silent+b@magic.test" }))
        yield* TestClock.adjust(400 * DAY)
        assert.lengthOf(yield* trailOf(client, { campaign_id }), 3)
        assert.isEmpty(yield* trailOf(client, { email: "silent@magic.test" }))
        assert.isAbove(yield* Clock.currentTimeMillis, 1_200 * DAY - 1)
      })
    )
  })
}
