import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { zoneCookie } from "../src/console/Session.js"
import { momentWords } from "../src/web/Words.js"
import { UTC, ZONES } from "../src/web/Zone.js"
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
