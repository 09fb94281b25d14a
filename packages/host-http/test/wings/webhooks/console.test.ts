import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Desk } from "../../support/Desk.js"
import { HOSTILE } from "../../support/Furnished.js"
import { furnished, run, visitor } from "../../support/Visitor.js"

const MINUTE = 60_000

describe("webhooks in the console", () => {
  it.live("a secret is shown once, and what was typed wrongly is typed again", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* visitor(desk.ours)
        const wrong = yield* us.post("/console/webhooks", { url: `http://${HOSTILE}`, every: "on" })
        assert.strictEqual(wrong.status, 400)
        assert.notInclude(wrong.text, HOSTILE)
        const none = yield* us.post("/console/webhooks", { url: "https://example.com/", every: "off" })
        assert.include(none.text, "Kinds must include at least one")
        const both = yield* us.post("/console/webhooks", { url: "http://example.com/", every: "off" })
        assert.strictEqual(both.status, 400)
        for (const words of ["Url must use https", "Kinds must include at least one"]) assert.include(both.text, words)
        const kept = yield* us.post("/console/webhooks", { url: "https://192.0.2.1/", every: "off", kinds: "reply" })
        assert.strictEqual(kept.status, 400)
        for (const words of [`value="https://192.0.2.1/"`, `value="reply" checked`]) assert.include(kept.text, words)
        const made = yield* us.post("/console/webhooks", { url: "https://example.com/events", kinds: "reply" })
        assert.strictEqual(made.status, 200)
        assert.strictEqual(made.headers.get("cache-control"), "no-store")
        const secret = /whsec_[A-Za-z0-9+/]{43}=/.exec(made.text)![0]
        const path = /\/console\/webhooks\/[0-9a-f-]{36}/.exec(made.text)![0]
        const rotated = yield* us.post(`${path}/rotate`)
        const other = /whsec_[A-Za-z0-9+/]{43}=/.exec(rotated.text)![0]
        assert.notStrictEqual(other, secret)
        assert.include(rotated.text, "24 hours")
        for (const at of [path, "/console/webhooks", "/console/settings/history"]) {
          const { status, text } = yield* us.get(at)
          assert.strictEqual(status, 200)
          assert.notInclude(text, "whsec_", at)
        }
        assert.include((yield* us.get("/console/settings/history")).text, "Webhook added")
      })
    )
  )

  it.live("shows an endpoint's deliveries, and resends them", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { laid } = yield* furnished
        const us = yield* visitor(desk.ours, "member")
        const path = `/console/webhooks/${laid.ids["webhooks"]}`
        const page = yield* us.get(path)
        for (const words of ["Delivered", "Status 404", "timed out", "Failing", "1 failed"]) {
          assert.include(page.text, words)
        }
        assert.notInclude((yield* us.get(`${path}?state=failed`)).text, "timed out")
        const eventId = /name="event_id" value="([0-9a-f-]{36})"/.exec(
          (yield* us.get(`${path}?state=failed`)).text
        )![1]!
        assert.strictEqual((yield* us.post(`${path}/again`, { event_id: eventId })).status, 303)
        assert.strictEqual((yield* us.post(`${path}/again`, { event_id: "nothing" })).status, 404)
        assert.include((yield* us.get(path)).text, "0 failed")
        assert.strictEqual((yield* us.post(`${path}/failed-again`)).status, 303)
      })
    )
  )

  it.live("any member can turn one off; adding one and turning it on need an owner with a fresh sign-in", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { laid } = yield* furnished
        const path = `/console/webhooks/${laid.ids["webhooks"]}`
        const member = yield* visitor(desk.ours, "member")
        assert.strictEqual((yield* member.post(`${path}/disable`)).status, 303)
        assert.include((yield* member.get(path)).text, "This webhook is off")
        assert.strictEqual((yield* member.post(`${path}/enable`)).status, 403)
        const stale = yield* visitor(desk.ours, "owner", 6 * MINUTE)
        const refused = yield* stale.post(`${path}/enable`)
        assert.include(refused.text, `/console/sign-in?next=${encodeURIComponent(path)}`)
        const added = yield* stale.post("/console/webhooks", { url: "https://example.com/events", every: "on" })
        assert.strictEqual(added.status, 403)
        assert.include(added.text, "This change needs a sign-in")
        const owner = yield* visitor(desk.ours)
        assert.strictEqual((yield* owner.post(`${path}/enable`)).status, 303)
        assert.strictEqual((yield* owner.post(`${path}/remove`)).headers.get("location"), "/console/webhooks")
        assert.strictEqual((yield* owner.get(path)).status, 404)
      })
    )
  )
})
