import { assert, describe, it } from "@effect/vitest"
import { AttentionStore } from "@outbound/domain/control/attention/AttentionStore.js"
import { foundBy, PLANTED } from "@outbound/domain/control/attention/plan.js"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import { DEFAULT_RULES } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { Effect } from "effect"
import { HttpServer } from "../src/HttpServer.js"
import { browser, enter, overflow, violations } from "./support/Browser.js"
import { Desk } from "./support/Desk.js"
import { largeLaunch } from "./support/largeLaunch.js"
import { run, visitor } from "./support/Visitor.js"

const LEADS = 2_000

/** A request above the rule, and somebody who may decide it. */
const asked = (leads = LEADS) =>
  Effect.gen(function* () {
    const { ours } = yield* Desk
    const { atomically } = yield* UnitOfWork
    const rules = yield* RuleStore
    yield* Effect.orDie(atomically(rules.setRules(ours.workspaceId, { ...DEFAULT_RULES, attentionAbove: 500 })))
    const { approval } = yield* largeLaunch(ours, leads)
    const path = `/console/approvals/${approval.approvalId}`
    return { approval, path, digest: { digest: approval.snapshotDigest } }
  })

type Somebody = Effect.Success<ReturnType<typeof visitor>>

const plansOf = (approvalId: string) =>
  Effect.gen(function* () {
    const { ours } = yield* Desk
    return yield* Effect.orDie(
      Effect.flatMap(AttentionStore, (store) => store.ofApproval(ours.workspaceId, approvalId))
    )
  })

/** Says of each item whether it is wrong, as somebody who sees each planted fault does. */
const lookAtAll = (who: Somebody, path: string, until?: number) =>
  Effect.gen(function* () {
    yield* who.post(`${path}/look/begin`, { share: "0.1" })
    const approvalId = path.split("/").at(-1)!
    const plan = (yield* plansOf(approvalId)).at(-1)!.plan
    for (const [at, item] of plan.items.slice(0, until).entries()) {
      const verdict = item.kind === "planted" ? "wrong" : "right"
      assert.strictEqual((yield* who.post(`${path}/look/say`, { at: String(at), verdict })).status, 303)
    }
    return plan
  })

const eventOf = (kind: "approved" | "declined") =>
  Effect.gen(function* () {
    const { ours } = yield* Desk
    const trail = yield* TrailStore
    const page = yield* Effect.orDie(
      trail.page({
        workspaceId: ours.workspaceId,
        campaignId: null,
        email: null,
        kinds: [kind],
        sinceMillis: null,
        untilMillis: null,
        limit: 1,
        after: null
      })
    )
    return page[0]!.detail as { readonly attention: ReadonlyArray<object> }
  })

