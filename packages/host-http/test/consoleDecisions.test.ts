import { assert, describe, it } from "@effect/vitest"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"
import { HttpServer } from "../src/HttpServer.js"
import { browser, enter, violations } from "./support/Browser.js"
import { launch, purchase } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { run, visitor } from "./support/Visitor.js"

describe("changing one's mind about an approval in the console", () => {
  it.live("who declines may say why; too long a reason changes nothing", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const member = yield* visitor(desk.ours, "member")
        const approval = yield* desk.add(desk.ours, launch)
        const path = `/console/approvals/${approval.approvalId}`
        const form = { digest: approval.snapshotDigest }
        const long = yield* member.post(`${path}/decline`, { ...form, reason: "x".repeat(501) })
        assert.strictEqual(long.status, 400)
        assert.strictEqual((yield* desk.find(approval)).state, "pending")
        const said = yield* member.post(`${path}/decline`, { ...form, reason: " <b>Too many</b> people. " })
        assert.strictEqual(said.status, 303)
        const { declineReason, state } = yield* desk.find(approval)
        assert.deepStrictEqual([state, declineReason], ["declined", "<b>Too many</b> people."])
        assert.include((yield* member.get(path)).text, "Reason: &lt;b>Too many&lt;/b> people.")
        assert.include((yield* member.get("/console/trail?kind=declined")).text, "“&lt;b>Too many")

        const silent = yield* desk.add(desk.ours, launch)
        yield* member.post(`/console/approvals/${silent.approvalId}/decline`, { digest: silent.snapshotDigest })
        assert.isNull((yield* desk.find(silent)).declineReason)
        // An approval has no such reason.
        const agreed = yield* desk.add(desk.ours, launch)
        const yes = { digest: agreed.snapshotDigest, reason: "fine" }
        yield* member.post(`/console/approvals/${agreed.approvalId}/approve`, yes)
        assert.isNull((yield* desk.find(agreed)).declineReason)
      })
    )
  )

  it.live("what is approved and not used is withdrawn by who may approve it, and by nobody else", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const [owner, stranger] = [yield* visitor(desk.ours), yield* visitor(desk.theirs)]
        const pending = yield* desk.add(desk.ours, purchase)
        const path = `/console/approvals/${pending.approvalId}`
        const label = "Withdraw the approval"
        assert.notInclude((yield* owner.get(path)).text, label)
        assert.strictEqual((yield* owner.post(`${path}/withdraw`)).status, 409)
        yield* owner.post(`${path}/approve`, { digest: pending.snapshotDigest })
        assert.include((yield* owner.get(path)).text, label)
        assert.strictEqual((yield* stranger.post(`${path}/withdraw`)).status, 404)
        assert.strictEqual((yield* owner.post(`${path}/withdraw`, { csrf: "forged" })).status, 403)
        assert.strictEqual((yield* desk.find(pending)).state, "approved")
        const done = yield* owner.post(`${path}/withdraw`)
        assert.deepStrictEqual([done.status, done.headers.get("location")], [303, path])
        assert.strictEqual((yield* desk.find(pending)).state, "cancelled")
        const after = (yield* owner.get(path)).text
        assert.notInclude(after, label)
        assert.include(after, "Its approval was withdrawn")

        const { decidedByUserId } = yield* desk.find(pending)
        const own = yield* desk.add(desk.ours, launch, { state: "approved", excludedUserId: decidedByUserId })
        const theirs = `/console/approvals/${own.approvalId}`
        assert.notInclude((yield* owner.get(theirs)).text, label)
        assert.strictEqual((yield* owner.post(`${theirs}/withdraw`)).status, 409)
        assert.strictEqual((yield* desk.find(own)).state, "approved")
      })
    )
  )

  it.live("a purchase's page shows the first month, with the figures of the moment of asking, for ever", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const credits = yield* CreditStore
        const { atomically } = yield* UnitOfWork
        const owner = yield* visitor(desk.ours)
        const approval = yield* desk.add(desk.ours, purchase)
        const path = `/console/approvals/${approval.approvalId}`
        const page = Effect.map(owner.get(path), ({ text }) => text.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " "))
        const figures = [
          "5,250 credits for the first month: 3,000 credits now, 2,250 credits when the mailboxes are active",
          "5,000 credits when it was asked for, 2,000 credits after buying, 250 credits missing after the first month"
        ]
        const waiting = yield* page
        for (const figure of figures) assert.include(waiting, figure)
        assert.include(waiting, "too little")
        const { workspaceId } = desk.ours
        const entry = { workspaceId, kind: "grant", countsAsPaymentMethod: true, requestId: null } as const
        yield* atomically(
          credits.add({ ...entry, entryId: approval.approvalId, amount: fromMicros(9_000_000_000n), atMillis: 1 })
        )
        const rich = yield* page
        for (const figure of figures) assert.include(rich, figure)
        assert.notInclude(rich, "too little")
        yield* owner.post(`${path}/approve`, { digest: approval.snapshotDigest })
        const decided = yield* page
        for (const figure of figures) assert.include(decided, figure)
      })
    )
  )

  it.live("both work without scripts, on a phone, without barriers", () =>
    run(
      Effect.scoped(
        Effect.gen(function* () {
          const desk = yield* Desk
          const { port } = yield* HttpServer
          const { context } = yield* browser
          const [declined, approved] = [yield* desk.add(desk.ours, launch), yield* desk.add(desk.ours, purchase)]
          const base = `http://127.0.0.1:${port}`
          const link = `${base}/console/sign-in?token=${yield* desk.link(desk.ours)}`
          yield* Effect.promise(async () => {
            const page = await context.newPage()
            await page.setViewportSize({ width: 390, height: 800 })
            await enter(page, link)
            await page.goto(`${base}/console/approvals/${declined.approvalId}`)
            await page.getByText("Decline and say why").click()
            assert.deepStrictEqual(await violations(page), [])
            await page.getByLabel("Reason, for the agent").fill("Not this week.")
            await page.getByRole("button", { name: "Decline with this reason" }).click()
            await page.getByText("Reason: Not this week.").waitFor()
            await page.goto(`${base}/console/approvals/${approved.approvalId}`)
            await page.getByRole("button", { name: "Approve" }).click()
            await page.getByRole("button", { name: "Withdraw the approval" }).click()
            await page.getByText("Its approval was withdrawn").waitFor()
            assert.deepStrictEqual(await violations(page), [])
          })
        })
      )
    )
  )
})
