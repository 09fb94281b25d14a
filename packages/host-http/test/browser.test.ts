import { assert, describe, it } from "@effect/vitest"
import type { Approval } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { Effect } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { BrowserContext, Page } from "playwright-core"
import { HttpServer } from "../src/HttpServer.js"
import { browser, DESKTOP, enter, overflow, PHONE, violations } from "./support/Browser.js"
import { consoleHost, launch, purchase } from "./support/ConsoleHost.js"
import { Desk, type Tenant } from "./support/Desk.js"

/** Where pictures of the pages go, when somebody wants to look at them. */
const pictures = process.env["OUTBOUND_TEST_PICTURES"]

const inBrowser = <A>(
  use: (context: BrowserContext, base: string, desk: Desk["Service"]) => Promise<A>
): Effect.Effect<A, unknown> =>
  Effect.gen(function* () {
    const { port } = yield* HttpServer
    const { context } = yield* browser
    const desk = yield* Desk
    return yield* Effect.promise(() => use(context, `http://127.0.0.1:${port}`, desk))
  }).pipe(Effect.provide(consoleHost("http://outbound.test")), Effect.scoped)

/** What an accessibility checker finds wrong with the page, in both colour schemes. */
const barriers = async (page: Page): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme })
    found.push(...(await violations(page)).map((violation) => `${colorScheme} ${violation}`))
  }
  await page.emulateMedia({ colorScheme: "light" })
  return found
}

const photograph = async (page: Page, name: string): Promise<void> => {
  if (pictures === undefined) return
  mkdirSync(pictures, { recursive: true })
  for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(pictures, `${name}-${size}-${colorScheme}.png`) })
    }
  }
  await page.setViewportSize(DESKTOP)
  await page.emulateMedia({ colorScheme: "light" })
}

const linkOf = async (desk: Desk["Service"], of: Tenant = desk.ours): Promise<string> =>
  `/console/sign-in?token=${await Effect.runPromise(desk.link(of))}`

const state = async (desk: Desk["Service"], approval: Approval): Promise<string> =>
  (await Effect.runPromise(desk.find(approval))).state

