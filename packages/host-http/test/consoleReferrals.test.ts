import { assert, describe, it } from "@effect/vitest"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { coversOf } from "@outbound/testkit/contracts/service/addLeadsSupport.js"
import { deliveries, freshKey, launched, ok, sender, to, work } from "@outbound/testkit/contracts/service/stories.js"
import type { Client } from "@outbound/testkit/service/Client.js"
import { Clock, Effect, type Layer } from "effect"
import { hiddenIn, ServiceHost, signedIn } from "./support/Signed.js"

const run = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof ServiceHost>>) =>
  effect.pipe(Effect.provide(ServiceHost))

const NAMED = "silent+named@magic.test"

/** A campaign to two people, one of whom names a colleague. */
const referred = (client: Client, bodyText: string) =>
  Effect.gen(function* () {
    const recipients = to("silent+one@magic.test", "silent+two@magic.test")
    const campaignId = yield* launched(client, {
      recipients,
      sequence: [{ subject: "A question", body: "Hi {{first_name | there}}, see evil.example/x \u202Emoc" }]
    })
    yield* work
    const inbound = yield* Inbound
    const message = (yield* deliveries(campaignId)).find((sent) => JSON.stringify(sent).includes("silent+one@"))
    yield* inbound.receive([
      {
        workspaceId: client.workspaceId,
        provider: "test",
        providerEventId: `referral-${campaignId}`,
        kind: "reply",
        source: "provider_poll",
        inReplyTo: message?.messageId ?? "",
        messageId: null,
        fromEmail: "silent+one@magic.test",
        toEmail: null,
        subject: "Re: Hello",
        bodyText,
        bodyHtml: null,
        classification: "other",
        bounce: null,
        receivedAtMillis: yield* Clock.currentTimeMillis
      }
    ])
    yield* work
    const { replies } = ok(yield* client.call("get_replies", { campaign_id: campaignId })).result
    return { campaignId, replyId: replies[0]?.reply_id as string }
  }).pipe(Effect.orDie)

const state = (client: Client, campaign_id: string) =>
  Effect.map(client.call("get_campaign", { campaign_id }), (answer) => ok(answer).result.state as string)

describe("a person whom a reply names", () => {
  it.effect("is written to only after a person says so, once, and by the way of all added leads", () =>
    run(
      Effect.gen(function* () {
        const client = yield* sender()
        const text = `I'm not the right person, please contact ${NAMED}.`
        const { campaignId, replyId } = yield* referred(client, text)
        const { get, post } = yield* signedIn(client.ownerEmail)
        const home = (yield* get("/console/home")).text
        assert.include(home, "See what they would get")
        assert.include(home, NAMED)
        const campaign = `/console/campaigns/${campaignId}`
        for (const words of [
          "People whom replies name",
          NAMED,
          "Waits for a decision",
          `/console/replies/${replyId}`
        ]) {
          assert.include((yield* get(campaign)).text, words)
        }
        assert.notProperty(yield* coversOf(client, campaignId), NAMED)
        const path = `/console/replies/${replyId}/referral`
        // No button lets out what its page does not show.
        assert.notInclude(home, "Add to the campaign")
        assert.include(home, `href="${path}"`)
        const page = (yield* get(path)).text
        for (const words of ["A question", ">there<", "evil.example", "From one of", "&lt;U+202E>"]) {
          assert.include(page, words)
        }
        const form = { shown: hiddenIn(page, "shown"), do: "approve" }
        const other = yield* post(path, { ...form, shown: hiddenIn(home, "shown") })
        assert.strictEqual(other.status, 409)
        assert.notProperty(yield* coversOf(client, campaignId), NAMED)
        const added = yield* post(path, form)
        assert.deepStrictEqual([added.status, added.location], [303, `/console/replies/${replyId}`])
        assert.isString((yield* coversOf(client, campaignId))[NAMED])
        assert.strictEqual(yield* state(client, campaignId), "active")
        yield* work
        assert.isTrue((yield* deliveries(campaignId)).some((sent) => JSON.stringify(sent).includes(NAMED)))
        assert.strictEqual((yield* post(path, form)).status, 409)
        assert.notInclude((yield* get("/console/home")).text, "People whom replies name")
        assert.include((yield* get(campaign)).text, "Added by a person")
      })
    )
  )

  it.effect("is left alone when declined, or suppressed, and the campaign goes on", () =>
    run(
      Effect.gen(function* () {
        const client = yield* sender()
        const { get, post } = yield* signedIn(client.ownerEmail)
        const first = yield* referred(client, `Please write to ${NAMED}, I am the wrong person.`)
        const page = (yield* get(`/console/replies/${first.replyId}`)).text
        const path = `/console/replies/${first.replyId}/referral`
        yield* client.call("add_suppressions", { emails: [NAMED], reason: "customer" }, { key: freshKey() })
        const offered = (yield* get(path)).text
        const refused = yield* post(path, { shown: hiddenIn(offered, "shown"), do: "approve" })
        assert.strictEqual(refused.status, 409)
        assert.include(refused.text, "Nobody was added")
        assert.strictEqual(yield* state(client, first.campaignId), "active")
        assert.strictEqual((yield* post(path, { shown: hiddenIn(page, "shown"), do: "decline" })).status, 303)
        assert.notInclude((yield* get("/console/home")).text, "People whom replies name")
        assert.notProperty(yield* coversOf(client, first.campaignId), NAMED)
        assert.include((yield* get(`/console/campaigns/${first.campaignId}`)).text, "Not to be written to")
        const another = yield* launched(client, { recipients: to("silent+three@magic.test") })
        assert.notInclude((yield* get(`/console/campaigns/${another}`)).text, "People whom replies name")
        const stranger = yield* signedIn((yield* sender()).ownerEmail)
        assert.strictEqual((yield* stranger.post(path, { shown: hiddenIn(page, "shown") })).status, 404)
      })
    )
  )
})
