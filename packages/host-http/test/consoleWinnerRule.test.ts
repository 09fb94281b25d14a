import { assert, describe, it } from "@effect/vitest"
import type { ApprovalSnapshot } from "@outbound/domain/calls/approvals/Snapshot.js"
import type { WinnerRule } from "@outbound/domain/outreach/campaigns/winnerRule.js"
import { Clock, Effect } from "effect"
import { HttpServer } from "../src/HttpServer.js"
import { browser, enter, violations } from "./support/Browser.js"
import { launch } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { varied } from "./support/Varied.js"
import { run, visitor } from "./support/Visitor.js"

const LABEL = "When the evidence is strong enough, send only the better variant from then on"
const BOUND = "at most 5 % of campaigns would name a winner"

const offering = (is_on: boolean): ApprovalSnapshot => ({
  ...(launch as Extract<ApprovalSnapshot, { readonly kind: "launch" }>),
  winner_rule: { is_on, false_winners_percent: 5 }
})

const ruleOf = (nowMillis: number): WinnerRule => ({
  isOn: true,
  approvalId: "0197c3a0-0000-7000-8000-00000000000d",
  sinceMillis: nowMillis,
  choices: []
})

/** A page without entities and tags, its spaces one. */
const plainOf = (html: string): string => html.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ")

describe("the rule that chooses variants, on an approval's page", () => {
  it.live("is offered unticked, says what is strong enough, and is approved only if it is ticked", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const member = yield* visitor(desk.ours, "member")
        for (const ticked of [true, false]) {
          const approval = yield* desk.add(desk.ours, offering(false))
          const path = `/console/approvals/${approval.approvalId}`
          const { text } = yield* member.get(path)
          const box = /<input id="f-winner_rule"[^>]*>/.exec(text)![0]
          assert.notInclude(box, "checked")
          assert.include(text, LABEL)
          assert.include(text, BOUND)
          const form = { digest: approval.snapshotDigest, ...(ticked ? { winner_rule: "on" } : {}) }
          assert.strictEqual((yield* member.post(`${path}/approve`, form)).status, 303)
          const { approvesWinnerRule, state } = yield* desk.find(approval)
          assert.deepStrictEqual([state, approvesWinnerRule], ["approved", ticked])
          const after = (yield* member.get(path)).text
          assert.include(after, ticked ? "Approved too" : "was offered, and was not approved")
          assert.notInclude(after, LABEL)
        }
        const history = (yield* member.get("/console/settings/history")).text
        assert.lengthOf(history.match(/Rule that chooses variants switched/g)!, 1)
        assert.include(history, "on once the request is executed")
      })
    )
  )

  it.live(
    "is not offered where it is on, where no message has variants, and to who declines; nor taken with another digest",
    () =>
      run(
        Effect.gen(function* () {
          const desk = yield* Desk
          const member = yield* visitor(desk.ours)
          for (const snapshot of [offering(true), launch]) {
            const approval = yield* desk.add(desk.ours, snapshot)
            const path = `/console/approvals/${approval.approvalId}`
            const { text } = yield* member.get(path)
            assert.notInclude(text, LABEL)
            assert.strictEqual(text.includes("A rule is on that was approved before"), snapshot !== launch)
            yield* member.post(`${path}/approve`, { digest: approval.snapshotDigest, winner_rule: "on" })
            const { approvesWinnerRule, state } = yield* desk.find(approval)
            assert.deepStrictEqual([state, approvesWinnerRule], ["approved", false])
          }
          const approval = yield* desk.add(desk.ours, offering(false))
          const path = `/console/approvals/${approval.approvalId}`
          assert.strictEqual(
            (yield* member.post(`${path}/approve`, { digest: "other", winner_rule: "on" })).status,
            409
          )
          yield* member.post(`${path}/decline`, { digest: approval.snapshotDigest, winner_rule: "on" })
          const { approvesWinnerRule, state } = yield* desk.find(approval)
          assert.deepStrictEqual([state, approvesWinnerRule], ["declined", false])
        })
      )
  )
})

