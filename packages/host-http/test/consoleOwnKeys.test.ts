import { assert, describe, it } from "@effect/vitest"
import { OwnKeyStore } from "@outbound/domain/sources/ownKeys/OwnKeyStore.js"
import { openOwnKey } from "@outbound/domain/sources/ownKeys/secret.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Clock, Effect, Redacted } from "effect"
import { Desk } from "./support/Desk.js"
import { run, visitor } from "./support/Visitor.js"

const MINUTE = 60_000
const PATH = "/console/settings/own-keys"
const SECRET = "pk_live_0123456789wxyz"

describe("own keys in the console", () => {
  it.live("a key is kept sealed, used, and shown to nobody again; the log says who brought it", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const store = yield* OwnKeyStore
        const crypto = yield* Crypto
        const { workspaceId } = desk.live
        const us = yield* visitor(desk.live)
        const before = yield* us.get(PATH)
        for (const words of [
          "Prospero",
          "Caliban &amp; Sons",
          "calls don’t use this vendor",
          "calls use this service’s key"
        ]) {
          assert.include(before.text, words)
        }
        const kept = yield* us.post(PATH, { vendor: "prospero", secret: `  ${SECRET} ` })
        assert.strictEqual(kept.headers.get("location"), `${PATH}?done=set`)
        const [key] = yield* store.list(workspaceId)
        assert.notInclude(JSON.stringify(key), SECRET)
        assert.strictEqual(Redacted.value(openOwnKey(crypto, key!)!), SECRET)
        assert.isNull(openOwnKey(crypto, { ...key!, vendor: "caliban" }))
        for (const path of [`${PATH}?done=set`, "/console/settings/history", "/console/settings"]) {
          const { status, text } = yield* us.get(path)
          assert.strictEqual(status, 200)
          assert.notInclude(text, SECRET, path)
        }
        assert.include((yield* us.get(PATH)).text, "wxyz")
        assert.include((yield* us.get("/console/settings/history")).text, "Own key for a vendor added")

        yield* store.refused(workspaceId, "prospero", yield* Clock.currentTimeMillis)
        assert.include((yield* us.get(PATH)).text, "last refused it")
        assert.strictEqual((yield* us.post(PATH, { vendor: "prospero", secret: "another-key-1234" })).status, 303)
        assert.notInclude((yield* us.get(PATH)).text, "last refused it")

        const gone = yield* us.post(`${PATH}/remove`, { vendor: "prospero" })
        assert.strictEqual(gone.headers.get("location"), `${PATH}?done=removed`)
        assert.deepStrictEqual(yield* store.list(workspaceId), [])
        assert.strictEqual((yield* us.post(`${PATH}/remove`, { vendor: "prospero" })).status, 404)
        assert.include((yield* us.get("/console/settings/history")).text, "Own key for a vendor removed")
      })
    )
  )

  it.live("what is typed wrongly is said, without the secret", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* visitor(desk.live)
        const wrong = yield* us.post(PATH, { vendor: "ariel", secret: "has a space" })
        assert.strictEqual(wrong.status, 400)
        assert.include(wrong.text, "Vendor must be a vendor of this service")
        assert.include(wrong.text, "Key must be 8 to 4,096 characters")
        assert.notInclude(wrong.text, "has a space")
        const half = yield* us.post(PATH, { vendor: "caliban", secret: "one-half-of-it" })
        assert.strictEqual(half.status, 400)
        assert.include(half.text, "Key must have the form key:token")
        assert.notInclude(half.text, "one-half-of-it")
        const whole = yield* us.post(PATH, { vendor: "caliban", secret: "one-half:the-other" })
        assert.strictEqual(whole.headers.get("location"), `${PATH}?done=set`)
      })
    )
  )

  it.live("is for owners alone, who signed in just now where they bring one, and for live workspaces", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const form = { vendor: "prospero", secret: SECRET }
        const member = yield* visitor(desk.live, "member")
        assert.strictEqual((yield* member.get(PATH)).status, 403)
        assert.strictEqual((yield* member.post(PATH, form)).status, 403)
        const stale = yield* visitor(desk.live, "owner", 6 * MINUTE)
        const refused = yield* stale.post(PATH, form)
        assert.include(refused.text, `/console/sign-in?next=${encodeURIComponent(PATH)}`)
        const forged = yield* (yield* visitor(desk.live)).post(PATH, { ...form, csrf: "forged" })
        assert.isAtLeast(forged.status, 400)
        const sandbox = yield* visitor(desk.ours)
        assert.include((yield* sandbox.get(PATH)).text, "A sandbox workspace uses no vendors")
        assert.strictEqual((yield* sandbox.post(PATH, form)).status, 400)
        const store = yield* OwnKeyStore
        assert.deepStrictEqual(yield* store.list(desk.live.workspaceId), [])
        assert.deepStrictEqual(yield* store.list(desk.ours.workspaceId), [])
      })
    )
  )
})
