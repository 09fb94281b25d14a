import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Desk } from "./support/Desk.js"
import { run, visitor } from "./support/Visitor.js"

const SETTINGS = "/console/settings"
const RULES = "/console/settings/rules"

const STRICT = {
  authentication: "require",
  unverified_max_percent: "20",
  verification_max_age_days: "30",
  role_addresses: "leave_out",
  evidence: "mark",
  attention_above: "500"
}

describe("the rules of launches, in the console", () => {
  it.live("who may approve makes them stricter, an owner with a fresh sign-in looser, a reader reads them", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const [approver, reader] = [yield* visitor(desk.ours, "approver"), yield* visitor(desk.ours, "reader")]
        const [owner, stale] = [yield* visitor(desk.ours), yield* visitor(desk.ours, "owner", 6 * 60_000)]
        assert.strictEqual((yield* reader.post(RULES, STRICT)).status, 403)
        assert.strictEqual((yield* approver.post(RULES, STRICT)).status, 303)
        const shown = (yield* approver.get(SETTINGS)).text
        assert.match(shown, /name="unverified_max_percent"[^>]*value="20"/)
        assert.include(shown, "you can make the rules of launches stricter")
        const read = (yield* reader.get(SETTINGS)).text
        assert.include(read, "Unverified addresses: At most 20%")
        assert.notInclude(read, RULES)
        const looser = { ...STRICT, unverified_max_percent: "" }
        const refused = yield* approver.post(RULES, looser)
        assert.strictEqual(refused.status, 403)
        assert.include(refused.text, "Only an owner")
        assert.include((yield* stale.post(RULES, looser)).text, "Sign in again")
        assert.include((yield* reader.get(SETTINGS)).text, "At most 20%")
        assert.strictEqual((yield* owner.post(RULES, looser)).status, 303)
        assert.include((yield* reader.get(SETTINGS)).text, "Unverified addresses: Any share")
        assert.include((yield* owner.get("/console/settings/history")).text, "Rules of launches changed")
      })
    )
  )

  it.live("a form with mistakes names them all, and keeps what was typed", () =>
    run(
      Effect.gen(function* () {
        const owner = yield* visitor((yield* Desk).ours)
        const before = (yield* owner.get(SETTINGS)).text.match(/name="verification_max_age_days"[^>]*/)?.[0]
        const wrong = yield* owner.post(RULES, {
          ...STRICT,
          authentication: "perhaps",
          unverified_max_percent: "101",
          verification_max_age_days: "0",
          attention_above: "many"
        })
        assert.strictEqual(wrong.status, 400)
        assert.include(wrong.text, "Authentication must be one of warn, require")
        assert.include(wrong.text, "Unverified max percent must be a whole number from 0 to 100")
        assert.include(wrong.text, "Verification max age days must be a whole number from 1 to 365")
        assert.include(wrong.text, "Attention above must be a whole number from 0 to 1000000")
        assert.match(wrong.text, /name="attention_above"[^>]*value="many"/)
        const after = (yield* owner.get(SETTINGS)).text.match(/name="verification_max_age_days"[^>]*/)?.[0]
        assert.strictEqual(after, before)
      })
    )
  )
})
