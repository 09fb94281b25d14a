import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { HttpServer } from "../src/HttpServer.js"
import { browser, enter, overflow, violations } from "./support/Browser.js"
import { launch, purchase, reply } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { largeLaunch } from "./support/largeLaunch.js"
import { run } from "./support/Visitor.js"

const PHONE = { width: 390, height: 844 }
const LAPTOP = { width: 1280, height: 720 }

const pictures = process.env["OUTBOUND_TEST_PICTURES"]

/** Where pictures go, when somebody wants to look at them. */
const photograph = async (page: Page, name: string, fullPage = false): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage })
}

/** A signed-in browser, and where the host listens. */
const inBrowser = <A>(use: (page: Page, base: string) => Promise<A>) =>
  Effect.gen(function* () {
    const desk = yield* Desk
    const { port } = yield* HttpServer
    const { context } = yield* browser
    const base = `http://127.0.0.1:${port}`
    const link = `${base}/console/sign-in?token=${yield* desk.link(desk.ours)}`
    return yield* Effect.promise(async () => {
      const page = await context.newPage()
      await enter(page, link)
      return use(page, base)
    })
  }).pipe(Effect.scoped)

/** Where an element is in the window: its upper and lower edge. */
const edges = async (page: Page, selector: string): Promise<readonly [top: number, bottom: number]> => {
  const box = await page.locator(selector).boundingBox()
  assert.isNotNull(box, selector)
  return [box!.y, box!.y + box!.height]
}

/** Of what has the focus, the part of its height that is covered, as far as it fits into the window. */
const hiddenShare = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const of = document.activeElement
    if (of === null || of === document.body) return 0
    const box = of.getBoundingClientRect()
    const x = Math.min(Math.max(box.left + box.width / 2, 0), innerWidth - 1)
    const rows = Array.from({ length: 9 }, (_, index) => box.top + (box.height * (index + 0.5)) / 9)
    const seen = rows.filter((y) => {
      const at = document.elementFromPoint(x, y)
      return at !== null && (at === of || of.contains(at) || at.contains(of))
    })
    return 1 - seen.length / rows.length / Math.min(1, innerHeight / 2 / box.height)
  })()`)

describe("a request's page", () => {
  it.live("a launch to 5,000 people is understood and approved on a phone: 3 taps, 2 screens of the page", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { approval } = yield* largeLaunch(desk.ours, 5_000)
        yield* inBrowser(async (page, base) => {
          await page.setViewportSize(PHONE)
          await page.goto(`${base}/console/home`)
          let taps = 0
          const tap = async (name: RegExp | string, role: "link" | "button" = "link"): Promise<void> => {
            await page.getByRole(role, { name }).first().click()
            await page.waitForLoadState()
            taps += 1
          }
          await tap(/^Launch /)
          const card = page.getByRole("region", { name: "At a glance" })
          const words = await card.innerText()
          for (const answer of [
            "5,000 leads",
            "at most 2 messages each",
            "09:00 to 17:00 (Europe/Berlin)",
            "ada@acme-mail.test",
            "Free",
            "first request of its kind",
            "1 lead brings a link of its own",
            "3 leads are in another campaign"
          ]) {
            assert.include(words, answer)
          }
          // All of it within two windows, both buttons already in the first.
          const [, bottom] = await edges(page, ".glance")
          assert.isBelow(bottom, 2 * PHONE.height)
          for (const name of ["Decline", "Approve"]) {
            const box = await page.getByRole("button", { name, exact: true }).boundingBox()
            assert.isBelow(box!.y + box!.height, PHONE.height, name)
            assert.isAtLeast(box!.height, 44)
          }
          await tap(/link of its own/)
          assert.isTrue(await page.getByText("login.evil-mail.com").first().isVisible())
          assert.strictEqual(await overflow(page), 0)
          await tap("Approve", "button")
          assert.match(await page.getByRole("status").first().innerText(), /^Approved by/)
          assert.strictEqual(taps, 3)
        })
        assert.strictEqual((yield* desk.find(approval)).state, "approved")
      })
    )
  )

  it.live("nothing that has the focus is behind the bar, and the decision is always in sight", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { approval } = yield* largeLaunch(desk.ours, 60)
        yield* inBrowser(async (page, base) => {
          for (const size of [PHONE, LAPTOP, { width: 800, height: 500 }]) {
            await page.setViewportSize(size)
            await page.goto(`${base}/console/approvals/${approval.approvalId}`)
            await photograph(page, `launch-${size.width}`)
            await photograph(page, `launch-${size.width}-whole`, true)
            assert.strictEqual(await overflow(page), 0)
            assert.deepStrictEqual(await violations(page), [])
            for (const part of [".glance", ".decide"]) {
              assert.isAtLeast((await page.locator(part).boundingBox())!.width, 320, `${size.width} ${part}`)
            }
            const isDone = (): Promise<boolean> => page.evaluate("document.activeElement === document.body")
            await page.keyboard.press("Tab")
            for (let tabs = 0; tabs < 150 && !(await isDone()); tabs += 1) {
              const what = await page.evaluate("document.activeElement.outerHTML.slice(0, 120)")
              assert.isBelow(await hiddenShare(page), 0.5, `${size.width}: ${what}`)
              const [top, bottom] = await edges(page, ".decide")
              assert.isAtLeast(top, 0)
              assert.isAtMost(bottom, size.height + 1)
              await page.keyboard.press("Tab")
            }
          }
        })
      })
    )
  )

  it.live("each risk leads to a part of the page that is there, for every kind of request", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const asked = [
          (yield* largeLaunch(desk.ours, 60, { timezones: [], timezone_unknown: 3 })).approval,
          yield* desk.add(desk.ours, launch),
          yield* desk.add(desk.ours, purchase),
          yield* desk.add(desk.ours, reply)
        ]
        yield* inBrowser(async (page, base) => {
          for (const { approvalId, snapshot } of asked) {
            await page.goto(`${base}/console/approvals/${approvalId}`)
            const dead = await page.evaluate(
              `[...document.querySelectorAll(".glance a[href^='#']")].filter((a) => document.querySelector(a.getAttribute("href")) === null).map((a) => a.textContent)`
            )
            assert.deepStrictEqual(dead, [], snapshot.kind)
          }
        })
      })
    )
  )

  it.live("one lead’s messages are read after the other, to and fro", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { approval, people } = yield* largeLaunch(desk.ours, 3)
        yield* inBrowser(async (page, base) => {
          await page.goto(`${base}/console/approvals/${approval.approvalId}`)
          const messages = page.locator("section[aria-labelledby=messages]")
          const shows = async (index: number): Promise<void> =>
            assert.include(await messages.innerText(), `<${people[index]!.email}>`)
          const go = async (name: string): Promise<void> => {
            await messages.getByRole("link", { name }).click()
            await page.waitForLoadState()
          }
          await shows(0)
          assert.strictEqual(await messages.getByRole("link", { name: "Previous lead" }).count(), 0)
          await go("Next lead")
          await shows(1)
          await go("Next lead")
          await shows(2)
          assert.strictEqual(await messages.getByRole("link", { name: "Next lead" }).count(), 0)
          await go("Previous lead")
          await shows(1)
        })
      })
    )
  )
})
