import { assert, describe, it } from "@effect/vitest"
import type { Campaign } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { Memory } from "@outbound/testkit/memory/Memory.js"
import { keyOf } from "@outbound/testkit/memory/Table.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { type TrailEvent, type TrailKind, TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { Clock, Effect } from "effect"
import { browser, enter, violations } from "./support/Browser.js"
import { Desk } from "./support/Desk.js"
import { furnished, run, visitor } from "./support/Visitor.js"
import { HttpServer } from "../src/HttpServer.js"

/** The id of a person who asks in their own name. */
const OWN_NAME = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6fff"

/** A running campaign with a mailbox to send from, and what is stored of it. */
const running = Effect.gen(function* () {
  const { ours } = yield* Desk
  const { campaignId, draftId } = yield* furnished
  const memory = yield* Memory
  const key = keyOf(ours.workspaceId, campaignId)
  yield* memory.atomically(
    memory.write(({ campaignMailboxes, mailboxes }) => {
      const active = mailboxes.filter(
        ({ state, workspaceId }) => workspaceId === ours.workspaceId && state === "active"
      )
      campaignMailboxes.set(key, new Set(active.map(({ mailboxId }) => mailboxId)))
    })
  )
  const put = (change: Partial<Campaign>) =>
    memory.atomically(memory.write(({ campaigns }) => campaigns.update(key, (one) => ({ ...one, ...change }))))
  const now = memory.read(({ campaigns }) => {
    const { pauseReason, state } = campaigns.get(key)!
    return [state, pauseReason]
  })
  return { ours, put, now, path: `/console/campaigns/${campaignId}`, draft: `/console/campaigns/${draftId}` }
})

describe("pausing and resuming a campaign in the console", () => {
  it.live("any member pauses it, with a reason; an owner resumes it, and the trail names both", () =>
    run(
      Effect.gen(function* () {
        const { now, ours, path } = yield* running
        const [owner, member] = [yield* visitor(ours), yield* visitor(ours, "member")]
        assert.include((yield* member.get(path)).text, `action="${path}/pause"`)
        const paused = yield* member.post(`${path}/pause`, { reason: "wrong price" })
        assert.deepStrictEqual([paused.status, paused.headers.get("location")], [303, path])
        assert.deepStrictEqual(yield* now, ["paused", "owner"])
        assert.strictEqual((yield* member.post(`${path}/pause`, {})).status, 303)

        assert.notInclude((yield* member.get(path)).text, `action="${path}/resume"`)
        assert.strictEqual((yield* member.post(`${path}/resume`, {})).status, 403)
        assert.deepStrictEqual(yield* now, ["paused", "owner"])
        assert.include((yield* owner.get(path)).text, `action="${path}/resume"`)
        assert.strictEqual((yield* owner.post(`${path}/resume`, {})).status, 303)
        assert.deepStrictEqual(yield* now, ["active", null])
        assert.strictEqual((yield* owner.post(`${path}/resume`, {})).status, 303)

        const told = (yield* owner.get("/console/trail?kind=paused")).text
        assert.include(told, "wrong price")
        assert.match(told, /wrong price, by [^<]*@/)
        assert.include((yield* owner.get("/console/trail?kind=resumed")).text, `by ${ours.email}`)
      })
    )
  )

  it.live("says why it can't: no draft, no killed campaign, none without a mailbox, none of another workspace", () =>
    run(
      Effect.gen(function* () {
        const { draft, now, ours, path, put } = yield* running
        const { theirs } = yield* Desk
        const [owner, stranger] = [yield* visitor(ours), yield* visitor(theirs)]
        const refusal = yield* owner.post(`${draft}/pause`, {})
        assert.strictEqual(refusal.status, 409)
        assert.include(refusal.text, "this one is draft")
        assert.strictEqual((yield* owner.post(`${draft}/resume`, {})).status, 409)
        yield* put({ state: "paused", pauseReason: "killed" })
        assert.strictEqual((yield* owner.post(`${path}/resume`, {})).status, 409)
        assert.notInclude((yield* owner.get(path)).text, `action="${path}/resume"`)
        assert.strictEqual((yield* stranger.post(`${path}/pause`, {})).status, 404)
        assert.strictEqual((yield* stranger.post(`${path}/resume`, {})).status, 404)
        assert.strictEqual((yield* owner.post(`${path}/pause`, { csrf: "forged" })).status, 403)
        assert.deepStrictEqual(yield* now, ["paused", "killed"])
      })
    )
  )

  it.live("the trail names the key, the person, and who stopped everything", () =>
    run(
      Effect.gen(function* () {
        const { ours } = yield* running
        const trail = yield* TrailStore
        const { atomically } = yield* UnitOfWork
        const owner = yield* visitor(ours)
        const atMillis = yield* Clock.currentTimeMillis
        const event = (index: number, kind: TrailKind, source: "api" | "console", detail: TrailEvent["detail"]) => ({
          eventId: `018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f7${index}`,
          workspaceId: ours.workspaceId,
          observedAtMillis: atMillis + index,
          kind,
          source,
          campaignId: null,
          campaignLeadId: null,
          replyId: null,
          requestId: null,
          operationId: null,
          email: null,
          detail
        })
        yield* atomically(
          trail.append([
            event(0, "approval_requested", "api", { verb: "reply_to_thread", by: ours.keyId }),
            event(1, "approval_requested", "api", { verb: "reply_to_thread", by: OWN_NAME }),
            event(2, "killed", "console", { reason: "enough", by: ours.email })
          ])
        )
        const shown = (yield* owner.get("/console/trail")).text.replaceAll(/<[^>]*>/g, "")
        assert.include(shown, "by the key “Prospecting agent”")
        assert.include(shown, "in a person’s own name")
        assert.include(shown, `reason: enough, by ${ours.email}`)
        assert.notInclude(shown, "by a key")
      })
    )
  )

  it.live("takes two clicks from the page, and passes axe", () =>
    run(
      Effect.scoped(
        Effect.gen(function* () {
          const { now, ours, path } = yield* running
          const { port } = yield* HttpServer
          const { context } = yield* browser
          const base = `http://127.0.0.1:${port}`
          const link = `${base}/console/sign-in?token=${yield* (yield* Desk).link(ours)}`
          yield* Effect.promise(async () => {
            const page = await context.newPage()
            await enter(page, link)
            await page.goto(base + path)
            await page.getByText("Pause this campaign").click()
            assert.deepStrictEqual(await violations(page), [])
            await page.getByRole("button", { name: "Pause", exact: true }).click()
            await page.getByRole("button", { name: "Resume", exact: true }).waitFor()
            assert.deepStrictEqual(await violations(page), [])
          })
          assert.deepStrictEqual(yield* now, ["paused", "owner"])
        })
      )
    )
  )
})
