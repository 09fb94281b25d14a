import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { zoneCookie } from "../src/console/Session.js"
import { momentWords } from "../src/web/Words.js"
import { UTC, ZONES } from "../src/web/Zone.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import type { TrailEvent } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { Memory } from "@outbound/testkit/memory/Memory.js"
import { HttpServer } from "../src/HttpServer.js"
import { browser, enter } from "./support/Browser.js"
import { consoleHost } from "./support/ConsoleHost.js"
import { pagesOf } from "./support/pages.js"
import { Desk } from "./support/Desk.js"
import { BASE, furnished, run, send, visitor } from "./support/Visitor.js"

const SETTINGS = "/console/settings"

describe("a reader's time zone", () => {
  it("every zone of the list survives its cookie, and anything else is UTC", () => {
    for (const baseUrl of [BASE, "https://outbound.test"]) {
      for (const zone of ZONES) {
        const [kept = ""] = zoneCookie.set(baseUrl, zone).split(";")
        assert.strictEqual(zoneCookie.read(baseUrl, `a=b; ${kept}`), zone)
      }
    }
    for (const value of ["", "Mars/Olympus", "europe/berlin", "<script>", "%E0%A4%A"]) {
      assert.strictEqual(zoneCookie.read(BASE, `outbound_zone=${value}`), UTC)
    }
    assert.strictEqual(zoneCookie.read(BASE, undefined), UTC)
  })

  it("is known by each name that a browser has for it", () => {
    const named = [
      ["Asia/Kolkata", "Asia/Calcutta"],
      ["Europe/Kyiv", "Europe/Kiev"],
      ["America/Argentina/Buenos_Aires", "America/Buenos_Aires"],
      ["US/Pacific", "America/Los_Angeles"],
      ["Etc/UTC", UTC]
    ] as const
    for (const [name, zone] of named) {
      // Node's list may take up the newer name one day.
      assert.include([zone, name], zoneCookie.read(BASE, `outbound_zone=${encodeURIComponent(name)}`))
      assert.include(ZONES, zoneCookie.read(BASE, `outbound_zone=${encodeURIComponent(name)}`))
    }
  })

  it("names itself beside each time, in summer and in winter", () => {
    const [summer, winter] = [Date.UTC(2026, 6, 1, 22, 30), Date.UTC(2026, 0, 1, 12)]
    assert.strictEqual(momentWords(summer), "1 Jul 2026, 22:30 UTC")
    assert.strictEqual(momentWords(summer, "Europe/Berlin"), "2 Jul 2026, 00:30 CEST")
    assert.strictEqual(momentWords(winter, "Europe/Berlin"), "1 Jan 2026, 13:00 CET")
  })

  it.live("is chosen in the settings, and then each page shows times in it, and tells UTC", () =>
    run(
      Effect.gen(function* () {
        const { ours } = yield* Desk
        const { campaignId } = yield* furnished
        const member = yield* visitor(ours, "member")
        const path = `/console/campaigns/${campaignId}`
        const shown = />(\d+ \w+ \d{4}, \d\d:\d\d) UTC<\/time>/
        assert.match((yield* member.get(path)).text, shown)
        assert.include((yield* member.get(SETTINGS)).text, "data-offers-zone")

        const done = yield* member.post(`${SETTINGS}/zone`, { zone: "Asia/Tokyo" })
        assert.deepStrictEqual([done.status, done.headers.get("location")], [303, `${SETTINGS}?done=zone`])
        const kept = (done.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
        const cookie = `${member.cookie}; ${kept}`
        const { text } = yield* send("GET", path, { cookie })
        assert.match(text, /title="\d+ \w+ \d{4}, \d\d:\d\d UTC">\d+ \w+ \d{4}, \d\d:\d\d GMT\+9<\/time>/)
        assert.notMatch(text, shown)
        const settings = (yield* send("GET", SETTINGS, { cookie })).text
        assert.notInclude(settings, "data-offers-zone")
        assert.match(settings, /<option value="Asia\/Tokyo" selected/)
      })
    )
  )

  it.live("holds on every page: no page shows a moment in UTC beside it", () =>
    run(
      Effect.gen(function* () {
        const { ours } = yield* Desk
        const of = yield* furnished
        const member = yield* visitor(ours)
        const cookie = `${member.cookie}; outbound_zone=Asia%2FTokyo`
        const raw: Array<string> = []
        let moments = 0
        for (const { name, path } of pagesOf(of)) {
          const { status, text } = yield* send("GET", path, { cookie })
          assert.strictEqual(status, 200, name)
          const body = text.slice(text.indexOf("<main"))
          for (const [, title = "", words = ""] of body.matchAll(/<time[^>]*?(title="[^"]*")?>([^<]*)<\/time>/g)) {
            moments += 1
            if (title === "" || words.includes("UTC")) raw.push(`${name}: ${words}`)
          }
          const seen = body.replaceAll(/<textarea.*?<\/textarea>|<time.*?<\/time>|<[^>]*>/gs, " ")
          raw.push(
            ...(seen.match(/\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?: UTC|Z)|\d{4}-\d\d-\d\dT\d\d/g) ?? []).map(
              (one) => `${name}: ${one}`
            )
          )
        }
        assert.deepStrictEqual(raw, [])
        assert.isAbove(moments, 200)
      })
    )
  )

  it.live("makes the trail's days and hours, and what its filter means by a day", () =>
    run(
      Effect.gen(function* () {
        const { ours } = yield* Desk
        const memory = yield* Memory
        const ids = yield* Ids
        // 23:30 UTC on the second is the third in Tokyo.
        const observedAtMillis = Date.UTC(2026, 2, 2, 23, 30)
        const event: TrailEvent = {
          eventId: ids.next(observedAtMillis),
          workspaceId: ours.workspaceId,
          kind: "paused",
          source: "console",
          observedAtMillis,
          campaignId: null,
          campaignLeadId: null,
          replyId: null,
          requestId: null,
          operationId: null,
          email: null,
          detail: {}
        }
        yield* memory.atomically(memory.write(({ trail }) => trail.insert(event.eventId, event)))
        const member = yield* visitor(ours)
        const cookie = `${member.cookie}; outbound_zone=Asia%2FTokyo`
        const on = (day: string, of = cookie) =>
          Effect.map(send("GET", `/console/trail?since=${day}&until=${day}`, { cookie: of }), ({ text }) => text)
        const there = yield* on("2026-03-03")
        for (const words of [
          "<h2>Tuesday, 3 March 2026</h2>",
          ">08:30</time>",
          "2 Mar 2026, 23:30 UTC",
          "Asia/Tokyo"
        ]) {
          assert.include(there, words)
        }
        assert.include(yield* on("2026-03-02"), "No event matches.")
        const inUtc = yield* on("2026-03-02", member.cookie)
        assert.include(inUtc, "<h2>Monday, 2 March 2026</h2>")
        assert.include(inUtc, ">23:30</time>")
      })
    )
  )

  it.live("is the browser's where scripts run and nothing was chosen, and UTC where UTC was chosen", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpServer
      const { context } = yield* browser
      const desk = yield* Desk
      const base = `http://127.0.0.1:${port}`
      const of = yield* furnished
      const link = `${base}/console/sign-in?token=${yield* desk.link(desk.ours)}`
      yield* Effect.promise(async () => {
        const page = await context.newPage()
        const session = await context.newCDPSession(page)
        await session.send("Emulation.setTimezoneOverride", { timezoneId: "Asia/Tokyo" })
        await enter(page, link)
        await page.goto(`${base}/console/campaigns/${of.campaignId}`)
        await page.locator("main time", { hasText: "GMT+9" }).first().waitFor()
        await page.goto(`${base}/console/keys`)
        assert.include(await page.locator("main").innerText(), "GMT+9")
        await page.goto(`${base}/console/settings`)
        assert.strictEqual(await page.getByLabel("Show times in").inputValue(), "Asia/Tokyo")
        await page.getByLabel("Show times in").selectOption("UTC")
        await page.getByRole("button", { name: "Save time zone" }).click()
        const opened = page.waitForResponse(`${base}/console/events`)
        await page.goto(`${base}/console/campaigns/${of.campaignId}`)
        await opened
        assert.notInclude(await page.locator("main").innerText(), "GMT+9")
      })
    }).pipe(Effect.provide(consoleHost(BASE)), Effect.scoped)
  )

  it.live("that is none of the list is refused, and changes nothing", () =>
    run(
      Effect.gen(function* () {
        const { ours } = yield* Desk
        const member = yield* visitor(ours, "member")
        for (const zone of ["", "Mars/Olympus", "UTC; Path=/"]) {
          const refused = yield* member.post(`${SETTINGS}/zone`, { zone })
          assert.strictEqual(refused.status, 400, zone)
          assert.isNull(refused.headers.get("set-cookie"), zone)
        }
      })
    )
  )
})
