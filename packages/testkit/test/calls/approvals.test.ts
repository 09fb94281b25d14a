import { assert, describe, it } from "@effect/vitest"
import type { ApprovalRules } from "@outbound/domain/calls/approvals/approvers.js"
import * as ApprovalsLive from "@outbound/domain/calls/approvals/Approvals.js"
import {
  APPROVAL_MILLIS,
  Approvals,
  type Ask,
  PURCHASE_APPROVAL_MILLIS,
  remindAtMillis,
  topicOf
} from "@outbound/domain/calls/approvals/Approvals.js"
import { type Approval, ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { NoticeStore } from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import { confirmationToken } from "@outbound/domain/calls/approvals/token.js"
import type { CallScope } from "@outbound/domain/calls/Handler.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { zero } from "@outbound/domain/kernel/money/Credits.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { Effect, Layer, Option } from "effect"
import { freshId, givenKey, givenWorkspace, hashOf, HOUR, MINUTE, NOON } from "../../src/contracts/fixtures.js"
import { layer as memory } from "../../src/memory/layer.js"
import * as TestIds from "../../src/memory/TestIds.js"

const crypto = {
  mac: (purpose: string, text: string) => hashOf(`${purpose} ${text}`),
  sha256Hex: hashOf
} as unknown as Crypto["Service"]

const OWNER = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"

/** Requests of one workspace, and whom approvers were told of. */
const given = (rules: Partial<ApprovalRules> = {}, people = 2) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const store = yield* ApprovalStore
    const told: Array<string> = []
    const layer = ApprovalsLive.layer.pipe(
      Layer.provide(
        Layer.mergeAll(
          Layer.succeed(Crypto, crypto),
          // They made the key that asks.
          Layer.succeed(ApprovalStore, { ...store, keyOwner: () => Effect.succeedSome(OWNER) }),
          Layer.succeed(Settings, { baseUrl: "https://outbound.test" }),
          Layer.succeed(NoticeStore, {
            ...(yield* NoticeStore),
            announce: ({ approvalId }) => Effect.sync(() => void told.push(approvalId))
          })
        )
      )
    )
    const approvals = yield* Effect.provide(Approvals, layer)
    const { workspaceId } = yield* givenWorkspace()
    const { key } = yield* givenKey(workspaceId)
    yield* atomically(
      store.setRules(workspaceId, { recipientsAbove: null, creditsAbove: null, excludesKeyOwner: false, ...rules })
    )
    const scope = (changed: Partial<CallScope> = {}): CallScope => ({
      requestId: freshId(),
      workspaceId,
      workspaceKind: "sandbox",
      keyId: key.keyId,
      nowMillis: NOON,
      baseFingerprint: "what is asked for",
      tokenHash: null,
      idempotencyKey: "a key",
      byUserId: null,
      uploaded: null,
      ...changed
    })
    const asking: Ask = {
      verb: "launch_campaign",
      target: "campaign:one",
      binding: "as shown",
      snapshot: {
        kind: "launch",
        campaign_id: freshId(),
        campaign_name: "Spring",
        leads: people,
        leads_removed: 0,
        recipients: [],
        mailboxes: [],
        steps: [],
        schedule: { timezone: "UTC", days: ["mon"], start_hour: 9, end_hour: 17 },
        daily_send_limit: 25,
        postal_address: "1 Main Street",
        credits: zero
      } as unknown as Ask["snapshot"],
      lifetimeMillis: APPROVAL_MILLIS,
      requested: { kind: "launch_requested", campaignId: null, replyId: null }
    }
    const ask = (changed: Partial<CallScope> = {}) => atomically(approvals.ask(scope(changed), asking))
    const stateOf = (approvalId: string) =>
      Effect.map(store.find(workspaceId, approvalId), (found) => Option.getOrThrow(found).approval.state)
    /** The token's refusals, before and after those of what it is about. */
    const look = (approvalId: string, changed: Partial<CallScope> = {}, verb = asking.verb) =>
      approvals.look(scope({ tokenHash: hashOf(confirmationToken(crypto, approvalId)), ...changed }), verb)
    const looked = (...of: Parameters<typeof look>) =>
      Effect.map(look(...of), ({ after, before }) => [before?.code ?? null, after?.code ?? null])
    const put = (approvalId: string, state: "approved" | "used" | "declined" | "cancelled") =>
      Effect.gen(function* () {
        const { approval } = Option.getOrThrow(yield* store.find(workspaceId, approvalId))
        yield* atomically(store.update({ ...approval, state: state === "used" ? "approved" : state }))
        if (state === "used") yield* atomically(approvals.use(scope(), { ...approval, state: "approved" }))
      })
    const use = (approval: Approval) => Effect.flip(atomically(approvals.use(scope(), approval)))
    return { ask, keyId: key.keyId, look, looked, put, stateOf, store, told, use, workspaceId }
  })

