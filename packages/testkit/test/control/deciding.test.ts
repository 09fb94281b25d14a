import { assert, describe, it } from "@effect/vitest"
import { type Approval, ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { ONE_PERSON, type SessionBegin } from "@outbound/domain/calls/approvals/approvers.js"
import { AttentionStore } from "@outbound/domain/control/attention/AttentionStore.js"
import * as ConsoleLive from "@outbound/domain/control/console/Console.js"
import { type Also, Console } from "@outbound/domain/control/console/Console.js"
import { ControlLog } from "@outbound/domain/control/ControlLog.js"
import { type Role, type SignedIn, UserStore } from "@outbound/domain/control/users/UserStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import { DEFAULT_RULES } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import type { WorkspaceKind } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { type Handling, ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { freshId, givenKey, givenWorkspace, NOON } from "../../src/contracts/fixtures.js"
import { makeApproval } from "../../src/contracts/outboundFixtures.js"
import { layer as memory } from "../../src/memory/layer.js"
import * as TestCrypto from "../../src/memory/TestCrypto.js"
import * as TestIds from "../../src/memory/TestIds.js"

/** A request that offers the rule that chooses variants. */
const OFFERING = {
  ...makeApproval({ workspaceId: "any" }).snapshot,
  winner_rule: { is_on: false, false_winners_percent: 5 }
} as Approval["snapshot"]

/** A launch whose messages can be looked at. */
const WITH_CONTENT = {
  ...makeApproval({ workspaceId: "any" }).snapshot,
  leads: 2,
  content: {
    digest: "d",
    variables: [],
    hosts: [],
    hosts_total: 0,
    looks: {},
    is_complete: true,
    overlapping_people: 0
  }
} as Approval["snapshot"]

/** A workspace with its people, and what their decisions are written to. */
const given = (kind: WorkspaceKind = "sandbox") =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOON)
    const { atomically } = yield* UnitOfWork
    const users = yield* UserStore
    const changes: Array<readonly [replyId: string, change: Partial<Handling>]> = []
    const layer = ConsoleLive.layer.pipe(
      Layer.provide(
        Layer.succeed(ReplyStore, {
          ...(yield* ReplyStore),
          handle: (_, replyId, change) => Effect.sync(() => changes.push([replyId, change]) > 0)
        })
      )
    )
    const console = yield* Effect.provide(Console, layer)
    const { workspaceId } = yield* givenWorkspace({ kind })
    const { key } = yield* givenKey(workspaceId)
    const store = yield* ApprovalStore
    const person = (name: string, beganBy: SessionBegin = "link", role: Role = "owner") =>
      Effect.gen(function* () {
        const member = { userId: freshId(), email: `${name}@acme.test`, role, atMillis: NOON }
        const user = yield* atomically(users.ensureMember({ ...member, workspaceId }))
        const times = { createdAtMillis: NOON, expiresAtMillis: NOON }
        const session = { sessionHash: freshId(), userId: user.userId, workspaceId, beganBy, ...times }
        return { session, user, role, workspaceName: "Acme" } satisfies SignedIn
      })
    const asked = (of: Partial<Approval> = {}) =>
      Effect.gen(function* () {
        const approval = makeApproval({ workspaceId, keyId: key.keyId, ...of })
        yield* atomically(store.insert(approval))
        const { approvalId } = approval
        const decide = (by: SignedIn, decision: "approve" | "decline", also?: Also, digest = "digest") =>
          Effect.map(console.decide(by, approvalId, decision, digest, also), Option.getOrThrow)
        const now = Effect.map(store.find(workspaceId, approvalId), (found) => Option.getOrThrow(found).approval)
        return { approvalId, approval, decide, now }
      })
    const filter = { workspaceId, campaignId: null, email: null, sinceMillis: null, untilMillis: null, after: null }
    const told = Effect.flatMap(TrailStore, (trail) => trail.page({ ...filter, kinds: [], limit: 99 })).pipe(
      Effect.map((page) => page.map(({ detail, kind: what }) => ({ kind: what, detail })))
    )
    const logged = Effect.map((yield* ControlLog).page({ workspaceId, keyId: null, before: null, limit: 9 }), (page) =>
      page.map(({ action, after, before, direction }) => ({ action, after, before, direction }))
    )
    return { asked, atomically, changes, console, logged, person, store, told, users, workspaceId }
  })

