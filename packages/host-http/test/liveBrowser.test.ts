import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { HttpServer } from "../src/HttpServer.js"
import { browser, enter, violations } from "./support/Browser.js"
import { consoleHost, launch, purchase } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"

const inBrowser = <A>(use: (page: Page, base: string, desk: Desk["Service"]) => Promise<A>) =>
  Effect.gen(function* () {
    const { port } = yield* HttpServer
    const { context } = yield* browser
    const desk = yield* Desk
    const link = yield* desk.link(desk.ours)
    return yield* Effect.promise(async () => {
      const page = await context.newPage()
      const base = `http://127.0.0.1:${port}`
      await enter(page, `${base}/console/sign-in?token=${link}`)
      return await use(page, base, desk)
    })
  }).pipe(Effect.provide(consoleHost("http://outbound.test")), Effect.scoped)

/** Until the page shows it. */
const shows = (page: Page, selector: string, hasText: string | RegExp) =>
  page.locator(selector, { hasText }).first().waitFor({ state: "attached" })

const MENU = 'nav[aria-label="Console"] a[href="/console/approvals"]'

/** A reload would lose the mark. */
const mark = (page: Page) => page.evaluate("window.isTheSame = true")
const isTheSame = (page: Page) => page.evaluate("window.isTheSame === true")

describe("a live page in a browser", () => {
  it.live("shows a new request and its number without a reload, and says so; what has the focus stays", () =>
    inBrowser(async (page, base, desk) => {
      const complaints: Array<string> = []
      page.on("console", (message) => complaints.push(message.text()))
      const opened = page.waitForResponse(`${base}/console/events`)
      await page.goto(`${base}/console/home`)
      await opened
      await mark(page)
      await page.getByRole("link", { name: "Usage" }).focus()
      await Effect.runPromise(desk.add(desk.ours, purchase))
      await shows(page, MENU, "1")
      await shows(page, "#main", "acme")
      await shows(page, "[role=status]", "1 approval waits")
      assert.strictEqual(await page.evaluate("document.activeElement.textContent.trim()"), "Usage")
      await Effect.runPromise(desk.add(desk.ours, launch))
      await shows(page, MENU, "2")
      assert.isTrue(await isTheSame(page))
      assert.deepStrictEqual(await violations(page), [])
      assert.deepStrictEqual(complaints, [])
    })
  )

  it.live("keeps a form that somebody has begun to fill in", () =>
    inBrowser(async (page, base, desk) => {
      const opened = page.waitForResponse(`${base}/console/events`)
      await page.goto(`${base}/console/replies`)
      await opened
      await mark(page)
      await page.getByRole("searchbox", { name: "Search" }).fill("half a wo")
      await page.evaluate("document.activeElement.blur()")
      await Effect.runPromise(desk.add(desk.ours, purchase))
      await shows(page, MENU, "1")
      assert.strictEqual(await page.getByRole("searchbox", { name: "Search" }).inputValue(), "half a wo")
      assert.isTrue(await isTheSame(page))
    })
  )
})
