import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { HttpServer } from "../src/HttpServer.js"
import { browser, DESKTOP, enter, overflow, PHONE, violations } from "./support/Browser.js"
import { consoleHost } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { furnished } from "./support/Visitor.js"

const WIDE = { width: 1440, height: 900 }

const signedIn = (use: (page: Page, base: string) => Promise<void>) =>
  Effect.gen(function* () {
    const { port } = yield* HttpServer
    const { context } = yield* browser
    const desk = yield* Desk
    yield* furnished
    const link = yield* desk.link(desk.ours)
    yield* Effect.promise(async () => {
      const page = await context.newPage()
      const base = `http://127.0.0.1:${port}`
      await enter(page, `${base}/console/sign-in?token=${link}`)
      await use(page, base)
    })
  }).pipe(Effect.provide(consoleHost("http://outbound.test")), Effect.scoped)

/** The link to the reply with this text. */
const replyTo = (page: Page, hasText: string) => page.locator("ul.list li", { hasText }).getByRole("link").first()

const topOf = async (page: Page, selector: string): Promise<number> =>
  (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN

it.live(
  "what is to be done comes before the filters on a phone; the person stands beside the thread on a wide screen",
  () =>
    signedIn(async (page, base) => {
      await page.setViewportSize(PHONE)
      await page.goto(`${base}/console/replies`)
      assert.isBelow(await topOf(page, "ul.list li"), PHONE.height)
      assert.isBelow(await topOf(page, "ul.list li"), await topOf(page, "form.filters"))
      assert.isAtMost(await overflow(page), 0)
      assert.deepStrictEqual(await violations(page), [])
      await page.setViewportSize(WIDE)
      await replyTo(page, "Tell me more").click()
      await page.locator("aside.person").waitFor()
      const [others, person] = await Promise.all(
        [".others", "aside.person"].map((selector) => page.locator(selector).boundingBox())
      )
      assert.isBelow(others!.x + others!.width, person!.x)
      assert.isBelow(person!.y, WIDE.height)
      // The answer is written below the message that it answers, above what was before.
      assert.isBelow(await topOf(page, "article.this"), await topOf(page, "#f-body"))
      for (const [viewport, colorScheme] of [
        [WIDE, "light"],
        [DESKTOP, "dark"],
        [PHONE, "light"]
      ] as const) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme })
        assert.deepStrictEqual(await violations(page), [])
        assert.isAtMost(await overflow(page), 0)
      }
    })
)

it.live(
  "a reply is opened, answered and left in three clicks; many are handled in two, and that is taken back in one",
  () =>
    signedIn(async (page, base) => {
      await page.goto(`${base}/console/replies`)
      const waiting = await page.locator("ul.list input[type=checkbox]").count()
      assert.isAbove(waiting, 1)
      await page.locator("ul.list input[type=checkbox]").first().check()
      await page.getByRole("button", { name: "Mark chosen as handled" }).click()
      await page.getByText("1 reply: Marked as handled.").waitFor()
      assert.strictEqual(await page.locator("ul.list input[type=checkbox]").count(), waiting - 1)
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByText("1 reply: Reopened.").waitFor()
      assert.strictEqual(await page.locator("ul.list input[type=checkbox]").count(), waiting)
      // One click opens it, one sends what was written.
      await replyTo(page, "Tell me more").click()
      await page.locator("#f-body").waitFor()
      assert.strictEqual(await page.getByRole("button", { name: "Send" }).count(), 1)
      await page.getByRole("button", { name: "Mark as handled" }).click()
      await page.getByRole("link", { name: /^Next: / }).click()
      await page.locator("aside.person").waitFor()
    })
)

it.live("usage of a day, its entries and a campaign's figures have no barrier, on any screen", () =>
  signedIn(async (page, base) => {
    await page.goto(`${base}/console/usage`)
    await page.getByRole("table").last().getByRole("link").first().click()
    await page.getByRole("heading", { name: /^Usage on / }).waitFor()
    const addresses = [page.url()]
    await page.getByRole("link", { name: "All entries of this day" }).click()
    await page.getByRole("heading", { name: "Ledger" }).waitFor()
    addresses.push(page.url(), `${base}/console/replies?done=handled&at=${Date.now()}`)
    for (const address of addresses) {
      await page.goto(address)
      for (const [viewport, colorScheme] of [
        [DESKTOP, "dark"],
        [PHONE, "light"]
      ] as const) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme })
        assert.deepStrictEqual(await violations(page), [], address)
        assert.isAtMost(await overflow(page), 0, address)
      }
    }
  })
)