const story = <E>(
  name: string,
  body: Effect.Effect<void, E, Effect.Services<ReturnType<typeof given>> | AttentionStore | RuleStore>
) =>
  it.effect(name, () => Effect.provide(body, Layer.provideMerge(memory, Layer.merge(TestCrypto.layer, TestIds.layer))))

describe("a decision", () => {
  story(
    "is about what the person saw, and decides nothing if the request shows something else",
    Effect.gen(function* () {
      const { asked, person } = yield* given()
      const ann = yield* person("ann")
      const { decide, now } = yield* asked()
      for (const decision of ["approve", "decline"] as const) {
        assert.strictEqual(yield* decide(ann, decision, {}, "another digest"), "digest_mismatch")
      }
      assert.deepInclude(yield* now, { state: "pending", decidedByUserId: null })
      assert.strictEqual(yield* decide(ann, "approve"), "approved")
      const decided = { decidedAtMillis: NOON, decidedByUserId: ann.user.userId, decidedBySession: "link" }
      assert.deepInclude(yield* now, { state: "approved", ...decided })
    })
  )

  story(
    "has the reason of who declines, and none of who approves; neither has a rule that nobody was offered",
    Effect.gen(function* () {
      const { asked, logged, person, told } = yield* given()
      const ann = yield* person("ann")
      const [declined, silent, approved] = [yield* asked(), yield* asked(), yield* asked()]
      assert.strictEqual(yield* declined.decide(ann, "decline", { reason: "Too early.", winnerRule: true }), "declined")
      assert.strictEqual(yield* silent.decide(ann, "decline"), "declined")
      assert.strictEqual(yield* approved.decide(ann, "approve", { reason: "Fine.", winnerRule: true }), "approved")
      const outcomes = yield* Effect.forEach([declined, silent, approved], ({ now }) => now)
      assert.deepStrictEqual(
        outcomes.map(({ approvesWinnerRule, declineReason }) => [declineReason, approvesWinnerRule]),
        [
          ["Too early.", false],
          [null, false],
          [null, false]
        ]
      )
      assert.deepStrictEqual(yield* logged, [])
      const detail = ({ approvalId }: { readonly approvalId: string }) => ({
        verb: "launch_campaign",
        approval_id: approvalId,
        by: "ann@acme.test"
      })
      assert.sameDeepMembers(
        [...(yield* told)],
        [
          { kind: "declined", detail: { ...detail(declined), reason: "Too early." } },
          { kind: "declined", detail: detail(silent) },
          { kind: "approved", detail: detail(approved) }
        ]
      )
    })
  )

  story(
    "of two names those who approved and count: nobody who has left, and not the one who may not",
    Effect.gen(function* () {
      const { asked, atomically, person, store, told, users, workspaceId } = yield* given()
      const [ann, bob, left, excluded] = [
        yield* person("ann"),
        yield* person("bob"),
        yield* person("left"),
        yield* person("excluded")
      ]
      const { approvalId, decide } = yield* asked({ approversNeeded: 2, excludedUserId: excluded.user.userId })
      const vote = { beganBy: "link" as const, approvesWinnerRule: false, atMillis: NOON }
      // They voted before a rule excluded them.
      yield* atomically(store.addVote(workspaceId, approvalId, { ...vote, userId: excluded.user.userId }))
      assert.strictEqual(yield* decide(left, "approve"), "counted")
      yield* atomically(users.removeMember(workspaceId, left.user.userId))
      assert.strictEqual(yield* decide(excluded, "approve"), "excluded")
      assert.strictEqual(yield* decide(ann, "approve"), "counted")
      assert.strictEqual(yield* decide(bob, "approve"), "approved")
      const [event] = yield* told
      assert.deepInclude(event?.detail, { by: "bob@acme.test", also_by: ["ann@acme.test"] })
    })
  )

  story(
    "switches the rule for variants on only if everybody who approves did, and the log names them",
    Effect.gen(function* () {
      const { asked, logged, person } = yield* given()
      const [ann, bob] = [yield* person("ann"), yield* person("bob")]
      const outcome = (first: boolean, second: boolean) =>
        Effect.gen(function* () {
          const { decide, now } = yield* asked({ snapshot: OFFERING, approversNeeded: 2 })
          assert.strictEqual(yield* decide(ann, "approve", { winnerRule: first }), "counted")
          assert.strictEqual(yield* decide(bob, "approve", { winnerRule: second }), "approved")
          return (yield* now).approvesWinnerRule
        })
      assert.isFalse(yield* outcome(true, false))
      assert.isFalse(yield* outcome(false, true))
      assert.deepStrictEqual(yield* logged, [])
      assert.isTrue(yield* outcome(true, true))
      const alone = yield* asked({ snapshot: OFFERING })
      yield* alone.decide(ann, "approve", { winnerRule: true })
      const unasked = yield* asked({ snapshot: OFFERING })
      yield* unasked.decide(ann, "approve")
      assert.isFalse((yield* unasked.now).approvesWinnerRule)
      const change = { action: "set_winner_rule", direction: "loosen", before: { campaign: "Spring", rule: "off" } }
      const after = { campaign: "Spring", rule: "on once the request is executed" }
      assert.deepStrictEqual<unknown>(yield* logged, [
        { ...change, after },
        { ...change, after: { ...after, also_by: ["ann@acme.test"] } }
      ])
    })
  )

  story(
    "waits until who approves has looked at what a rule asks; declining never waits, and the trail says how it was",
    Effect.gen(function* () {
      const { asked, atomically, person, told, workspaceId } = yield* given()
      const attention = yield* AttentionStore
      const ann = yield* person("ann")
      const rules = yield* RuleStore
      yield* atomically(rules.setRules(workspaceId, { ...DEFAULT_RULES, attentionAbove: 1 }))
      const first = yield* asked({ snapshot: WITH_CONTENT })
      assert.strictEqual(yield* first.decide(ann, "approve"), "unattended")
      assert.strictEqual((yield* first.now).state, "pending")
      assert.strictEqual(yield* first.decide(ann, "decline"), "declined")
      const second = yield* asked({ snapshot: WITH_CONTENT })
      const plan = {
        workspaceId,
        approvalId: second.approvalId,
        userId: ann.user.userId,
        snapshotDigest: "digest",
        seed: "a seed",
        people: 2,
        items: [{ kind: "random" as const, shownId: freshId() }],
        drawnAtMillis: NOON
      }
      yield* atomically(attention.keep(plan))
      assert.strictEqual(yield* second.decide(ann, "approve"), "unattended")
      yield* atomically(attention.say(plan, { position: 0, isWrong: false, atMillis: NOON }))
      assert.strictEqual(yield* second.decide(ann, "approve"), "approved")
      const [event] = yield* told
      const seen = (event?.detail["attention"] ?? []) as ReadonlyArray<object>
      assert.lengthOf(seen, 1)
      assert.deepInclude(seen[0], { by: "ann@acme.test", seed: "a seed", looked_at: 1, wrong: 0, complete: true })
    })
  )

  story(
    "may not be taken back by who may not make it: the maker of the key that asked, where a rule says so",
    Effect.gen(function* () {
      const { asked, atomically, console, person, store, workspaceId } = yield* given()
      const [maker, other] = [yield* person("maker"), yield* person("other")]
      const { approvalId, decide } = yield* asked({ askedByUserId: maker.user.userId })
      const rule = (excludesKeyOwner: boolean) =>
        atomically(store.setRules(workspaceId, { ...ONE_PERSON, excludesKeyOwner }))
      const withdraw = (by: SignedIn) => Effect.map(console.withdraw(by, approvalId), Option.getOrThrow)
      yield* rule(true)
      assert.strictEqual(yield* decide(maker, "approve"), "excluded")
      assert.strictEqual(yield* decide(other, "approve"), "approved")
      assert.strictEqual(yield* withdraw(maker), "excluded")
      yield* rule(false)
      assert.strictEqual(yield* withdraw(maker), "withdrawn")
    })
  )
})

