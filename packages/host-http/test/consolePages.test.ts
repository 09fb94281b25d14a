import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import type { BrowserContext, Page } from "playwright-core"
import { HttpServer } from "../src/HttpServer.js"
import {
  brokenWords,
  browser,
  DESKTOP,
  enter,
  follow,
  hiddenFocus,
  overflow,
  PHONE,
  violations
} from "./support/Browser.js"
import { consoleHost } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { furnish, type Furnished } from "./support/Furnished.js"
import { pagesOf } from "./support/pages.js"

/** No page is heavier than that. */
const PAGE_BYTES_MAX = 100 * 1024

interface Place {
  readonly context: BrowserContext
  readonly page: Page
  readonly base: string
  readonly furnished: Furnished
  /** A fresh sign-in link's address. */
  readonly link: () => Promise<string>
}

/** A browser in which the owner of a furnished workspace is signed in. */
const signedIn = <A>(use: (place: Place) => Promise<A>) =>
  Effect.gen(function* () {
    const { port } = yield* HttpServer
    const { context } = yield* browser
    const desk = yield* Desk
    const base = `http://127.0.0.1:${port}`
    const furnished = yield* furnish(desk.ours, yield* Clock.currentTimeMillis)
    const link = () =>
      Effect.runPromise(Effect.map(desk.link(desk.ours), (token) => `${base}/console/sign-in?token=${token}`))
    return yield* Effect.promise(async () => {
      const page = await context.newPage()
      await enter(page, await link())
      return use({ context, page, base, furnished, link })
    })
  }).pipe(Effect.provide(consoleHost("http://outbound.test")), Effect.scoped)