const story = <E>(name: string, body: Effect.Effect<void, E, Effect.Services<ReturnType<typeof given>>>) =>
  it.effect(name, () => Effect.provide(body, Layer.merge(memory, TestIds.layer)))

describe("approvers are told of a request", () => {
  story(
    "that an agent makes",
    Effect.gen(function* () {
      const { ask, told } = yield* given()
      const { approvalId } = yield* ask()
      assert.deepStrictEqual(told, [approvalId])
      const excluding = yield* given({ excludesKeyOwner: true })
      const asked = yield* excluding.ask()
      assert.deepStrictEqual(excluding.told, [asked.approvalId])
      const found = yield* excluding.store.find(excluding.workspaceId, asked.approvalId)
      assert.strictEqual(Option.getOrThrow(found).approval.excludedUserId, OWNER)
    })
  )

  story(
    "and the trail, that it was asked for: by the key, or by the person who asks in their own name",
    Effect.gen(function* () {
      const trail = yield* TrailStore
      for (const byUserId of [null, OWNER]) {
        const { ask, keyId, store, workspaceId } = yield* given()
        const { approvalId } = yield* ask({ byUserId })
        const filter = { workspaceId, campaignId: null, email: null, sinceMillis: null, untilMillis: null, after: null }
        const events = yield* trail.page({ ...filter, kinds: ["launch_requested", "approval_requested"], limit: 9 })
        const detail = { verb: "launch_campaign", approval_id: approvalId, by: byUserId ?? keyId }
        assert.sameDeepMembers(
          events.map((event) => [event.kind, event.detail]),
          [
            ["launch_requested", {}],
            ["approval_requested", detail]
          ]
        )
        const { approval } = Option.getOrThrow(yield* store.find(workspaceId, approvalId))
        // Nobody has said yet that the rule that chooses variants may decide.
        assert.deepInclude(approval, { state: "pending", askedByUserId: byUserId, approvesWinnerRule: false })
      }
    })
  )

  it("again when a twelfth of the time is left, and not later than five minutes before its end", () => {
    assert.strictEqual(APPROVAL_MILLIS - remindAtMillis(0, APPROVAL_MILLIS), 2 * HOUR)
    const [now, end] = [NOON, NOON + APPROVAL_MILLIS]
    assert.strictEqual(end - remindAtMillis(now, end), 2 * HOUR)
    assert.strictEqual(
      NOON + PURCHASE_APPROVAL_MILLIS - remindAtMillis(NOON, NOON + PURCHASE_APPROVAL_MILLIS),
      5 * MINUTE
    )
    assert.isTrue(Number.isInteger(remindAtMillis(0, APPROVAL_MILLIS + 1)))
    assert.strictEqual(remindAtMillis(0, APPROVAL_MILLIS + 1), APPROVAL_MILLIS + 1 - 2 * HOUR)
  })

  it("who are chosen by what it is: people who come to a campaign are like its launch", () => {
    const topics = (["launch", "add_leads", "purchase", "reply"] as const).map((kind) =>
      topicOf({ kind } as Ask["snapshot"])
    )
    assert.deepStrictEqual(topics, ["launch", "launch", "purchase", "reply"])
  })

  story(
    "that a person makes only if somebody else has to decide on it",
    Effect.gen(function* () {
      const alone = yield* given()
      yield* alone.ask({ byUserId: OWNER })
      assert.isEmpty(alone.told, "they decide at once")
      const excluded = yield* given({ excludesKeyOwner: true })
      yield* excluded.ask({ byUserId: OWNER })
      assert.lengthOf(excluded.told, 1)
      const two = yield* given({ recipientsAbove: 1 })
      yield* two.ask({ byUserId: OWNER })
      assert.lengthOf(two.told, 1)
      const few = yield* given({ recipientsAbove: 2 })
      yield* few.ask({ byUserId: OWNER })
      assert.isEmpty(few.told)
    })
  )
})