describe("how far a reply is", () => {
  story(
    "is written as it was said, and nothing else of it changes",
    Effect.gen(function* () {
      const { changes, console, person } = yield* given()
      const [ann, bob] = [yield* person("ann"), yield* person("bob")]
      const said = [
        [{}, {}],
        [{ isRead: true }, { readAtMillis: NOON }],
        [{ isHandled: true }, { handledAtMillis: NOON }],
        [{ isHandled: false }, { handledAtMillis: null }],
        [{ ownerUserId: bob.user.userId }, { ownerUserId: bob.user.userId }],
        [{ ownerUserId: null }, { ownerUserId: null }],
        [{ referral: "approved" }, { referral: "approved" }]
      ] as const
      for (const [change] of said) assert.isTrue(yield* console.handleReply(ann, "a reply", change))
      assert.deepStrictEqual(
        changes.map(([, change]) => change),
        said.map(([, change]) => change)
      )
    })
  )

  story(
    "is nobody's care who is no member of the workspace",
    Effect.gen(function* () {
      const { changes, console, person } = yield* given()
      const elsewhere = yield* given()
      const [ann, stranger] = [yield* person("ann"), yield* elsewhere.person("stranger")]
      assert.isFalse(yield* console.handleReply(ann, "a reply", { ownerUserId: stranger.user.userId }))
      assert.deepStrictEqual(changes, [])
    })
  )
})

