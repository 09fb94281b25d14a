import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServer } from "../src/HttpServer.js"
import { browser, enter, overflow, violations } from "./support/Browser.js"
import { Desk } from "./support/Desk.js"
import { furnished, run, visitor } from "./support/Visitor.js"

describe("what can't be undone, in the console", () => {
  it.live("is asked for on a page of its own that names the effect; the page before it does nothing", () =>
    run(
      Effect.gen(function* () {
        const { ours, theirs } = yield* Desk
        const { keyId } = yield* furnished
        const [owner, member, stranger] = [yield* visitor(ours), yield* visitor(ours, "member"), yield* visitor(theirs)]
        const key = `/console/keys/${keyId}`
        const before = (yield* owner.get(key)).text
        assert.notInclude(before, `action="${key}/revoke"`)
        assert.include(before, `href="${key}/revoke"`)
        const asked = yield* owner.get(`${key}/revoke`)
        assert.strictEqual(asked.status, 200)
        assert.include(asked.text, `action="${key}/revoke"`)
        assert.include(asked.text, "Its open approvals are cancelled")
        assert.include((yield* owner.get(key)).text, `href="${key}/revoke"`)
        assert.strictEqual((yield* member.get(`${key}/revoke`)).status, 403)
        assert.strictEqual((yield* stranger.get(`${key}/revoke`)).status, 404)
        assert.strictEqual((yield* owner.post(`${key}/revoke`)).status, 303)
        assert.notInclude((yield* owner.get(key)).text, `href="${key}/revoke"`)

        const settings = (yield* owner.get("/console/settings")).text
        assert.notMatch(settings, /action="\/console\/settings\/members\/[^"]*\/remove"/)
        const people = [...settings.matchAll(/href="(\/console\/settings\/members\/[^"]*\/remove)"/g)]
        assert.isAbove(people.length, 1)
        const pages = yield* Effect.forEach(people, ([, path]) => owner.get(path!))
        assert.isTrue(pages.every(({ status }) => status === 200))
        assert.isTrue(pages.some(({ text }) => text.includes("Leave this workspace?")))
        const other = people.find(
          ([, path], index) => !pages[index]!.text.includes("Leave this") && path !== undefined
        )!
        assert.strictEqual((yield* member.get(other[1]!)).status === 200, false)
        assert.strictEqual((yield* owner.post(other[1]!)).status, 303)
        assert.notInclude((yield* owner.get("/console/settings")).text, other[1]!)
      })
    )
  )

  it.live("works without scripts, on a phone, without barriers", () =>
    run(
      Effect.scoped(
        Effect.gen(function* () {
          const desk = yield* Desk
          const { port } = yield* HttpServer
          const { context } = yield* browser
          const { keyId } = yield* furnished
          const base = `http://127.0.0.1:${port}`
          const link = `${base}/console/sign-in?token=${yield* desk.link(desk.ours)}`
          yield* Effect.promise(async () => {
            const page = await context.newPage()
            await page.setViewportSize({ width: 390, height: 800 })
            await enter(page, link)
            await page.goto(`${base}/console/keys/${keyId}`)
            await page.getByRole("link", { name: "Revoke permanently…" }).click()
            await page.getByText("What happens").waitFor()
            assert.deepStrictEqual(await violations(page), [])
            assert.strictEqual(await overflow(page), 0)
            await page.getByRole("button", { name: "Revoke permanently" }).click()
            await page.getByText("Revoked").first().waitFor()
          })
        })
      )
    )
  )
})