describe("in a browser, without scripts of ours", () => {
  it.live("a member signs in by a link, reads what is asked, approves one and declines another", () =>
    inBrowser(async (context, base, desk) => {
      const bought = await Effect.runPromise(desk.add(desk.ours, purchase))
      const launched = await Effect.runPromise(desk.add(desk.ours, launch))
      const page = await context.newPage()
      const complaints: Array<string> = []
      page.on("console", (message) => complaints.push(message.text()))
      page.on("dialog", (dialog) => complaints.push(`dialog ${dialog.message()}`))

      await page.goto(`${base}/console/approvals/${launched.approvalId}`)
      assert.strictEqual(await page.getByRole("heading", { level: 1 }).innerText(), "Sign in")
      await photograph(page, "sign-in-help")
      const link = await linkOf(desk)
      await page.goto(base + link)
      await photograph(page, "sign-in")
      assert.deepStrictEqual(await barriers(page), [])
      await enter(page, base + link)
      assert.strictEqual(page.url(), `${base}/console/approvals/${launched.approvalId}`)

      assert.strictEqual(
        await page.getByRole("heading", { level: 1 }).innerText(),
        "Launch “Heads of sales, <Germany>”"
      )
      await photograph(page, "launch")
      assert.deepStrictEqual(await barriers(page), [])
      if (pictures !== undefined) await page.screenshot({ path: join(pictures, "launch-whole.png"), fullPage: true })
      for (const width of [DESKTOP.width, PHONE.width]) {
        await page.setViewportSize({ ...DESKTOP, width })
        assert.strictEqual(await overflow(page), 0)
      }
      await page.getByRole("button", { name: "Approve" }).click()
      await page.getByRole("status").waitFor()
      assert.match(await page.getByRole("status").innerText(), /^Approved by ada@example\.com/)
      await page.waitForLoadState()
      assert.strictEqual(await page.getByRole("button", { name: "Approve" }).count(), 0)
      await photograph(page, "approved")

      await page.getByRole("link", { name: "Approvals" }).click()
      await photograph(page, "approvals")
      assert.deepStrictEqual(await barriers(page), [])
      await page.getByRole("link", { name: "Buy sending capacity" }).click()
      await photograph(page, "purchase")
      assert.deepStrictEqual(await barriers(page), [])
      await page.getByRole("button", { name: "Decline" }).click()
      assert.match(await page.getByRole("status").innerText(), /^Declined by/)
      await photograph(page, "declined")
      assert.deepStrictEqual(await barriers(page), [])
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.goto(`${base}/console/approvals`)
      assert.include(page.url(), "/console/sign-in")

      const decided = [await state(desk, launched), await state(desk, bought)]
      assert.deepStrictEqual(decided, ["approved", "declined"])
      assert.deepStrictEqual(complaints, [])
    })
  )

  it.live("a link that is over signs nobody in", () =>
    inBrowser(async (context, base, desk) => {
      const page = await context.newPage()
      const link = base + (await linkOf(desk))
      await page.goto(link)
      // Somebody else, to whom the link was forwarded, was faster.
      const other = await context.newPage()
      await enter(other, link)
      await context.clearCookies()
      await page.getByRole("button", { name: "Sign in" }).click()
      assert.strictEqual(await page.getByRole("heading", { level: 1 }).innerText(), "This link has expired")
      await photograph(page, "link-over")
      const cookies = (await context.cookies(base)).map(({ name }) => name)
      assert.notInclude(cookies, "outbound_session")
    })
  )

  it.live("a form on another site decides nothing, though the browser is signed in", () =>
    inBrowser(async (context, base, desk) => {
      const approval = await Effect.runPromise(desk.add(desk.ours, launch))
      const page = await context.newPage()
      await enter(page, base + (await linkOf(desk)))
      await page.goto(`${base}/console/approvals/${approval.approvalId}`)
      const field = (name: string) => page.locator(`input[name=${name}]`).last().getAttribute("value")
      const [csrf, digest] = [await field("csrf"), await field("digest")]
      // The worst case: the other site even knows the token.
      await context.route("http://evil.test/", (route) =>
        route.fulfill({
          contentType: "text/html",
          body: `<form method="post" action="${base}/console/approvals/${approval.approvalId}/approve">
            <input name="csrf" value="${csrf}"><input name="digest" value="${digest}"><button>Win</button></form>`
        })
      )
      await page.goto("http://evil.test/")
      const [response] = await Promise.all([page.waitForNavigation(), page.getByRole("button").click()])
      assert.strictEqual(response?.status(), 403)
      assert.strictEqual(await state(desk, approval), "pending")
    })
  )

  it.live("the reference is one page that fits a phone", () =>
    inBrowser(async (context, base) => {
      const page = await context.newPage()
      await page.goto(`${base}/docs`)
      await photograph(page, "docs")
      assert.deepStrictEqual(await barriers(page), [])
      await page.getByRole("link", { name: "create_campaign" }).click()
      await photograph(page, "docs-verb")
      await page.setViewportSize(PHONE)
      assert.strictEqual(await overflow(page), 0)
    })
  )

  it.live("another workspace's approval is not there", () =>
    inBrowser(async (context, base, desk) => {
      const approval = await Effect.runPromise(desk.add(desk.ours, launch))
      const page = await context.newPage()
      await enter(page, base + (await linkOf(desk, desk.theirs)))
      await photograph(page, "nothing-waiting")
      const response = await page.goto(`${base}/console/approvals/${approval.approvalId}`)
      assert.strictEqual(response?.status(), 404)
      assert.strictEqual(await page.getByRole("heading", { level: 1 }).innerText(), "Not found")
      await photograph(page, "not-found")
    })
  )
})
