import { assert, describe, it } from "@effect/vitest"
import { type Approval, ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import * as AttentionLive from "@outbound/domain/control/attention/Attention.js"
import { Attention, makeAttentionGate, OFFERED_ABOVE } from "@outbound/domain/control/attention/Attention.js"
import { AttentionStore } from "@outbound/domain/control/attention/AttentionStore.js"
import { SHARES, sizesOf } from "@outbound/domain/control/attention/plan.js"
import type { SignedIn } from "@outbound/domain/control/users/UserStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import { DEFAULT_RULES } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import { ContentStore, type ShownPerson } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import { Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { freshId, givenKey, givenWorkspace, HOUR, NOON } from "../../src/contracts/fixtures.js"
import { makeApproval } from "../../src/contracts/outboundFixtures.js"
import { layer as memory } from "../../src/memory/layer.js"
import * as TestCrypto from "../../src/memory/TestCrypto.js"
import * as TestIds from "../../src/memory/TestIds.js"

const PLAIN = makeApproval({ workspaceId: "any" }).snapshot

const sending = (leads: number, looks: object = {}, of: object = {}) =>
  ({
    ...PLAIN,
    leads,
    content: { digest: "", variables: [], hosts: [], hosts_total: 0, looks, is_complete: true, overlapping_people: 0 },
    ...of
  }) as unknown as Approval["snapshot"]

const PEOPLE = Array.from(
  { length: 5 },
  (_, n) =>
    ({
      shownId: `p${n}`,
      addressHash: `h${n}`,
      email: `p${n}@x.test`,
      firstName: `Name ${n}`,
      lastName: null,
      companyName: null,
      custom: {},
      looks: []
    }) as unknown as ShownPerson
)

/** A workspace whose rule asks people to look, a request in it, and somebody who decides. */
const given = (snapshot: Approval["snapshot"], above: number | null = 1, of: Partial<Approval> = {}) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOON)
    const { atomically } = yield* UnitOfWork
    const { workspaceId } = yield* givenWorkspace()
    const { key } = yield* givenKey(workspaceId)
    const rules = yield* RuleStore
    yield* atomically(rules.setRules(workspaceId, { ...DEFAULT_RULES, attentionAbove: above }))
    const approvals = yield* ApprovalStore
    const approval = makeApproval({ workspaceId, keyId: key.keyId, expiresAtMillis: NOON + HOUR, snapshot, ...of })
    yield* atomically(approvals.insert(approval))
    const asked: Array<unknown> = []
    const content = Layer.succeed(ContentStore, {
      ...(yield* ContentStore),
      people: (_workspace, _approval, filter, page) =>
        Effect.sync(() => {
          asked.push([filter, page])
          return PEOPLE
        }),
      person: (_workspace, _approval, shownId) =>
        Effect.succeed(Option.fromNullishOr(PEOPLE.find((one) => one.shownId === shownId)))
    })
    const attention = yield* Effect.provide(Attention, AttentionLive.layer.pipe(Layer.provide(content)))
    const by = { session: { workspaceId }, user: { userId: freshId() } } as unknown as SignedIn
    const { approvalId } = approval
    return {
      ...attention,
      approval,
      approvalId,
      approvals,
      asked,
      atomically,
      by,
      gate: yield* makeAttentionGate,
      workspaceId
    }
  })

const story = <E>(
  name: string,
  body: Effect.Effect<void, E, Effect.Services<ReturnType<typeof given>> | AttentionStore>
) =>
  it.effect(name, () => Effect.provide(body, Layer.provideMerge(memory, Layer.merge(TestCrypto.layer, TestIds.layer))))

describe("whether a rule asks people to look at messages", () => {
  story(
    "is by the people that the request writes to, where it has messages",
    Effect.gen(function* () {
      const isAsked = (snapshot: Approval["snapshot"], above: number | null) =>
        Effect.flatMap(given(snapshot, above), ({ approval, gate }) => gate.isAsked(approval))
      assert.isFalse(yield* isAsked(sending(2), 2))
      assert.isTrue(yield* isAsked(sending(3), 2))
      assert.isTrue(yield* isAsked(sending(3, {}, { kind: "add_leads" }), 2))
      assert.isFalse(yield* isAsked(sending(3), null))
      assert.isFalse(yield* isAsked({ ...PLAIN, leads: 9 } as Approval["snapshot"], 2), "nothing can be looked at")
      assert.isFalse(yield* isAsked(sending(3, {}, { kind: "purchase" }), 2))
    })
  )
})