describe("a link to sign in", () => {
  story(
    "is found by each spelling of its member's address, and by nothing else",
    Effect.gen(function* () {
      const { console, person } = yield* given()
      const ann = yield* person("ann")
      for (const spelled of ["ann@acme.test", " Ann@ACME.test ", "<ann@acme.test>"]) {
        const { signedIn } = Option.getOrThrow(yield* console.signIn(yield* console.makeSignInLink(spelled)))
        assert.strictEqual(signedIn.user.userId, ann.user.userId, spelled)
      }
      for (const nobody of ["no address", "bob@acme.test"]) {
        assert.deepInclude(yield* Effect.flip(console.makeSignInLink(nobody)), { code: "not_found" })
      }
    })
  )

  story(
    "into a live workspace is one that was asked for, never one that a start prints",
    Effect.gen(function* () {
      const { console, person, workspaceId } = yield* given("live")
      yield* person("ann")
      const link = yield* console.makeSignInLink("ann@acme.test", workspaceId)
      const { signedIn } = Option.getOrThrow(yield* console.signIn(link))
      assert.deepInclude(signedIn.session, { workspaceId, beganBy: "link" })
      assert.deepInclude(yield* Effect.flip(console.makeStartLink("ann@acme.test", workspaceId)), { code: "not_found" })
    })
  )

  story(
    "that signs in ends with all others of its person, if they say so",
    Effect.gen(function* () {
      const { console, person } = yield* given()
      yield* person("ann")
      yield* person("bob")
      const enter = (email: string) =>
        Effect.gen(function* () {
          return Option.getOrThrow(yield* console.signIn(yield* console.makeSignInLink(email)))
        })
      const [first, second] = [yield* enter("ann@acme.test"), yield* enter("ann@acme.test")]
      const bobs = yield* enter("bob@acme.test")
      yield* console.signOutEverywhere(first.signedIn)
      const isOpen = ({ secret }: typeof first) => Effect.map(console.session(secret), Option.isSome)
      assert.deepStrictEqual(yield* Effect.forEach([first, second, bobs], isOpen), [false, false, true])
    })
  )
})