describe("a newer request for the same", () => {
  story(
    "takes the place of one that waits, and not of one whose time was over already",
    Effect.gen(function* () {
      const { ask, stateOf } = yield* given()
      const first = yield* ask()
      const second = yield* ask({ nowMillis: first.expiresAtMillis - 1 })
      assert.strictEqual(yield* stateOf(first.approvalId), "superseded")
      yield* ask({ nowMillis: second.expiresAtMillis })
      assert.strictEqual(yield* stateOf(second.approvalId), "expired")
    })
  )
})

describe("a token", () => {
  story(
    "is good for the call that asked for it, and for no other key, body or workspace",
    Effect.gen(function* () {
      const { ask, looked, put } = yield* given()
      const { approvalId, expiresAtMillis } = yield* ask()
      assert.deepStrictEqual(yield* looked(approvalId), [null, "confirmation_required"])
      assert.deepStrictEqual(yield* looked(approvalId, { tokenHash: null }), [null, null])
      yield* put(approvalId, "approved")
      assert.deepStrictEqual(yield* looked(approvalId), [null, null])
      assert.deepStrictEqual((yield* looked(approvalId, { keyId: freshId() }))[0], "approval_changed")
      assert.deepStrictEqual((yield* looked(approvalId, { baseFingerprint: "other" }))[0], "approval_changed")
      assert.deepStrictEqual((yield* looked(approvalId, {}, "add_leads"))[0], "approval_changed")
      assert.deepStrictEqual(yield* looked(approvalId, { workspaceId: freshId() }), [null, "not_found"])
      assert.deepStrictEqual(yield* looked(freshId()), [null, "not_found"])
      assert.deepStrictEqual(yield* looked(approvalId, { nowMillis: expiresAtMillis - 1 }), [null, null])
      assert.deepStrictEqual(yield* looked(approvalId, { nowMillis: expiresAtMillis }), [null, "approval_expired"])
    })
  )

  story(
    "is used once, and it is kept under which Idempotency-Key",
    Effect.gen(function* () {
      const { ask, looked, put, store, use, workspaceId } = yield* given()
      const { approvalId, expiresAtMillis } = yield* ask()
      yield* put(approvalId, "used")
      const { approval } = Option.getOrThrow(yield* store.find(workspaceId, approvalId))
      assert.deepStrictEqual([approval.state, approval.usedByIdempotencyKey], ["used", "a key"])
      assert.propertyVal(yield* use(approval), "code", "approval_superseded")
      // It says so before anything else is looked at, and however late it comes.
      const late = { nowMillis: expiresAtMillis + 1 }
      assert.strictEqual((yield* looked(approvalId, late))[0], "approval_superseded")
    })
  )

  story(
    "that was decided against says so for ever: a decline by itself, a cancellation before all else",
    Effect.gen(function* () {
      for (const [state, found] of [
        ["declined", [null, "approval_declined"]],
        ["cancelled", ["approval_cancelled", "approval_cancelled"]]
      ] as const) {
        const { ask, look, looked, put, store, workspaceId } = yield* given()
        const { atomically } = yield* UnitOfWork
        const { approvalId, approvalUrl, expiresAtMillis } = yield* ask()
        yield* put(approvalId, state)
        assert.deepStrictEqual((yield* look(approvalId)).after?.details, { approval_url: approvalUrl })
        for (const nowMillis of [NOON, expiresAtMillis + 1])
          assert.deepStrictEqual(yield* looked(approvalId, { nowMillis }), [...found], state)
        // Why, if who declined it said so.
        if (state === "cancelled") continue
        const { approval } = Option.getOrThrow(yield* store.find(workspaceId, approvalId))
        yield* atomically(store.update({ ...approval, declineReason: "Too many people" }))
        const details = { approval_url: approvalUrl, reason: "Too many people" }
        assert.deepStrictEqual((yield* look(approvalId)).after?.details, details)
      }
    })
  )
})
