import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServer } from "../src/HttpServer.js"
import { browser, enter, overflow, violations } from "./support/Browser.js"
import { purchase, reply } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { largeLaunch } from "./support/largeLaunch.js"
import { run, visitor } from "./support/Visitor.js"

const QUEUE = "/console/approvals/queue"

/** Two replies, a launch to a few people, and what is not decided in a sitting. */
const several = Effect.gen(function* () {
  const desk = yield* Desk
  const now = Date.now()
  const late = yield* desk.add(desk.ours, reply, { expiresAtMillis: now + 900_000 })
  const soon = yield* desk.add(desk.ours, { ...reply, to_email: "soon@customer.test" })
  const few = (yield* largeLaunch(desk.ours, 12, { campaign_name: "A few" })).approval
  const large = (yield* largeLaunch(desk.ours, 60)).approval
  const bought = yield* desk.add(desk.ours, purchase)
  return { late, soon, few, large, bought }
})

describe("small requests, one after another", () => {
  it.live("on a phone: the riskiest first, each decided by itself, the next after each", () =>
    run(
      Effect.scoped(
        Effect.gen(function* () {
          const desk = yield* Desk
          const { port } = yield* HttpServer
          const { context } = yield* browser
          const { bought, few, large, late, soon } = yield* several
          const base = `http://127.0.0.1:${port}`
          const link = `${base}/console/sign-in?token=${yield* desk.link(desk.ours)}`
          const states = () =>
            Effect.runPromise(
              Effect.forEach([few, soon, late, large, bought], (one) =>
                Effect.map(desk.find(one), ({ state }) => state)
              )
            )
          const pictures = process.env["OUTBOUND_TEST_PICTURES"]
          yield* Effect.promise(async () => {
            const page = await context.newPage()
            await page.setViewportSize({ width: 390, height: 844 })
            await enter(page, link)
            await page.goto(`${base}/console/home`)
            await page.getByRole("link", { name: "Decide 3 small requests one after another" }).click()
            await page.waitForLoadState()
            const heading = page.getByRole("heading", { level: 1 })
            assert.strictEqual(await heading.innerText(), "Launch “A few”")
            assert.include(await page.innerText("main"), "3 requests left in this sitting.")
            assert.deepStrictEqual(await violations(page), [])
            assert.strictEqual(await overflow(page), 0)
            if (pictures !== undefined) await page.screenshot({ path: `${pictures}/queue-390.png` })

            await page.getByRole("button", { name: "Approve", exact: true }).click()
            await page.waitForLoadState()
            assert.strictEqual(await heading.innerText(), "Reply to soon@customer.test")
            assert.include(await page.innerText("main"), "Approved.")
            assert.deepStrictEqual(await states(), ["approved", "pending", "pending", "pending", "pending"])
            assert.deepStrictEqual(await violations(page), [])

            /** By keyboard alone, on what the access key presses. The browser of the tests has no access keys. */
            const press = async (key: string, done: RegExp): Promise<void> => {
              await page.locator(`[accesskey=${key}]`).focus()
              await Promise.all([page.waitForURL(done), page.keyboard.press("Enter")])
              await page.waitForLoadState()
            }
            await press("s", /skip=/)
            assert.strictEqual(await heading.innerText(), "Reply to jo@customer.test")
            await press("d", /done=declined/)
            assert.deepStrictEqual(await states(), ["approved", "pending", "declined", "pending", "pending"])
            assert.include(await page.innerText("main"), "You have skipped the others that wait.")
            await page.getByRole("link", { name: "Begin again" }).click()
            await page.waitForLoadState()
            assert.strictEqual(await heading.innerText(), "Reply to soon@customer.test")
            await press("a", /done=approved/)
            assert.include(await page.innerText("main"), "No small request waits for you.")
            assert.deepStrictEqual(await violations(page), [])
            await page.getByRole("link", { name: "Look at it again" }).click()
            await page.waitForLoadState()
            assert.strictEqual(await heading.innerText(), "Reply to soon@customer.test")
          })
          assert.deepStrictEqual(yield* Effect.promise(states), [
            "approved",
            "approved",
            "declined",
            "pending",
            "pending"
          ])
        })
      )
    )
  )

  it.live("shows nobody what only others can approve, and takes nothing from an address or a form that lies", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { few, late, soon } = yield* several
        const owner = yield* visitor(desk.ours)
        // Approved by this person already: it waits for somebody else.
        const { decidedByUserId } = yield* Effect.gen(function* () {
          const one = yield* desk.add(desk.ours, reply)
          yield* owner.post(`/console/approvals/${one.approvalId}/decline`, { digest: one.snapshotDigest })
          return yield* desk.find(one)
        })
        yield* desk.add(desk.ours, { ...reply, to_email: "others@customer.test" }, { excludedUserId: decidedByUserId })
        const all = [few, late, soon].map(({ approvalId }) => approvalId)
        const end = (yield* owner.get(`${QUEUE}?skip=${all.join(",")}`)).text
        assert.notInclude(end, "others@customer.test")
        assert.include(end, "You have skipped the others that wait.")
        const odd = yield* owner.get(`${QUEUE}?skip=${"x,".repeat(200)}&done=toString&of=${few.approvalId}`)
        assert.strictEqual(odd.status, 200)
        assert.notInclude(odd.text, "Look at it again")
        // A digest of another request decides nothing, and leads nowhere else.
        const wrong = { digest: late.snapshotDigest, after: "next", skip: "https://evil.test" }
        assert.strictEqual((yield* owner.post(`/console/approvals/${few.approvalId}/approve`, wrong)).status, 409)
        const right = { ...wrong, digest: few.snapshotDigest }
        const sent = yield* owner.post(`/console/approvals/${few.approvalId}/approve`, right)
        assert.strictEqual(sent.headers.get("location"), `${QUEUE}?done=approved&of=${few.approvalId}`)
        assert.strictEqual((yield* desk.find(late)).state, "pending")
        const reader = yield* visitor(desk.ours, "reader")
        assert.notInclude((yield* reader.get(QUEUE)).text, `/approve"`)
      })
    )
  )
})
