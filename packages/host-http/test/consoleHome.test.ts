import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { purchase, reply } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { furnished, run, visitor } from "./support/Visitor.js"

describe("the home page", () => {
  it.live("says what is wrong with the way to mend it, and nothing where all is well", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        yield* furnished
        const page = (yield* (yield* visitor(desk.ours)).get("/console/home")).text
        const strip = /<div class="note bad">.*?<\/div>/s.exec(page)?.[0] ?? ""
        assert.include(strip, '1 paused mailbox. <a href="/console/sending">See why, and resume it</a>')
        assert.include(strip, '<a href="/console/alerts">')
        assert.notInclude(page, "Three steps")
        const other = (yield* (yield* visitor(desk.theirs)).get("/console/home")).text
        assert.notInclude(other, "note bad")
      })
    )
  )

  it.live("shows three steps where nothing is there yet, and no more once something waits", () =>
    run(
      Effect.gen(function* () {
        const { ours, ...desk } = yield* Desk
        const owner = yield* visitor(ours)
        assert.include((yield* owner.get("/console/home")).text, "Three steps to the first campaign")
        yield* desk.add(ours, reply)
        assert.notInclude((yield* owner.get("/console/home")).text, "Three steps to the first campaign")
      })
    )
  )

  it.live("lists what waits with what ends first at the top", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        for (const [to, minutes] of [
          ["late@x.test", 50],
          ["soon@x.test", 5],
          ["middle@x.test", 20]
        ] as const) {
          yield* desk.add(desk.ours, { ...reply, to_email: to }, { expiresAtMillis: Date.now() + minutes * 60_000 })
        }
        const page = (yield* (yield* visitor(desk.ours)).get("/console/home")).text
        assert.deepStrictEqual(
          [...page.matchAll(/Reply to (\w+)@x\.test/g)].map(([, name]) => name),
          ["soon", "middle", "late"]
        )
      })
    )
  )

  it.live(
    "a short answer without a risk is decided where it stands, by exactly what it shows; no other request is",
    () =>
      run(
        Effect.gen(function* () {
          const desk = yield* Desk
          const short = yield* desk.add(desk.ours, reply)
          const declined = yield* desk.add(desk.ours, { ...reply, to_email: "other@x.test" })
          const long = yield* desk.add(desk.ours, { ...reply, body_text: "x".repeat(1_501) })
          const bought = yield* desk.add(desk.ours, purchase)
          const owner = yield* visitor(desk.ours)
          const page = (yield* owner.get("/console/home")).text
          const action = ({ approvalId }: { readonly approvalId: string }) => `/console/approvals/${approvalId}/approve`
          assert.include(page, `action="${action(short)}"`)
          assert.include(page, "Thursday works.\n\n&lt;b>Ada&lt;/b>")
          assert.notInclude(page, action(long))
          assert.notInclude(page, action(bought))
          // Nobody decides by another text than the one that was shown.
          const forged = yield* owner.post(action(short), { digest: long.snapshotDigest, after: "home" })
          assert.strictEqual(forged.status, 409)
          assert.strictEqual((yield* desk.find(short)).state, "pending")
          const done = yield* owner.post(action(short), { digest: short.snapshotDigest, after: "home" })
          const back = done.headers.get("location") ?? ""
          assert.strictEqual(back, `/console/home?approval=approved&of=${short.approvalId}`)
          assert.include((yield* owner.get(back)).text, "Approved.")
          assert.strictEqual((yield* desk.find(short)).state, "approved")
          const decline = `/console/approvals/${declined.approvalId}/decline`
          yield* owner.post(decline, { digest: declined.snapshotDigest, after: "home" })
          assert.strictEqual((yield* desk.find(declined)).state, "declined")
          // A reader sees the answer, and no button.
          const read = (yield* (yield* visitor(desk.ours, "reader")).get("/console/home")).text
          assert.notInclude(read, "/approve")
        })
      )
  )

  it.live("mixes requests and replies; a reply is handled there, and that is taken back", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        yield* furnished
        const owner = yield* visitor(desk.ours)
        const page = (yield* owner.get("/console/home")).text
        assert.include(page, "asks a question")
        assert.include(page, "left</span>")
        const id = /name="reply" value="([0-9a-f-]+)"/.exec(page)?.[1] ?? ""
        const done = yield* owner.post("/console/replies/bulk", { reply: id, what: "handle", after: "home" })
        const back = done.headers.get("location") ?? ""
        assert.match(back, /^\/console\/home\?done=handled&at=\d+&of=/)
        const after = (yield* owner.get(back)).text
        assert.include(after, "1 reply: Marked as handled.")
        assert.include(after, ">Undo<")
        assert.notInclude(after, `name="reply" value="${id}"/><input type="hidden" name="what" value="handle"`)
      })
    )
  )

  it.live("compares campaigns of a period by any column, with what each share is of", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { campaignId } = yield* furnished
        const owner = yield* visitor(desk.ours)
        const page = (yield* owner.get("/console/home?days=30")).text
        const row = new RegExp(`<a href="/console/campaigns/${campaignId}">.*?</tr>`, "s").exec(page)?.[0] ?? ""
        const cells = [...row.matchAll(/<td class="number">([\d,]+) <span class="soft">([\d.]*)/g)].map(
          ([, n = "", share = ""]) => [Number(n), share]
        )
        // 39 people: nobody knows whether one message left.
        assert.deepStrictEqual(cells, [
          [39, ""],
          [39, ""],
          [6, "15.4"],
          [2, "5.1"],
          [2, "5.1"],
          [1, "2.6"]
        ])
        const own = (yield* owner.get(`/console/campaigns/${campaignId}`)).text
        assert.match(own, /<span class="big">39<\/span> written to/)
        assert.match(own, /<span class="big">6<\/span> replied/)
        assert.match(own, /<span class="big">2<\/span> interested/)
        const sorted = (yield* owner.get("/console/home?days=30&sort=bounced")).text
        assert.match(sorted, /aria-sort="descending"><a href="[^"]*sort=bounced#campaigns">/)
        assert.include(page, "Most on ")
        assert.strictEqual([...page.matchAll(/<svg class="spark"/g)].length, 4)
      })
    )
  )
})