describe("what a person looks at", () => {
  story(
    "is offered with its sizes before it is drawn: where a rule asks, or to many people",
    Effect.gen(function* () {
      const standing = (snapshot: Approval["snapshot"], above: number | null) =>
        Effect.flatMap(given(snapshot, above), (one) => one.standing(one.approval, one.by.user.userId))
      assert.isNull(yield* standing(PLAIN, 0))
      assert.isNull(yield* standing(sending(OFFERED_ABOVE), null))
      const many = yield* standing(sending(OFFERED_ABOVE + 1, { link: 2, long: 3, rare: 90 }), null)
      const sizes = SHARES.map((share) => {
        const { random, risky } = sizesOf(OFFERED_ABOVE + 1, 5, share)
        return { share, messages: random + risky }
      })
      assert.deepStrictEqual(many, { isAsked: false, own: null, sizes })
      assert.isTrue((yield* standing(sending(2), 1))?.isAsked)
      assert.deepStrictEqual([...SHARES], [0.1, 0.05, 0.03])
    })
  )

  story(
    "is drawn once from everybody who is shown, and done when all of it was looked at",
    Effect.gen(function* () {
      const { approval, approvalId, asked, begin, by, gate, ofApproval, say, standing } = yield* given(sending(7))
      const { userId } = by.user
      assert.isTrue(yield* gate.refuses(approval, userId))
      assert.isFalse(yield* say(by, approvalId, 0, false), "nothing was drawn yet")
      assert.isTrue(yield* begin(by, approvalId, 0.1))
      assert.deepStrictEqual(asked, [
        [
          { text: null, look: null, host: null, having: null },
          { after: null, limit: 7 }
        ]
      ])
      const first = (yield* standing(approval, userId))?.own
      assert.deepInclude(first?.plan, { people: 5, snapshotDigest: "digest", drawnAtMillis: NOON, userId })
      assert.deepStrictEqual((yield* standing(approval, userId))?.sizes, [])
      yield* begin(by, approvalId, 0.1)
      assert.deepStrictEqual((yield* standing(approval, userId))?.own?.plan, first?.plan)
      const count = first?.plan.items.length ?? 0
      assert.isAbove(count, 0)
      for (let position = 0; position < count; position++) {
        assert.isTrue(yield* gate.refuses(approval, userId))
        assert.isTrue(yield* say(by, approvalId, position, position === 0))
      }
      assert.isFalse(yield* say(by, approvalId, count, true), "there is no such item")
      assert.isFalse(yield* gate.refuses(approval, userId))
      const found = (yield* standing(approval, userId))?.own?.found
      assert.deepInclude(found, { isDone: true, looked: count, next: null })
      assert.lengthOf(yield* ofApproval(approval.workspaceId, approvalId), 1)
      assert.property(yield* gate.told(approval), "attention")
    })
  )

  story(
    "may be drawn where nobody asks for it, is shown then, and refuses nothing",
    Effect.gen(function* () {
      const { approval, approvalId, begin, by, gate, standing } = yield* given(sending(7), null)
      const { userId } = by.user
      assert.isFalse(yield* gate.refuses(approval, userId))
      assert.isTrue(yield* begin(by, approvalId, 0.1))
      assert.isFalse(yield* gate.refuses(approval, userId))
      const shown = yield* standing(approval, userId)
      assert.deepStrictEqual([shown?.isAsked, shown?.own?.plan.userId], [false, userId])
    })
  )

  story(
    "is theirs only while they can still decide: not once it is decided, over, or approved by them",
    Effect.gen(function* () {
      for (const of of [{ state: "approved" as const }, { expiresAtMillis: NOON }]) {
        const { approvalId, begin, by, say } = yield* given(sending(7), 1, of)
        assert.deepStrictEqual([yield* begin(by, approvalId, 0.1), yield* say(by, approvalId, 0, true)], [false, false])
      }
      const open = yield* given(sending(7), 1, { expiresAtMillis: NOON + 1 })
      assert.isFalse(yield* open.begin(open.by, freshId(), 0.1))
      const vote = { beganBy: "link" as const, approvesWinnerRule: false, atMillis: NOON }
      const { approvalId, approvals, atomically, workspaceId } = open
      yield* atomically(approvals.addVote(workspaceId, approvalId, { ...vote, userId: freshId() }))
      assert.isTrue(yield* open.begin(open.by, approvalId, 0.1), "somebody else's approval does not end it")
      yield* atomically(approvals.addVote(workspaceId, approvalId, { ...vote, userId: open.by.user.userId }))
      assert.isFalse(yield* open.say(open.by, approvalId, 0, true))
      const plain = yield* given(PLAIN)
      assert.isFalse(yield* plain.begin(plain.by, plain.approvalId, 0.1))
      assert.deepStrictEqual(yield* plain.gate.told(plain.approval), {})
    })
  )

  story(
    "shows a person as they are, and a planted fault in the place of one value",
    Effect.gen(function* () {
      const { approval, shown } = yield* given(sending(7))
      assert.strictEqual(yield* shown(approval, { kind: "random", shownId: "p1" }), PEOPLE[1])
      assert.isNull(yield* shown(approval, { kind: "risky", shownId: "gone" }))
      const planted = { kind: "planted", fault: "null", variable: "first_name", text: "null", borrowed: "p2" } as const
      assert.deepStrictEqual(yield* shown(approval, planted), { ...PEOPLE[2]!, firstName: "null" })
    })
  )
})