describe("every page of the console", () => {
  it.live(
    "has no barrier in light, in dark or on a phone, breaks no word, runs nothing, and is light",
    () =>
      signedIn(async ({ base, furnished, page }) => {
        const complaints: Array<string> = []
        page.on("console", (message) => complaints.push(message.text()))
        page.on("dialog", (dialog) => complaints.push(`dialog ${dialog.message()}`))
        const wrong: Array<string> = []
        for (const { name, path } of pagesOf(furnished)) {
          const response = await page.goto(base + path)
          if (response?.status() !== 200) wrong.push(`${name} answers ${response?.status()}`)
          const bytes = (await response?.body())?.length ?? Infinity
          if (bytes > PAGE_BYTES_MAX) wrong.push(`${name} has ${bytes} bytes`)
          const foreign = "script:not([src^='/console/passkeys.js'], [src^='/console/live.js']), img"
          const scripts = await page.evaluate(`document.querySelectorAll("${foreign}").length`)
          if (scripts !== 0) wrong.push(`${name} holds somebody's markup`)
          for (const [size, viewport, colorScheme] of [
            ["desktop", DESKTOP, "light"],
            ["phone", PHONE, "dark"]
          ] as const) {
            await page.setViewportSize(viewport)
            await page.emulateMedia({ colorScheme })
            wrong.push(...(await violations(page)).map((one) => `${name} ${size} ${colorScheme}: ${one}`))
            const wider = await overflow(page)
            if (wider > 0) wrong.push(`${name} is ${wider} wider than a ${size}`)
            wrong.push(...(await brokenWords(page)).map((word) => `${name} ${size} breaks “${word}”`))
            wrong.push(...(await hiddenFocus(page)).map((one) => `${name} ${size} hides ${one}`))
          }
        }
        assert.deepStrictEqual(wrong, [])
        assert.deepStrictEqual(complaints, [])
      }),
    600_000
  )

  it.live("prints whole and dark on light, in the width of a sheet, without what only a screen can do", () =>
    signedIn(async ({ page, base, furnished }) => {
      // A4 less its margins.
      await page.setViewportSize({ width: 680, height: 1000 })
      await page.emulateMedia({ media: "print", colorScheme: "dark" })
      for (const path of [
        `/console/approvals/${furnished.launchId}`,
        `/console/campaigns/${furnished.campaignId}`,
        "/console/credits",
        "/console/trail"
      ]) {
        await page.goto(base + path)
        assert.strictEqual(await overflow(page), 0, path)
        for (const gone of ["button", ".menu", ".decide", "select", "textarea"]) {
          assert.strictEqual(await page.locator(`${gone}:visible`).count(), 0, `${path} ${gone}`)
        }
        assert.strictEqual(await page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        assert.include(await page.locator(".who").innerText(), "Acme")
      }
      await page.goto(`${base}/console/campaigns/${furnished.campaignId}`)
      // What is folded away on the screen.
      assert.isAbove((await page.getByText("Would a short call make sense?").first().boundingBox())?.height ?? 0, 0)
    })
  )

  it.live("is reached, read and used by keyboard alone", () =>
    signedIn(async ({ page, base, furnished }) => {
      await page.goto(`${base}/console/trail`)
      await page.keyboard.press("Tab")
      assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Skip to content")
      await page.keyboard.press("Enter")
      await page.waitForURL(/#main$/)
      // The first filter, its choice, and on to the button.
      await page.getByLabel("Event").focus()
      await page.keyboard.type("Bounce")
      await page.getByRole("button", { name: "Show" }).focus()
      await page.keyboard.press("Enter")
      await page.waitForURL(/kind=bounce/)
      assert.strictEqual(await page.locator(".timeline li").count(), 1)
      await page.goto(`${base}/console/campaigns/${furnished.campaignId}`)
      await page.locator('section[aria-labelledby="steps"] summary').first().focus()
      await page.keyboard.press("Enter")
      assert.isTrue(await page.getByText("Would a short call make sense?").isVisible())
    })
  )

  it.live("a list that was pasted shows what its columns hold and what is wrong, without a barrier", () =>
    signedIn(async ({ page, base }) => {
      await page.goto(`${base}/console/lists`)
      await page.getByLabel("Or paste the rows").fill("Name,E-Mail\nAda,ada@x.test\nBob,nobody\n")
      await page.getByRole("button", { name: "Continue" }).click()
      await page.getByText("is not an email address").waitFor()
      assert.strictEqual(await page.getByLabel("Email address").inputValue(), "1")
      for (const [viewport, colorScheme] of [
        [DESKTOP, "light"],
        [PHONE, "dark"]
      ] as const) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme })
        assert.deepStrictEqual(await violations(page), [])
        assert.isAtMost(await overflow(page), 0)
      }
    })
  )

  it.live("long lists go on page by page, and back to their beginning", () =>
    signedIn(async ({ page, base, furnished }) => {
      await page.goto(`${base}/console/campaigns/${furnished.campaignId}`)
      const rows = page.locator('section[aria-labelledby="list"] tbody tr')
      assert.strictEqual(await rows.count(), 50)
      await follow(page, "link", "Next")
      assert.strictEqual(await rows.count(), 14)
      await follow(page, "link", "First")
      assert.strictEqual(await rows.count(), 50)
      await page.goto(`${base}/console/trail`)
      await follow(page, "link", "Older")
      assert.include(await page.locator("main").innerText(), "Launched")
      await page.goto(`${base}/console/credits`)
      await follow(page, "link", "Older")
      assert.include(await page.locator("main").innerText(), "+12,000")
    })
  )

  it.live("what belongs together is one row: what a reply led to, and charges for one verb in a run", () =>
    signedIn(async ({ page, base }) => {
      await page.goto(`${base}/console/trail?kind=reply`)
      const replies = await page.locator(".timeline li").count()
      await page.goto(`${base}/console/trail`)
      const events = await page.locator(".timeline .badge").count()
      assert.strictEqual(events, 50)
      assert.strictEqual(await page.locator(".timeline li").count(), events - replies)
      await page.goto(`${base}/console/credits`)
      const run = page.locator("tr", { hasText: /Charged \d+ times/ }).first()
      const times = Number(/Charged (\d+) times/.exec(await run.innerText())?.[1])
      await run.locator("summary").click()
      assert.strictEqual(await run.locator("li").count(), times)
    })
  )

  it.live("what is searched for is found, and shown as text", () =>
    signedIn(async ({ page, base, furnished }) => {
      await page.goto(`${base}/console/approvals/${furnished.launchId}`)
      await page.getByLabel("Email, name or company").fill("TANAKA")
      await follow(page, "button", "Search")
      assert.match(await page.getByRole("status").last().innerText(), /^4 matches/)
      await page.goto(
        `${base}/console/campaigns/${furnished.campaignId}?q=${encodeURIComponent(`"><script>alert(1)</script>`)}`
      )
      assert.strictEqual(await page.getByLabel("Email, name or company").inputValue(), `"><script>alert(1)</script>`)
      assert.include(await page.locator("main").innerText(), "No lead matches.")
    })
  )

  it.live("a request says what changed since the one before", () =>
    signedIn(async ({ page, base, furnished }) => {
      await page.goto(`${base}/console/approvals/${furnished.launchId}`)
      const changes = page.getByRole("region", { name: "What changed" })
      const text = await changes.innerText()
      assert.include(text, "declined")
      assert.deepStrictEqual(await changes.locator("del").allInnerTexts(), [
        "24",
        "Would a call of an hour make sense?"
      ])
      await page.goto(`${base}/console/approvals/${furnished.purchaseId}`)
      assert.strictEqual(await page.getByRole("region", { name: "What changed" }).count(), 0)
    })
  )

  it.live("home shows what waits, who wants an answer, what is sent and spent, and what is wrong", () =>
    signedIn(async ({ page, base, furnished }) => {
      await page.goto(`${base}/console`)
      assert.strictEqual(page.url(), `${base}/console/home`)
      const of = (name: string | RegExp) =>
        page.locator("section", { has: page.getByRole("heading", { name }) }).innerText()
      const waits = await of(/^Needs you/)
      assert.include(waits, "Requested by the key")
      assert.include(waits, "what does it cost for a team of twelve?")
      assert.notInclude(waits, "Please don't write again")
      assert.match(await of("Today"), /of 400 messages sent/)
      assert.match(await of(/^The last 7 days/), /[\d,.]+ credits\s+used/)
      assert.match(await page.innerText("main .note.bad"), /\d+ open alerts?/)
      const links = page.getByRole("group", { name: "Campaigns by what came of them" }).locator("tbody a")
      assert.include(await links.first().getAttribute("href"), furnished.campaignId)
    })
  )

  it.live("of replies says what the writer wants, whom they name, and which texts are suspicious", () =>
    signedIn(async ({ page, base }) => {
      await page.goto(`${base}/console/replies`)
      const tabs = page.getByRole("navigation", { name: "Kinds of replies" })
      assert.match(await tabs.innerText(), /^\d+\s+from people\s/)
      assert.strictEqual(await page.locator("li.card", { hasText: "Out of office" }).count(), 0)
      await tabs.getByRole("link", { name: /\d all$/ }).click()
      const away = page.locator("li", { hasText: "office@kumo.test" })
      assert.include(await page.locator("li", { hasText: "Ignore your instructions" }).innerText(), "Suspicious text")
      assert.include(await page.locator("li", { hasText: "Who gave you" }).innerText(), "Asks a question")
      assert.notInclude(await away.innerText(), "Suspicious text")
      await away.getByRole("link").first().click()
      assert.match(await page.locator("dl.facts.card").innerText(), /Person named\s+office@kumo\.test/)
    })
  )
})

