import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { type Client, decide, makeClient, turn } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import { ended } from "./stories.js"

const purchase = { daily_sends: 50, brand: "acme", identity: { first_name: "Ada", last_name: "Lovelace" } }

/** Buys capacity and waits until it is there. */
export const withMailboxes = (client: Client) =>
  Effect.gen(function* () {
    const admin = yield* Admin
    yield* admin.grantCredits(client.workspaceId, credits("10000"))
    const quote = yield* client.call("setup_sending", purchase)
    assert.strictEqual(quote.status, 200, quote.text)
    yield* decide(client, quote.result.approval_url, "approve")
    const token = quote.result.confirmation_token as string
    const bought = yield* client.call("setup_sending", { ...purchase, confirmation_token: token }, { key: "buy" })
    assert.strictEqual(bought.status, 200, bought.text)
    yield* ended(client, bought.result.operation_id)
    return bought
  }).pipe(Effect.orDie)

export const loopContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, { timeout: "180 seconds" })(`the loop (${name})`, (it) => {
    it.effect("goes from nothing to an answer, and never writes to who said no again", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({
          scopes: ["data:read", "campaign:write", "campaign:launch", "assets:purchase", "trail:read"]
        })
        const bought = yield* withMailboxes(client)
        const operation = yield* client.call("get_operation", { operation_id: bought.result.operation_id })
        assert.strictEqual(operation.result.status, "succeeded", operation.text)

        const draft = {
          name: "First",
          recipients: [
            { email: "interested@magic.test", first_name: "Ines" },
            { email: "silent@magic.test", first_name: "Sil" }
          ],
          sequence: [
            { subject: "Hello {{first_name}}", body: "Hi {{first_name}}" },
            { body: "Again", wait_days: 2 }
          ]
        }
        const created = yield* client.call("create_campaign", draft, { key: "draft" })
        assert.strictEqual(created.status, 200, created.text)
        assert.strictEqual(created.result.leads_accepted, 2)
        const campaign_id = created.result.campaign_id as string

        const asked = yield* client.call("launch_campaign", { campaign_id }, { key: "launch" })
        assert.strictEqual(asked.status, 200, asked.text)
        const confirmation_token = asked.result.confirmation_token as string
        const early = yield* client.call("launch_campaign", { campaign_id, confirmation_token }, { key: "launch" })
        assert.strictEqual(early.status, 428, early.text)
        yield* decide(client, asked.result.approval_url, "approve")
        const launched = yield* client.call("launch_campaign", { campaign_id, confirmation_token }, { key: "launch" })
        assert.strictEqual(launched.status, 200, launched.text)
        assert.strictEqual(launched.result.leads_active, 2)

        yield* turn
        yield* TestClock.adjust("5 seconds")
        yield* turn
        const replies = yield* client.call("get_replies", { campaign_id })
        assert.strictEqual(replies.result.replies.length, 1, replies.text)
        assert.strictEqual(replies.result.replies[0].classification, "interested")
        const reply = yield* client.call("get_reply", { reply_id: replies.result.replies[0].reply_id })
        assert.strictEqual(reply.result.lead.state, "replied", reply.text)

        const status = { campaign_lead_id: reply.result.lead.campaign_lead_id, status: "meeting_booked" }
        const marked = yield* client.call("set_lead_status", status, { key: "mark" })
        assert.strictEqual(marked.result.suppression_applied, false, marked.text)

        const again = yield* client.call("create_campaign", { ...draft, name: "Second" }, { key: "draft-2" })
        assert.deepStrictEqual(again.result.suppressed_reasons, { opted_out: 1, capped: 1 }, again.text)

        const trail = yield* client.call("get_trail", { kind: "sent,reply,stop,suppressed" })
        const kinds = trail.result.events.map((event: { kind: string }) => event.kind).sort()
        assert.deepStrictEqual(kinds, ["reply", "sent", "sent", "sent", "stop", "suppressed"], trail.text)
        const usage = yield* client.call("get_usage")
        assert.strictEqual(usage.result.credits_available, String(300 + 10000 - 1500 - 2 * 750), usage.text)
      }).pipe(Effect.orDie)
    )
  })
}
