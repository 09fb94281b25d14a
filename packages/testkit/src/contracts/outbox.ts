import { assert, it } from "@effect/vitest"
import { type Approval, ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import {
  type Announcement,
  type ChatChannel,
  type ClaimedNotice,
  type Muted,
  type NoticeAttempt,
  type NoticeKey,
  NOTICES_PER_HOUR_MAX,
  NoticeStore,
  TURN_MILLIS_MAX
} from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { UserStore } from "@outbound/domain/control/users/UserStore.js"
import { type StoreUnavailable, type Tx, UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer } from "effect"
import { DAY, freshId, givenKey, givenWorkspace, hashOf, HOUR, MINUTE, NOON, SUITE } from "./fixtures.js"
import { makeApproval } from "./outboundFixtures.js"

type Stores = ApprovalStore | KeyStore | NoticeStore | UnitOfWork | UserStore | WorkspaceStore

const within = <A>(write: Effect.Effect<A, StoreUnavailable, Tx>) =>
  Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

/** A workspace with a key that asks. */
const asking = Effect.gen(function* () {
  const { workspaceId } = yield* givenWorkspace({ name: "Acme" })
  return { workspaceId, keyId: (yield* givenKey(workspaceId)).key.keyId }
})

type Asking = Effect.Success<typeof asking>

const join = ({ workspaceId }: Asking, email = `${freshId()}@acme.test`) =>
  Effect.gen(function* () {
    const member = { userId: freshId(), email, workspaceId, role: "owner" as const, atMillis: NOON }
    return (yield* within((yield* UserStore).ensureMember(member))).userId
  })

const channel = ({ workspaceId }: Asking, given: Partial<ChatChannel> = {}) =>
  Effect.gen(function* () {
    const made: ChatChannel = {
      workspaceId,
      kind: "slack",
      sealedUrl: "sealed",
      host: "hooks.slack.test",
      setAtMillis: NOON,
      ...given
    }
    yield* within((yield* NoticeStore).setChannel(made))
    return made
  })

const asked = ({ keyId, workspaceId }: Asking, given: Partial<Approval> & Partial<Announcement> = {}) =>
  Effect.gen(function* () {
    const { nowMillis = NOON, remindAtMillis = NOON + 2 * HOUR, topic = "launch", ...more } = given
    const approval = makeApproval({ workspaceId, keyId, tokenHash: hashOf(freshId()), ...more })
    const { approvalId } = approval
    yield* within((yield* ApprovalStore).insert(approval))
    yield* within((yield* NoticeStore).announce({ workspaceId, approvalId, topic, nowMillis, remindAtMillis }))
    return approval
  })

const noticesOf = ({ approvalId, workspaceId }: Approval, limit = 100) =>
  Effect.flatMap(NoticeStore, (store) => store.ofApproval(workspaceId, approvalId, limit))

const claim = (nowMillis: number, { limit = 1_000, leaseMillis = MINUTE } = {}) =>
  Effect.flatMap(NoticeStore, (store) => within(store.claim({ claimId: freshId(), nowMillis, leaseMillis, limit })))

/** What is claimed for the workspace, by recipient. Others' claims are left to the tests they belong to. */
const claimsOf = ({ workspaceId }: Asking, nowMillis: number) =>
  Effect.map(claim(nowMillis), (found) =>
    found
      .filter((one) => one.workspaceId === workspaceId)
      .toSorted((one, other) => (one.recipient < other.recipient ? -1 : 1))
  )

const ended = ({ workspaceId }: Asking, nowMillis: number, limit = 1_000) =>
  Effect.map(
    Effect.flatMap(NoticeStore, (store) => within(store.end(nowMillis, limit))),
    (found) => found.filter((one) => one.workspaceId === workspaceId)
  )

const SENT: NoticeAttempt = { state: "sent", failure: null, status: null, atMillis: NOON + 1, dueAtMillis: NOON }

const record = (claimed: ClaimedNotice, given: Partial<NoticeAttempt> = {}) =>
  Effect.flatMap(NoticeStore, (store) => within(store.record(claimed, { ...SENT, ...given })))

const keyOf = ({ approvalId, kind, recipient, workspaceId }: NoticeKey): NoticeKey => ({
  workspaceId,
  approvalId,
  kind,
  recipient
})

/** What every outbox of notices guarantees. */
export const outboxContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  it.layer(adapter, SUITE)(`notices (${name})`, (it) => {
    it.effect("a new approval is for each member and channel of its workspace, now and as a reminder", () =>
      Effect.gen(function* () {
        const [us, them] = [yield* asking, yield* asking]
        for (const email of ["ann@acme.test", "bob@acme.test"]) yield* join(us, `${us.workspaceId}-${email}`)
        yield* join(them)
        yield* channel(us)
        yield* channel(us, { kind: "teams" })
        yield* channel(them)
        const approval = yield* asked(us)
        const waiting = (kind: string, of: string, email: string | null, dueAtMillis: number) => ({
          kind,
          channel: of,
          email: email === null ? null : `${us.workspaceId}-${email}`,
          state: "waiting",
          failure: null,
          status: null,
          attempts: 0,
          dueAtMillis,
          attemptedAtMillis: null
        })
        const expected = (["asked", "reminder"] as const).flatMap((kind) => {
          const dueAtMillis = kind === "asked" ? NOON : NOON + 2 * HOUR
          return [
            waiting(kind, "mail", "ann@acme.test", dueAtMillis),
            waiting(kind, "mail", "bob@acme.test", dueAtMillis),
            waiting(kind, "slack", null, dueAtMillis),
            waiting(kind, "teams", null, dueAtMillis)
          ]
        })
        assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* noticesOf(approval), expected)
        assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* noticesOf(approval, 3), expected.slice(0, 3))
        assert.isEmpty(yield* noticesOf({ ...approval, workspaceId: them.workspaceId }))
        assert.lengthOf(yield* noticesOf(yield* asked(them)), 4)
      })
    )

    it.effect("a member hears of no topic and no reminder that they turned off, in that workspace alone", () =>
      Effect.gen(function* () {
        const store = yield* NoticeStore
        const [us, them] = [yield* asking, yield* asking]
        const email = `${freshId()}@acme.test`
        const [ann, bob] = [yield* join(us, email), yield* join(us)]
        yield* join(them, email)
        const turnOff = (userId: string, ...muted: ReadonlyArray<Muted>) =>
          within(store.setMuted(us.workspaceId, userId, muted))
        yield* turnOff(bob, "launch", "reply")
        yield* turnOff(ann, "purchase")
        yield* turnOff(ann, "launch", "reminder")
        yield* turnOff(freshId(), "launch")
        assert.deepStrictEqual(yield* store.muted(us.workspaceId, ann), ["launch", "reminder"])
        assert.deepStrictEqual(yield* store.muted(us.workspaceId, bob), ["launch", "reply"])
        assert.isEmpty(yield* store.muted(them.workspaceId, ann))
        const kinds = (approval: Approval, of: string) =>
          Effect.map(noticesOf(approval), (found) => found.filter((one) => one.email === of).map(({ kind }) => kind))
        const purchase = yield* asked(us, { topic: "purchase" })
        assert.deepStrictEqual(yield* kinds(purchase, email), ["asked"])
        assert.lengthOf(yield* noticesOf(purchase), 3)
        assert.isEmpty(yield* noticesOf(yield* asked(us)))
        assert.deepStrictEqual(yield* kinds(yield* asked(them), email), ["asked", "reminder"])
      })
    )

    it.effect("an approver who got too many within an hour gets no more until the hour is over", () =>
      Effect.gen(function* () {
        const [us, them] = [yield* asking, yield* asking]
        const email = `${freshId()}@acme.test`
        yield* join(us, email)
        yield* join(them, email)
        const at = (nowMillis: number) => asked(us, { nowMillis })
        for (let count = 1; count < NOTICES_PER_HOUR_MAX; count += 1) yield* at(NOON)
        yield* join(us, `late-${email}`)
        const fates = (approval: Approval) =>
          Effect.map(noticesOf(approval), (found) =>
            found.map(({ email: of, failure, state }) => `${of === email ? "first" : "late"} ${state} ${failure ?? ""}`)
          )
        const heard = ["first waiting ", "late waiting ", "first waiting ", "late waiting "]
        const full = ["first failed too_many", "late waiting ", "first failed too_many", "late waiting "]
        assert.deepStrictEqual(yield* fates(yield* at(NOON + 1)), heard)
        assert.deepStrictEqual(yield* fates(yield* at(NOON + HOUR - 1)), full)
        assert.deepStrictEqual(yield* fates(yield* asked(them, { nowMillis: NOON + 1 })), [
          "first waiting ",
          "first waiting "
        ])
        assert.deepStrictEqual(yield* fates(yield* at(NOON + HOUR)), heard)
      })
    )

    it.effect("a notice that is due is ended once nobody wants it: by its approval, its member or its channel", () =>
      Effect.gen(function* () {
        const [store, approvals, users] = [yield* NoticeStore, yield* ApprovalStore, yield* UserStore]
        const us = yield* asking
        const { workspaceId } = us
        const [ann, bob] = [yield* join(us), yield* join(us)]
        const endedOf = (approval: Approval, nowMillis = NOON) =>
          Effect.map(ended(us, nowMillis), (found) =>
            found
              .filter(({ approvalId }) => approvalId === approval.approvalId)
              .map(
                ({ kind, recipient }) => `${kind} ${recipient === ann ? "ann" : recipient === bob ? "bob" : recipient}`
              )
              .toSorted()
          )
        const wanted = yield* asked(us)
        assert.isEmpty(yield* endedOf(wanted))
        const decided = yield* asked(us)
        yield* within(approvals.update({ ...decided, state: "declined", decidedAtMillis: NOON }))
        assert.deepStrictEqual(yield* endedOf(decided, NOON - 1), [])
        assert.deepStrictEqual(yield* endedOf(decided), ["asked ann", "asked bob"])
        assert.deepStrictEqual(yield* endedOf(decided), [])
        const states = yield* noticesOf(decided)
        assert.deepStrictEqual(
          states.map(({ failure, kind, state }) => [kind, state, failure]),
          [
            ["asked", "cancelled", null],
            ["asked", "cancelled", null],
            ["reminder", "waiting", null],
            ["reminder", "waiting", null]
          ]
        )
        assert.isEmpty(yield* endedOf(yield* asked(us, { expiresAtMillis: NOON + 1 })))
        assert.lengthOf(yield* endedOf(yield* asked(us, { expiresAtMillis: NOON })), 2)
        assert.deepStrictEqual(yield* endedOf(yield* asked(us, { excludedUserId: ann })), ["asked ann"])
        const voted = yield* asked(us)
        const vote = { userId: bob, beganBy: "link" as const, approvesWinnerRule: false, atMillis: NOON }
        yield* within(approvals.addVote(workspaceId, voted.approvalId, vote))
        assert.deepStrictEqual(yield* endedOf(voted), ["asked bob"])
        yield* within(store.setMuted(workspaceId, ann, ["purchase"]))
        assert.isEmpty(yield* endedOf(wanted))
        yield* within(store.setMuted(workspaceId, ann, ["reminder"]))
        assert.isEmpty(yield* endedOf(wanted))
        assert.deepStrictEqual(yield* endedOf(wanted, NOON + 2 * HOUR), ["reminder ann"])
        yield* within(store.setMuted(workspaceId, ann, ["launch"]))
        assert.deepStrictEqual(yield* endedOf(wanted), ["asked ann"])
        yield* within(users.removeMember(workspaceId, bob))
        assert.deepStrictEqual(yield* endedOf(wanted), ["asked bob"])
        const { kind } = yield* channel(us)
        const chatted = yield* asked(us)
        assert.isEmpty(yield* endedOf(chatted))
        assert.isTrue(yield* within(store.removeChannel(workspaceId, kind)))
        yield* channel(us, { kind: "teams" })
        assert.deepStrictEqual(yield* endedOf(chatted), ["asked slack"])
      })
    )

    it.effect("each recipient gets one at a time, the longest due first, with all that it says", () =>
      Effect.gen(function* () {
        const us = yield* asking
        const email = `${freshId()}@acme.test`
        const ann = yield* join(us, email)
        yield* channel(us)
        const early = NOON - DAY
        const [second, first] = [
          yield* asked(us, { nowMillis: early + 1 }),
          yield* asked(us, { nowMillis: early, remindAtMillis: early + 1 })
        ]
        assert.isEmpty(yield* claimsOf(us, early - 1))
        const [toAnn, toSlack] = yield* claimsOf(us, NOON)
        const { claimId, of, ...claimed } = toAnn!
        const said = { approvalId: first.approvalId, kind: "asked", attempts: 1, workspaceName: "Acme" }
        assert.deepStrictEqual<object>(claimed, {
          ...said,
          workspaceId: us.workspaceId,
          recipient: ann,
          channel: "mail",
          address: email,
          workspaceKind: "sandbox"
        })
        assert.strictEqual(of.approval.tokenHash, first.tokenHash)
        assert.deepInclude<object>(
          { ...toSlack! },
          { ...said, recipient: "slack", channel: "slack", address: "sealed" }
        )
        // It is their turn again once it is recorded, or after a while.
        assert.isEmpty(yield* claimsOf(us, NOON + TURN_MILLIS_MAX - 1))
        assert.isTrue(yield* record(toAnn!))
        const [next, ...others] = yield* claimsOf(us, NOON + 1)
        assert.deepStrictEqual(
          [next?.recipient, next?.approvalId, next?.kind, others.length],
          [ann, second.approvalId, "asked", 0]
        )
        const [slow] = (yield* claimsOf(us, NOON + TURN_MILLIS_MAX)).filter(({ recipient }) => recipient === "slack")
        assert.deepStrictEqual([slow?.approvalId, slow?.attempts], [second.approvalId, 1])
        assert.notStrictEqual(slow?.claimId, claimId)
        // Two are under way, which is all that one recipient may have.
        const third = yield* claimsOf(us, NOON + 9 * TURN_MILLIS_MAX)
        assert.isEmpty(third.filter(({ recipient }) => recipient === "slack"))
      })
    )

    it.effect("of several approvals that are due at once, and of their reminders, the first goes first", () =>
      Effect.gen(function* () {
        const [us, them] = [yield* asking, yield* asking]
        for (const of of [us, them]) yield* join(of)
        const early = NOON - 3 * DAY
        const at = (of: Asking, nowMillis: number) => asked(of, { nowMillis, remindAtMillis: nowMillis })
        const [first, second] = [yield* at(us, early), yield* at(us, early)]
        const theirs = yield* at(them, early - 1)
        const claimed = Effect.map(claim(NOON - 2 * DAY, { limit: 1 }), ([one]) => one)
        const [other, asks] = [yield* claimed, yield* claimed]
        assert.deepStrictEqual(
          [other?.approvalId, asks?.approvalId, asks?.kind],
          [theirs.approvalId, first.approvalId, "asked"]
        )
        yield* record(asks!, { atMillis: NOON - 2 * DAY })
        const [reminder] = yield* claimsOf(us, NOON - 2 * DAY)
        assert.deepStrictEqual([reminder?.approvalId, reminder?.kind], [first.approvalId, "reminder"])
        yield* record(reminder!, { atMillis: NOON - 2 * DAY })
        const [last] = yield* claimsOf(us, NOON - 2 * DAY)
        assert.deepStrictEqual([last?.approvalId, last?.kind], [second.approvalId, "asked"])
      })
    )

    it.effect("an attempt is recorded by who claimed it, until the claim lapses; then nobody knows", () =>
      Effect.gen(function* () {
        const us = yield* asking
        yield* join(us)
        const early = NOON - 9 * DAY
        const [approval, beside] = [
          yield* asked(us, { nowMillis: early }),
          yield* asked(us, { nowMillis: early + HOUR })
        ]
        const [claimed] = yield* claimsOf(us, early)
        const retry = { state: "waiting", failure: "status", status: 500, dueAtMillis: early + 60_000 } as const
        assert.isFalse(yield* record({ ...claimed!, claimId: freshId() }, retry))
        assert.isTrue(yield* record(claimed!, { ...retry, atMillis: early + 7 }))
        assert.isFalse(yield* record(claimed!))
        const now = Effect.map(noticesOf(approval), ([one]) => one)
        assert.deepInclude({ ...(yield* now)! }, { ...retry, attempts: 1, attemptedAtMillis: early + 7 })
        assert.isEmpty(yield* claimsOf(us, early + 59_999))
        const [again] = yield* claimsOf(us, early + 60_000)
        assert.deepStrictEqual([again?.approvalId, again?.attempts], [approval.approvalId, 2])
        const lapsesAt = early + 60_000 + MINUTE
        assert.isEmpty(yield* ended(us, lapsesAt - 1))
        assert.deepStrictEqual(yield* ended(us, lapsesAt), [keyOf(again!)])
        assert.isFalse(yield* record(again!))
        assert.deepInclude({ ...(yield* now)! }, { state: "unknown", failure: "interrupted" })
        assert.deepInclude({ ...(yield* noticesOf(beside))[0]! }, { state: "waiting", failure: null })
      })
    )

    it.effect("notices are deleted once they are old, the oldest first", () =>
      Effect.gen(function* () {
        const store = yield* NoticeStore
        const us = yield* asking
        yield* join(us)
        const old = NOON - 900 * DAY
        const [late, early] = [yield* asked(us, { nowMillis: old + 1 }), yield* asked(us, { nowMillis: old })]
        assert.strictEqual(yield* within(store.purge(old, 9)), 0)
        assert.strictEqual(yield* within(store.purge(old + 2, 3)), 3)
        assert.lengthOf(yield* noticesOf(early), 0)
        assert.lengthOf(yield* noticesOf(late), 1)
      })
    )

    it.effect("a channel is its workspace's, is replaced by another address, and says how its last notice fared", () =>
      Effect.gen(function* () {
        const store = yield* NoticeStore
        const [us, them] = [yield* asking, yield* asking]
        const early = NOON - 30 * DAY
        const teams = yield* channel(us, { kind: "teams" })
        const slack = yield* channel(us, { setAtMillis: early })
        const theirs = yield* channel(them)
        for (const nowMillis of [early, early + HOUR]) {
          yield* asked(us, { nowMillis })
          const claims = yield* claimsOf(us, nowMillis)
          const [one] = claims.filter(({ recipient }) => recipient === "slack")
          yield* record(one!, {
            state: "failed",
            failure: "status",
            status: nowMillis === early ? 400 : 404,
            atMillis: nowMillis
          })
        }
        const standing = store.channels(us.workspaceId)
        const last = {
          state: "failed" as const,
          failure: "status" as const,
          status: 404,
          attemptedAtMillis: early + HOUR
        }
        const [first, second] = yield* standing
        assert.deepStrictEqual(
          [first, second?.channel, second?.last?.state],
          [{ channel: slack, last }, teams, undefined]
        )
        const changed = yield* channel(us, { sealedUrl: "other", host: "else.test", setAtMillis: early + HOUR })
        assert.deepStrictEqual((yield* standing)[0], { channel: changed, last })
        const later = yield* channel(us, { setAtMillis: early + HOUR + 1 })
        assert.deepStrictEqual((yield* standing)[0], { channel: later, last: null })
        assert.deepStrictEqual(yield* store.channels(them.workspaceId), [{ channel: theirs, last: null }])
        const remove = (of: Asking) => within(store.removeChannel(of.workspaceId, "slack"))
        assert.deepStrictEqual([yield* remove(us), yield* remove(us)], [true, false])
        const [left, ...others] = yield* standing
        assert.deepStrictEqual([left?.channel, others, yield* remove(them)], [teams, [], true])
      })
    )
  })
}
