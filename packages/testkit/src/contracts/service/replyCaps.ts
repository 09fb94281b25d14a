import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { assert, layer as describeLayer } from "@effect/vitest"
import { Clock, Effect, type Layer } from "effect"
import { answer, answeredBy, answerer, approved, sentAnswers } from "./replyStories.js"
import { freshKey, ok, pass, refused, type ServiceOnStores, SUITE } from "./stories.js"

/** Many who answer at once: one answer to each message, and no more of a day than its caps let through. */
export const replyCapsContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`many answers at once (${name})`, (it) => {
    it.effect("twenty confirmed calls at once send one answer, and those under its key are told of it", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const [one, two] = yield* answeredBy(client, "interested+1@magic.test", "interested+2@magic.test")
        const apart = yield* approved(client, one?.reply_id ?? "")
        const codes = (yield* Effect.replicateEffect(
          Effect.suspend(() => apart.send()),
          20,
          {
            concurrency: "unbounded"
          }
        )).map((given) => given.error?.code ?? given.result.status)
        assert.deepStrictEqual(codes.sort(), [...Array.from({ length: 19 }, () => "approval_superseded"), "sent"])
        const together = yield* approved(client, two?.reply_id ?? "")
        const key = freshKey()
        const same = yield* Effect.replicateEffect(together.send(key), 20, { concurrency: "unbounded" })
        assert.lengthOf(new Set(same.map((given) => ok(given).result.sent_reply_id)), 1)
        assert.lengthOf(yield* sentAnswers(client), 2)
      })
    )

    it.effect(
      "a mailbox's cap lets twenty of a day through, however many come at once, and the rest the next day",
      () =>
        Effect.gen(function* () {
          const client = yield* answerer()
          const people = Array.from({ length: 23 }, (_, index) => `interested+c${index}@magic.test`)
          const replies = yield* answeredBy(client, ...people)
          assert.lengthOf(replies, 23)
          const confirmed = yield* Effect.forEach(replies, ({ reply_id }) => approved(client, reply_id))
          const keys = confirmed.map(() => freshKey())
          const answers = yield* Effect.forEach(confirmed, ({ send }, index) => send(keys[index]), {
            concurrency: "unbounded"
          })
          const capped = answers.flatMap((given, index) => (given.status === 200 ? [] : [index]))
          assert.lengthOf(capped, 3)
          const nowMillis = yield* Clock.currentTimeMillis
          const leftSeconds = Math.ceil((DAY_MILLIS - (nowMillis % DAY_MILLIS)) / 1000)
          for (const index of capped) {
            refused(answers[index] ?? assert.fail(), 429, "rate_limited", {
              limit: "mailbox_daily_replies",
              retry_after_seconds: leftSeconds
            })
          }
          const dry = ok(yield* answer(client, replies[capped[0] ?? 0]?.reply_id ?? "", { dry_run: true })).result.plan
          assert.deepStrictEqual(dry.would_exceed, ["rate_limited"])
          assert.strictEqual(ok(yield* client.call("get_me")).result.replies.workspace_sent_today, 20)
          // Not those of the moment count, but those of the day.
          yield* pass("1 minute")
          const [first = 0] = capped
          refused(yield* confirmed[first]?.send(keys[first]) ?? assert.fail(), 429, "rate_limited", {
            limit: "mailbox_daily_replies",
            retry_after_seconds: leftSeconds - 60
          })
          yield* pass(`${leftSeconds - 60} seconds`, `${leftSeconds - 60} seconds`)
          assert.strictEqual(ok(yield* client.call("get_me")).result.replies.workspace_sent_today, 0)
          for (const index of capped) ok(yield* confirmed[index]?.send(keys[index]) ?? assert.fail())
          assert.lengthOf(yield* sentAnswers(client), 23)
        })
    )
  })
}
