import { assert, layer as describeLayer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { type Client, decide, withdraw } from "../../service/Client.js"
import { freshKey, grant, member, ok, PURCHASE, refused, type ServiceOnStores, SUITE, trailOf } from "./stories.js"

const confirm = (client: Client, confirmation_token: string) =>
  client.call("setup_sending", { ...PURCHASE, confirmation_token }, { key: freshKey() })

const idOf = (approvalUrl: string): string => approvalUrl.slice(approvalUrl.lastIndexOf("/") + 1)

const quoteOf = (client: Client) =>
  Effect.map(
    client.call("setup_sending", PURCHASE),
    (answer) => ok(answer).result as { confirmation_token: string; approval_url: string }
  )

const rich = Effect.tap(member(), (client) => grant(client, "100000"))

/** Declining with a reason, and changing one's mind (contract: approvals, who decides). */
export const decisionsContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`decisions (${name})`, (it) => {
    it.effect("who declines says why, to the call and in the trail", () =>
      Effect.gen(function* () {
        const client = yield* rich
        const first = yield* quoteOf(client)
        const reason = "Two mailboxes are enough."
        yield* decide(client, first.approval_url, "decline", { reason })
        // A second decline changes nothing, the reason neither.
        yield* decide(client, first.approval_url, "decline", { reason: "Something else." })
        const details = { approval_url: first.approval_url, reason }
        refused(yield* confirm(client, first.confirmation_token), 409, "approval_declined", details)
        const [declined, ...more] = yield* trailOf(client, { kind: "declined" })
        assert.isEmpty(more)
        assert.deepStrictEqual(declined?.detail, {
          verb: "setup_sending",
          approval_id: idOf(first.approval_url),
          by: client.ownerEmail,
          reason
        })
      })
    )

    it.effect("what was approved and not used is withdrawn, and nothing else is", () =>
      Effect.gen(function* () {
        const client = yield* rich
        const quote = yield* quoteOf(client)
        const outcome = Effect.map(withdraw(client, quote.approval_url), Option.getOrNull)
        assert.strictEqual(yield* outcome, "closed")
        yield* decide(client, quote.approval_url, "approve")
        const stranger = yield* rich
        assert.isNull(Option.getOrNull(yield* withdraw(stranger, quote.approval_url)))
        assert.strictEqual(yield* outcome, "withdrawn")
        assert.strictEqual(yield* outcome, "withdrawn")
        refused(yield* confirm(client, quote.confirmation_token), 409, "approval_cancelled", {
          approval_url: quote.approval_url
        })
        const [cancelled, ...more] = yield* trailOf(client, { kind: "approval_cancelled" })
        assert.isEmpty(more)
        const detail = { verb: "setup_sending", approval_id: idOf(quote.approval_url), by: client.ownerEmail }
        assert.deepInclude(cancelled, { source: "console", detail })

        const used = yield* quoteOf(client)
        yield* decide(client, used.approval_url, "approve")
        ok(yield* confirm(client, used.confirmation_token))
        assert.strictEqual(Option.getOrNull(yield* withdraw(client, used.approval_url)), "closed")

        const overdue = yield* quoteOf(client)
        yield* decide(client, overdue.approval_url, "approve")
        yield* TestClock.adjust("15 minutes")
        assert.strictEqual(Option.getOrNull(yield* withdraw(client, overdue.approval_url)), "closed")
      })
    )
  })
}