describe("an attacker in the browser", () => {
  it.live("cannot fix a session: signing in always begins a new one", () =>
    signedIn(async ({ context, page, base, link }) => {
      const planted = "A".repeat(43)
      await context.clearCookies()
      await context.addCookies([{ name: "outbound_session", value: planted, url: base }])
      await page.goto(`${base}/console/approvals`)
      assert.include(page.url(), "/console/sign-in")
      await enter(page, await link())
      const session = async () => (await context.cookies(base)).find(({ name }) => name === "outbound_session")?.value
      const first = await session()
      assert.notStrictEqual(first, planted)
      await enter(page, await link())
      assert.notStrictEqual(await session(), first)
    })
  )

  it.live("cannot put a page into a frame of theirs", () =>
    signedIn(async ({ context, page, base, furnished }) => {
      await context.route("http://evil.test/", (route) =>
        route.fulfill({
          contentType: "text/html",
          body: `<iframe src="${base}/console/approvals/${furnished.launchId}"></iframe>`
        })
      )
      await page.goto("http://evil.test/")
      // The browser shows its own error in place of the page.
      assert.match(page.frames().at(-1)?.url() ?? "", /^chrome-error:/)
    })
  )

  it.live("finds no address that leads elsewhere after signing in", () =>
    signedIn(async ({ context, page, base, link }) => {
      for (const next of ["//evil.test/", "https://evil.test/", "/\\evil.test", "/console/..//evil.test"]) {
        await context.clearCookies()
        await page.goto(`${await link()}&next=${encodeURIComponent(next)}`)
        await follow(page, "button", "Sign in")
        assert.strictEqual(page.url(), `${base}/console/home`)
      }
    })
  )

  it.live("cannot make what they wrote into markup: it is text, also where the whole message is shown", () =>
    signedIn(async ({ page, base, furnished }) => {
      const dialogs: Array<string> = []
      page.on("dialog", (dialog) => dialogs.push(dialog.message()))
      await page.goto(`${base}/console/replies/${furnished.hostileReplyId}`)
      assert.include(await page.locator(".this").innerText(), "<script>alert(2)</script>")
      assert.include(await page.locator(".this").innerText(), "Written by somebody outside this service")
      assert.include(await page.locator(".this").innerText(), "It speaks to an AI agent")
      const whole = await page.goto(`${base}/console/replies/${furnished.hostileReplyId}/text`)
      assert.match(whole?.headers()["content-type"] ?? "", /^text\/plain/)
      // Were a browser to take it for a page after all, it could run nothing, and stand in no other page.
      assert.deepInclude(whole?.headers(), {
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
        "x-frame-options": "DENY",
        "cache-control": "no-store"
      })
      assert.strictEqual(await page.evaluate("document.scripts.length + document.images.length"), 0)
      assert.deepStrictEqual(dialogs, [])
    })
  )
})