describe("attention before a large launch", () => {
  it.live("is asked in words until all was looked at, concludes before the decision, and stands on the trail", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { approval, digest, path } = yield* asked()
        const owner = yield* visitor(desk.ours)
        const before = (yield* owner.get(path)).text
        assert.include(before, "Look before you approve")
        assert.notInclude(before, `action="${path}/approve"`)
        const refused = yield* owner.post(`${path}/approve`, digest)
        assert.strictEqual(refused.status, 409)
        assert.include(refused.text, "asks you to look at some of the messages before you approve so many")
        assert.strictEqual((yield* desk.find(approval)).state, "pending")

        const part = yield* lookAtAll(owner, path, 5)
        assert.strictEqual((yield* owner.post(`${path}/approve`, digest)).status, 409)
        const plan = yield* lookAtAll(owner, path)
        assert.strictEqual(plan.seed, part.seed)
        const page = (yield* owner.get(path)).text.replaceAll(/<[^>]*>/g, "")
        const real = plan.items.length - PLANTED
        const { wrongAtMost } = foundBy(
          plan,
          plan.items.map((_, position) => ({ position, isWrong: false, atMillis: 1 }))
        )
        assert.isAtMost(wrongAtMost, LEADS / 10)
        assert.match(
          page,
          new RegExp(`${real} of 2,000 looked at, none wrong: at most (9\\.\\d|10) % could be wrong, 95 % sure`)
        )
        assert.strictEqual((yield* owner.post(`${path}/approve`, digest)).status, 303)
        assert.strictEqual((yield* desk.find(approval)).state, "approved")
        const [told] = (yield* eventOf("approved")).attention
        assert.deepStrictEqual(told, {
          by: desk.ours.email,
          seed: plan.seed,
          people: LEADS,
          looked_at: real,
          wrong: 0,
          wrong_at_most: wrongAtMost,
          planted: PLANTED,
          caught: PLANTED,
          complete: true
        })
        // What was said stays as it was.
        assert.strictEqual((yield* owner.post(`${path}/look/say`, { at: "0", verdict: "wrong" })).status, 409)
        assert.include((yield* owner.get(path)).text, `${PLANTED} of ${PLANTED} planted faults seen`)
        const rates = (yield* owner.get("/console/approvals/attention")).text
        assert.include(rates, `${PLANTED} of ${PLANTED}`)
        assert.include(rates, "100 %")
      })
    )
  )

  it.live("is drawn once, whichever window asks first; a verdict that is sent twice counts once", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { approval, path } = yield* asked()
        const [one, other] = [yield* visitor(desk.ours), yield* visitor(desk.ours)]
        yield* Effect.all([one.post(`${path}/look/begin`), other.post(`${path}/look/begin`, { share: "0.03" })], {
          concurrency: 2
        })
        const [drawn, ...more] = yield* plansOf(approval.approvalId)
        assert.lengthOf(more, 0)
        yield* Effect.all(
          [one, other, one].map((who) => who.post(`${path}/look/say`, { at: "0", verdict: "right" })),
          { concurrency: 3 }
        )
        yield* other.post(`${path}/look/say`, { at: "0", verdict: "wrong" })
        const [after] = yield* plansOf(approval.approvalId)
        assert.strictEqual(after!.plan.seed, drawn!.plan.seed)
        assert.deepStrictEqual(
          after!.looks.map(({ isWrong, position }) => [position, isWrong]),
          [[0, true]]
        )
        // Nonsense changes nothing.
        for (const form of [
          { at: "9999", verdict: "right" },
          { at: "-1", verdict: "right" },
          { at: "1", verdict: "x" }
        ]) {
          assert.strictEqual((yield* one.post(`${path}/look/say`, form)).status, 409)
        }
        assert.strictEqual((yield* visitor(desk.theirs)).cookie.length > 0, true)
        const stranger = yield* visitor(desk.theirs)
        assert.strictEqual((yield* stranger.get(`${path}/look`)).status, 404)
        yield* stranger.post(`${path}/look/begin`)
        assert.lengthOf(yield* plansOf(approval.approvalId), 1)
      })
    )
  )

  it.live("each of two people looks at messages of their own, and the first one's stay as they were", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { atomically } = yield* UnitOfWork
        const approvals = yield* ApprovalStore
        const both = { recipientsAbove: 100, creditsAbove: null, excludesKeyOwner: false }
        yield* Effect.orDie(atomically(approvals.setRules(desk.ours.workspaceId, both)))
        const { approval, digest, path } = yield* asked()
        const [first, second] = [yield* visitor(desk.ours), yield* visitor(desk.ours, "member")]
        yield* lookAtAll(first, path)
        assert.strictEqual((yield* second.post(`${path}/approve`, digest)).status, 409)
        assert.strictEqual((yield* first.post(`${path}/approve`, digest)).status, 303)
        assert.strictEqual((yield* first.post(`${path}/look/say`, { at: "0", verdict: "wrong" })).status, 409)
        yield* lookAtAll(second, path)
        assert.strictEqual((yield* second.post(`${path}/approve`, digest)).status, 303)
        assert.strictEqual((yield* desk.find(approval)).state, "approved")
        const plans = yield* plansOf(approval.approvalId)
        assert.strictEqual(new Set(plans.map(({ plan }) => plan.seed)).size, 2)
        assert.lengthOf((yield* eventOf("approved")).attention, 2)
      })
    )
  )

  it.live("is not asked of what is small, and declining needs none", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const owner = yield* visitor(desk.ours)
        const small = yield* asked(100)
        assert.notInclude((yield* owner.get(small.path)).text, "Look before you approve")
        assert.strictEqual((yield* owner.get(`${small.path}/look`)).status, 404)
        assert.strictEqual((yield* owner.post(`${small.path}/approve`, small.digest)).status, 303)
        const large = yield* asked()
        assert.strictEqual((yield* owner.post(`${large.path}/decline`, large.digest)).status, 303)
        assert.strictEqual((yield* desk.find(large.approval)).state, "declined")
      })
    )
  )

  it.live("is looked at on a phone, one message and one tap at a time, without barriers", () =>
    run(
      Effect.scoped(
        Effect.gen(function* () {
          const desk = yield* Desk
          const { port } = yield* HttpServer
          const { context } = yield* browser
          const { approval, path } = yield* asked()
          const base = `http://127.0.0.1:${port}`
          const link = `${base}/console/sign-in?token=${yield* desk.link(desk.ours)}`
          const pictures = process.env["OUTBOUND_TEST_PICTURES"]
          yield* Effect.promise(async () => {
            const page = await context.newPage()
            await page.setViewportSize({ width: 390, height: 844 })
            await enter(page, link)
            await page.goto(base + path)
            assert.deepStrictEqual(await violations(page), [])
            await page.getByRole("link", { name: "Look first" }).click()
            await page.waitForLoadState()
            assert.deepStrictEqual(await violations(page), [])
            await page.getByRole("button", { name: "Begin" }).click()
            await page.waitForLoadState()
            assert.deepStrictEqual(await violations(page), [])
            assert.strictEqual(await overflow(page), 0)
            if (pictures !== undefined) await page.screenshot({ path: `${pictures}/look-390.png` })
            const heading = page.getByRole("heading", { level: 1 })
            assert.match(await heading.innerText(), new RegExp(`^Message 1 of ${1 + 29 + PLANTED}$`))
            for (const name of ["Looks right", "Something is wrong"]) {
              await page.getByRole("button", { name }).click()
              await page.waitForLoadState()
            }
            assert.match(await heading.innerText(), /^Message 3 of/)
            await page.getByRole("link", { name: "Back to the one before" }).click()
            await page.waitForLoadState()
            assert.match(await heading.innerText(), /^Message 2 of/)
          })
          const looks = (yield* plansOf(approval.approvalId))[0]!.looks
          assert.deepStrictEqual(
            looks.map(({ isWrong }) => isWrong),
            [false, true]
          )
        })
      )
    )
  )
})
