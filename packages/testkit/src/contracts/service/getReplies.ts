import { assert, layer as describeLayer } from "@effect/vitest"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { Clock, Effect, type Layer } from "effect"
import {
  deliveries,
  kindsOf,
  launched,
  ok,
  pass,
  refused,
  sender,
  type ServiceOnStores,
  SUITE,
  to,
  trailOf,
  work
} from "./stories.js"

/** What is told of what came back. */
export const getRepliesContract = <E>(name: string, service: Layer.Layer<ServiceOnStores | Inbound, E>) => {
  describeLayer(service, SUITE)(`get_replies (${name})`, (it) => {
    it.effect("asking for what came since the last look misses no answer, however late its mailbox was read", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: to("silent@magic.test") })
        yield* work
        const [message] = yield* deliveries(campaign_id)
        const arrivedAtMillis = yield* Clock.currentTimeMillis
        yield* pass("1 hour", "1 hour")
        const since = new Date(yield* Clock.currentTimeMillis).toISOString()
        assert.isEmpty(ok(yield* client.call("get_replies", { since })).result.replies)
        yield* pass("1 second")
        const inbound = yield* Inbound
        yield* inbound.receive([
          {
            workspaceId: client.workspaceId,
            provider: "test",
            providerEventId: "late",
            kind: "reply",
            source: "provider_poll",
            inReplyTo: message?.messageId ?? "",
            messageId: null,
            fromEmail: "silent@magic.test",
            toEmail: null,
            subject: "Re: Hello",
            bodyText: "Call me.",
            bodyHtml: null,
            classification: null,
            bounce: null,
            receivedAtMillis: arrivedAtMillis
          }
        ])
        yield* work
        const { replies } = ok(yield* client.call("get_replies", { since })).result
        assert.deepStrictEqual(
          replies.map(({ received_at, snippet }: Record<string, string>) => [snippet, (received_at ?? "") >= since]),
          [["Call me.", true]]
        )
      }).pipe(Effect.orDie)
    )

    it.effect("whatever text an answer is made of, it is applied, and can be read", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: to("silent@magic.test") })
        yield* work
        const inbound = yield* Inbound
        const [message] = yield* deliveries(campaign_id)
        yield* inbound.receive([
          {
            workspaceId: client.workspaceId,
            provider: "test",
            providerEventId: "odd",
            kind: "reply",
            source: "provider_poll",
            inReplyTo: message?.messageId ?? "",
            messageId: null,
            fromEmail: "silent@magic.test",
            toEmail: null,
            subject: "Re: \u0000 \uD83D",
            bodyText: `No\u0000 \uDE00 ${"😀".repeat(110_000)}`,
            bodyHtml: "<p>\u0000</p>",
            classification: null,
            bounce: null,
            receivedAtMillis: yield* Clock.currentTimeMillis
          }
        ])
        yield* work
        const { replies } = ok(yield* client.call("get_replies", { campaign_id })).result
        assert.lengthOf(replies, 1)
        const { result } = ok(yield* client.call("get_reply", { reply_id: replies[0].reply_id }))
        assert.strictEqual(result.subject, "Re: \uFFFD \uFFFD")
        assert.match(result.body_text, /^No\uFFFD \uFFFD (😀)+$/u)
        assert.isTrue(result.body_truncated)
        assert.match(result.snippet, /^No\uFFFD \uFFFD (😀)+…$/u)
        assert.strictEqual(result.classification, null)
        assert.deepStrictEqual(kindsOf(yield* trailOf(client, { campaign_id })).slice(-4), [
          "reply",
          "suppressed",
          "stop",
          "completed"
        ])
      }).pipe(Effect.orDie)
    )

    it.effect("pages hold every reply once, newest first, and a cursor serves its own filters alone", () =>
      Effect.gen(function* () {
        const [client, stranger] = [yield* sender(), yield* sender()]
        const people = ["interested", "other", "not_interested", "unsubscribe"].flatMap((persona) =>
          to(`${persona}+1@magic.test`, `${persona}+2@magic.test`)
        )
        const campaign_id = yield* launched(client, { recipients: people })
        yield* pass("3 seconds")
        const all = ok(yield* client.call("get_replies", { limit: 200 })).result
        assert.deepStrictEqual([all.replies.length, all.next_cursor], [8, null])
        const times = all.replies.map((reply: { received_at: string }) => reply.received_at)
        assert.deepStrictEqual(times, [...times].sort().reverse())
        const paged: Array<unknown> = []
        let cursor: string | null = null
        do {
          const input: Record<string, string | number> = { limit: 3, ...(cursor === null ? {} : { cursor }) }
          const page = ok(yield* client.call("get_replies", input)).result
          assert.isAtMost(page.replies.length, 3)
          paged.push(...page.replies)
          cursor = page.next_cursor
        } while (cursor !== null)
        assert.deepStrictEqual(paged, all.replies)

        const first = ok(yield* client.call("get_replies", { limit: 3, campaign_id })).result.next_cursor as string
        const mismatch = { reason: "cursor_mismatch" }
        refused(yield* client.call("get_replies", { limit: 3, cursor: first }), 400, "invalid_request", mismatch)
        refused(yield* stranger.call("get_replies", { campaign_id, cursor: first }), 400, "invalid_request", mismatch)
        refused(yield* client.call("get_replies", { cursor: "x" }), 400, "invalid_request", mismatch)
        ok(yield* client.call("get_replies", { limit: 5, campaign_id, cursor: first }))

        const only = ok(yield* client.call("get_replies", { classification: "other" })).result.replies
        assert.lengthOf(only, 2)
        const since = times[3] as string
        const recent = ok(yield* client.call("get_replies", { since })).result.replies
        assert.deepStrictEqual(recent, all.replies.slice(0, recent.length))
        assert.isTrue(recent.every((reply: { received_at: string }) => reply.received_at >= since))
        const unknown = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"
        assert.isEmpty(ok(yield* client.call("get_replies", { campaign_id: unknown })).result.replies)
        assert.isEmpty(ok(yield* stranger.call("get_replies", { campaign_id })).result.replies)
        for (const wrong of [
          { limit: 0 },
          { limit: 201 },
          { since: "yesterday" },
          { since: "2026-02-30T00:00:00Z" },
          { campaign_id: "x" },
          { classification: "x" }
        ]) {
          refused(yield* client.call("get_replies", wrong), 400, "invalid_request")
        }
      })
    )
  })
}