describe("the rule that chooses variants, on a campaign's page", () => {
  it.live("says whether it is on, and what it chose and when; only an owner switches it off", () =>
    run(
      Effect.gen(function* () {
        const { ours, path, put, rule } = yield* varied
        const nowMillis = yield* Clock.currentTimeMillis
        const [owner, member] = [yield* visitor(ours), yield* visitor(ours, "member")]
        const { theirs } = yield* Desk
        assert.include(plainOf((yield* owner.get(path)).text), "no rule was approved")
        yield* put(ruleOf(nowMillis), null)
        const on = (yield* owner.get(path)).text
        assert.include(plainOf(on), "only the better variant of a message is sent from then on. This rule is on since")
        assert.include(on, `/console/approvals/${ruleOf(0).approvalId}`)
        assert.include(on, "Switch the rule off")
        assert.notInclude((yield* member.get(path)).text, "Switch the rule off")

        const choices = [{ stepIndex: 0, variant: 1, atMillis: nowMillis, answers: [0, 20] }]
        yield* put({ ...ruleOf(nowMillis), choices }, 1)
        const chose = plainOf((yield* owner.get(path)).text)
        assert.include(chose, "The approved rule chose variant B")
        assert.include(chose, "when the replies were: A 0, B 20.")
        assert.notInclude(chose, "A person has chosen another since")
        yield* put({ ...ruleOf(nowMillis), choices }, 0)
        assert.include(plainOf((yield* owner.get(path)).text), "A person has chosen another since")

        const to = `${path}/winner-rule`
        assert.strictEqual((yield* member.post(to)).status, 403)
        assert.strictEqual((yield* owner.post(to, { csrf: "forged" })).status, 403)
        assert.strictEqual((yield* (yield* visitor(theirs)).post(to)).status, 404)
        assert.isTrue((yield* rule)?.isOn)
        const done = yield* owner.post(to)
        assert.deepStrictEqual([done.status, done.headers.get("location")], [303, `${path}#steps`])
        assert.isFalse((yield* rule)?.isOn)
        const off = (yield* owner.get(path)).text
        assert.include(plainOf(off), "the rule was switched off")
        assert.notInclude(off, "Switch the rule off")
      })
    )
  )
})

describe("the rule that chooses variants, in a browser", () => {
  it.live("is ticked and approved without scripts, and both pages have no barriers", () =>
    run(
      Effect.scoped(
        Effect.gen(function* () {
          const { port } = yield* HttpServer
          const { context } = yield* browser
          const desk = yield* Desk
          const { path, put } = yield* varied
          const base = `http://127.0.0.1:${port}`
          const nowMillis = yield* Clock.currentTimeMillis
          const choices = [{ stepIndex: 0, variant: 1, atMillis: nowMillis, answers: [0, 20] }]
          yield* put({ ...ruleOf(nowMillis), choices }, 1)
          const approval = yield* desk.add(desk.ours, offering(false))
          const link = `${base}/console/sign-in?token=${yield* desk.link(desk.ours)}`
          yield* Effect.promise(async () => {
            const page = await context.newPage()
            await enter(page, link)
            await page.goto(`${base}/console/approvals/${approval.approvalId}`)
            assert.deepStrictEqual(await violations(page), [])
            const box = page.getByRole("checkbox", { name: LABEL })
            assert.isFalse(await box.isChecked())
            await box.check()
            await page.getByRole("button", { name: "Approve" }).click()
            await page.getByText("Approved too").waitFor()
            await page.goto(base + path)
            await page.locator("section[aria-labelledby=steps] summary").first().click()
            await page.getByText("The approved rule chose variant B").waitFor()
            assert.deepStrictEqual(await violations(page), [])
          })
          assert.isTrue((yield* desk.find(approval)).approvesWinnerRule)
        })
      )
    )
  )
})
