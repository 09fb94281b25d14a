import { assert, it } from "@effect/vitest"
import { type Approval, ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { ONE_PERSON } from "@outbound/domain/calls/approvals/approvers.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { step } from "@outbound/domain/kernel/machine.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { UserStore } from "@outbound/domain/control/users/UserStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option, Result } from "effect"
import { freshId, givenKey, givenWorkspace, hashOf, HOUR, MINUTE, NOON, SUITE } from "./fixtures.js"
import { makeApproval } from "./outboundFixtures.js"

const SWEEP_LIMIT = 1_000
const CALLERS = 20

const purchaseSnapshot: Approval["snapshot"] = {
  kind: "purchase",
  brand: "acme",
  identity: { first_name: "Ada", last_name: "Lovelace" },
  daily_sends: 50,
  domains: [{ domain: "acme-mail.test", mailboxes: ["ada@acme-mail.test"] }],
  setup_credits: credits("1500.5"),
  upkeep_credits_per_month: credits("750")
}

const launchSnapshot = (campaignId: string): Approval["snapshot"] => ({
  kind: "launch",
  campaign_id: campaignId,
  campaign_name: "Ünïcode \u{1F680}",
  leads: 2,
  leads_removed: 1,
  recipients: [
    { email: "a@x.test", name: "A", company_name: null },
    { email: "b@x.test", name: null, company_name: "B & Co" }
  ],
  mailboxes: ["ada@acme-mail.test"],
  steps: [{ subject: "Hello", body: 'A "quoted"\nbody', wait_days: 0 }],
  schedule: { timezone: "Europe/Berlin", days: ["mon"], start_hour: 9, end_hour: 17 },
  daily_send_limit: 25,
  postal_address: "1 Main Street",
  credits: credits("0")
})

/** What every store of approvals guarantees. */
export const approvalsContract = <E>(
  name: string,
  adapter: Layer.Layer<ApprovalStore | KeyStore | UnitOfWork | UserStore | WorkspaceStore, E>
): void => {
  const asker = Effect.gen(function* () {
    const { workspaceId } = yield* givenWorkspace()
    yield* givenKey(workspaceId, { name: "Another key" })
    const { key } = yield* givenKey(workspaceId, { name: "The asking key" })
    return { workspaceId, keyId: key.keyId }
  })

  const anApproval = (workspaceId: string, keyId: string, given: Partial<Approval>): Approval =>
    makeApproval({ workspaceId, keyId, tokenHash: hashOf(freshId()), expiresAtMillis: NOON + HOUR, ...given })

  const givenApproval = (workspaceId: string, keyId: string, given: Partial<Approval> = {}) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* ApprovalStore
      const approval = anApproval(workspaceId, keyId, given)
      yield* atomically(store.insert(approval))
      return approval
    })

  const ids = (approvals: ReadonlyArray<Approval>) => approvals.map(({ approvalId }) => approvalId)

  it.layer(adapter, SUITE)(`approvals (${name})`, (it) => {
    it.effect("an approval comes back as it was stored, with exactly what was shown", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* ApprovalStore
        const { keyId, workspaceId } = yield* asker
        const purchase = yield* givenApproval(workspaceId, keyId, { binding: "v1:7", snapshot: purchaseSnapshot })
        const launch = yield* givenApproval(workspaceId, keyId, { snapshot: launchSnapshot(freshId()) })
        for (const approval of [purchase, launch]) {
          const { approvalId, tokenHash } = approval
          assert.deepStrictEqual(Option.getOrNull(yield* atomically(store.lock(workspaceId, approvalId))), approval)
          assert.deepStrictEqual(
            Option.getOrNull(yield* atomically(store.lockByToken(workspaceId, tokenHash))),
            approval
          )
          const found = Option.getOrThrow(yield* store.find(workspaceId, approvalId))
          assert.deepStrictEqual(found, {
            approval,
            keyName: "The asking key",
            askedByEmail: null,
            decidedByEmail: null
          })
        }
      })
    )

    it.effect("another workspace's approval is as unknown as one that never was", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* ApprovalStore
        const { keyId, workspaceId } = yield* asker
        const other = yield* asker
        const { approvalId, tokenHash } = yield* givenApproval(workspaceId, keyId)
        assert.isTrue(Option.isNone(yield* atomically(store.lock(other.workspaceId, approvalId))))
        assert.isTrue(Option.isNone(yield* atomically(store.lockByToken(other.workspaceId, tokenHash))))
        assert.isTrue(Option.isNone(yield* store.find(other.workspaceId, approvalId)))
        assert.isTrue(Option.isNone(yield* atomically(store.lockByToken(workspaceId, hashOf(freshId())))))
        assert.deepStrictEqual(yield* store.list(other.workspaceId, "pending", 10), [])
      })
    )

    it.effect("a decision is kept with who made it and how they had signed in", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* ApprovalStore
        const users = yield* UserStore
        const { keyId, workspaceId } = yield* asker
        yield* givenKey(workspaceId, { name: "Another key" })
        const member = (email: string) =>
          atomically(users.ensureMember({ userId: freshId(), email, workspaceId, role: "owner", atMillis: NOON }))
        const [email, askedBy] = [`${freshId()}@owner.test`, `${freshId()}@asking.test`]
        yield* member(`${freshId()}@another.test`)
        const { userId } = yield* member(email)
        const asked = yield* givenApproval(workspaceId, keyId, { askedByUserId: (yield* member(askedBy)).userId })
        const decided: Approval = {
          ...asked,
          state: "approved",
          expiresAtMillis: NOON + 2 * HOUR,
          decidedAtMillis: NOON + 5,
          decidedByUserId: userId,
          decidedBySession: "passkey",
          approvesWinnerRule: true,
          declineReason: "Not yet."
        }
        yield* atomically(store.update(decided))
        const found = Option.getOrThrow(yield* store.find(workspaceId, asked.approvalId))
        assert.deepStrictEqual(found, {
          approval: decided,
          keyName: "The asking key",
          askedByEmail: askedBy,
          decidedByEmail: email
        })
      })
    )

    it.effect(
      "votes are those of their request, each with its person's address, and whether they are still a member",
      () =>
        Effect.gen(function* () {
          const { atomically } = yield* UnitOfWork
          const store = yield* ApprovalStore
          const users = yield* UserStore
          const { keyId, workspaceId } = yield* asker
          const stranger = yield* asker
          const member = (of: string, email: string) =>
            Effect.map(
              atomically(
                users.ensureMember({ userId: freshId(), email, workspaceId: of, role: "member", atMillis: NOON })
              ),
              ({ userId }) => ({ userId, email })
            )
          const ann = yield* member(workspaceId, `${freshId()}@ann.test`)
          const bob = yield* member(workspaceId, `${freshId()}@bob.test`)
          const gone = yield* member(stranger.workspaceId, `${freshId()}@gone.test`)
          const [first, second] = [yield* givenApproval(workspaceId, keyId), yield* givenApproval(workspaceId, keyId)]
          const vote = ({ approvalId }: Approval, { userId }: typeof ann, minute: number) =>
            atomically(
              store.addVote(workspaceId, approvalId, {
                userId,
                beganBy: "passkey",
                approvesWinnerRule: minute === 2,
                atMillis: NOON + minute * MINUTE
              })
            )
          yield* vote(first, bob, 2)
          yield* vote(first, ann, 1)
          yield* vote(first, gone, 3)
          yield* vote(second, bob, 1)
          const of = ({ approvalId }: Approval) =>
            Effect.map(store.votes(workspaceId, approvalId), (found) =>
              found.map(({ approvesWinnerRule, email, isMember }) => [email, isMember, approvesWinnerRule])
            )
          assert.deepStrictEqual(yield* of(first), [
            [ann.email, true, false],
            [bob.email, true, true],
            [gone.email, false, false]
          ])
          assert.deepStrictEqual(yield* of(second), [[bob.email, true, false]])
        })
    )

    it.effect("a workspace's rules are its own, and the last that were set", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* ApprovalStore
        const [ours, theirs] = [yield* asker, yield* asker]
        assert.deepStrictEqual(yield* store.rules(ours.workspaceId), ONE_PERSON)
        const strict = { recipientsAbove: 5, creditsAbove: credits("2.5"), excludesKeyOwner: true }
        for (const rules of [strict, { ...ONE_PERSON, recipientsAbove: 7 }]) {
          yield* atomically(store.setRules(ours.workspaceId, rules))
          assert.deepStrictEqual(yield* store.rules(ours.workspaceId), rules)
        }
        assert.deepStrictEqual(yield* store.rules(theirs.workspaceId), ONE_PERSON)
      })
    )

    it.effect("an approved token is used exactly once, however many come with it at the same time", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* ApprovalStore
        const { keyId, workspaceId } = yield* asker
        const { approvalId, tokenHash } = yield* givenApproval(workspaceId, keyId, { state: "approved" })
        const use = (idempotencyKey: string) =>
          atomically(
            Effect.gen(function* () {
              const approval = yield* Effect.flatMap(store.lockByToken(workspaceId, tokenHash), Effect.fromOption)
              const next = step(ApprovalMachine, approval.state, "use")
              if (Result.isFailure(next)) return false
              yield* Effect.yieldNow
              yield* store.update({ ...approval, state: next.success, usedByIdempotencyKey: idempotencyKey })
              return true
            })
          )
        const names = Array.from({ length: CALLERS }, (_, i) => `key ${i}`)
        const uses = yield* Effect.forEach(names, use, { concurrency: "unbounded" })
        assert.lengthOf(
          uses.filter((one) => one),
          1
        )
        const { approval } = Option.getOrThrow(yield* store.find(workspaceId, approvalId))
        assert.deepInclude(approval, { state: "used", usedByIdempotencyKey: names[uses.indexOf(true)] ?? null })
      })
    )

    it.effect("a use in a body that fails never was", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* ApprovalStore
        const { keyId, workspaceId } = yield* asker
        const approved = yield* givenApproval(workspaceId, keyId, { state: "approved" })
        const use = store.update({ ...approved, state: "used", usedByIdempotencyKey: "one" })
        yield* Effect.result(atomically(Effect.andThen(use, Effect.fail("refused"))))
        const { approval } = Option.getOrThrow(yield* store.find(workspaceId, approved.approvalId))
        assert.deepStrictEqual(approval, approved)
      })
    )

    it.effect("a used approval may be given back", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* ApprovalStore
        const { keyId, workspaceId } = yield* asker
        const used = yield* givenApproval(workspaceId, keyId, { state: "used", usedByIdempotencyKey: "one" })
        yield* atomically(store.update({ ...used, state: "approved", usedByIdempotencyKey: null }))
        const { approval } = Option.getOrThrow(yield* store.find(workspaceId, used.approvalId))
        assert.deepInclude(approval, { state: "approved", usedByIdempotencyKey: null })
      })
    )

    it.effect("two approvals of a workspace never share a token", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* ApprovalStore
        const { keyId, workspaceId } = yield* asker
        const { tokenHash } = yield* givenApproval(workspaceId, keyId)
        const exit = yield* Effect.exit(atomically(store.insert(anApproval(workspaceId, keyId, { tokenHash }))))
        assert.strictEqual(exit._tag, "Failure")
        assert.lengthOf(yield* store.list(workspaceId, "pending", 10), 1)
      })
    )

    it.effect("of a target all open ones are found, oldest first, and nothing else", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* ApprovalStore
        const { keyId, workspaceId } = yield* asker
        const other = yield* asker
        const target = `campaign:${freshId()}`
        const given = (state: Approval["state"], minutes: number) =>
          givenApproval(workspaceId, keyId, { target, state, createdAtMillis: NOON + minutes * MINUTE })
        const approved = yield* given("approved", 2)
        const pending = yield* given("pending", 1)
        for (const state of ["declined", "expired", "superseded", "cancelled", "used"] as const) yield* given(state, 0)
        yield* givenApproval(workspaceId, keyId)
        yield* givenApproval(other.workspaceId, other.keyId, { target })
        const open = yield* atomically(store.lockOpenOfTarget(workspaceId, target))
        assert.deepStrictEqual(ids(open), ids([pending, approved]))
      })
    )

    it.effect("an open approval is due for expiry from the millisecond on that it names", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* ApprovalStore
        const { keyId, workspaceId } = yield* asker
        const expiresAtMillis = NOON + HOUR
        const given = (state: Approval["state"], at: number) =>
          givenApproval(workspaceId, keyId, { state, expiresAtMillis: at })
        const first = yield* given("approved", expiresAtMillis - 1)
        const second = yield* given("pending", expiresAtMillis)
        yield* given("pending", expiresAtMillis + 1)
        for (const state of ["declined", "expired", "superseded", "cancelled", "used"] as const)
          yield* given(state, NOON)
        const due = yield* atomically(store.lockExpired(expiresAtMillis, SWEEP_LIMIT))
        const own = due.filter((approval) => approval.workspaceId === workspaceId)
        assert.deepStrictEqual(ids(own), ids([first, second]))
        assert.lengthOf(yield* atomically(store.lockExpired(expiresAtMillis, 1)), 1)
      })
    )

    it.effect("sweepers at the same time expire each approval once", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* ApprovalStore
        const { keyId, workspaceId } = yield* asker
        const given = yield* Effect.replicateEffect(givenApproval(workspaceId, keyId), 10)
        const sweep = atomically(
          Effect.gen(function* () {
            const due = yield* store.lockExpired(NOON + HOUR, SWEEP_LIMIT)
            const own = due.filter((approval) => approval.workspaceId === workspaceId)
            yield* Effect.yieldNow
            for (const approval of own) yield* store.update({ ...approval, state: "expired" })
            return ids(own)
          })
        )
        const swept = yield* Effect.replicateEffect(sweep, 5, { concurrency: "unbounded" })
        const last = yield* sweep
        assert.sameMembers([...swept.flat(), ...last], ids(given))
      })
    )

    it.effect("the pending and the decided are listed apart, newest first, up to a limit", () =>
      Effect.gen(function* () {
        const store = yield* ApprovalStore
        const { keyId, workspaceId } = yield* asker
        const given = (state: Approval["state"], minutes: number) =>
          givenApproval(workspaceId, keyId, { state, createdAtMillis: NOON + minutes * MINUTE })
        const pending = [yield* given("pending", 3), yield* given("pending", 2), yield* given("pending", 1)]
        const closed = [yield* given("used", 4), yield* given("approved", 2), yield* given("declined", 0)]
        const listed = (which: "pending" | "closed", limit: number) =>
          Effect.map(store.list(workspaceId, which, limit), (found) => ids(found.map(({ approval }) => approval)))
        assert.deepStrictEqual(yield* listed("pending", 10), ids(pending))
        assert.deepStrictEqual(yield* listed("closed", 10), ids(closed))
        assert.deepStrictEqual(yield* listed("pending", 2), ids(pending.slice(0, 2)))
        // Of one moment, the one with the greater id.
        const alike = [yield* given("pending", 9), yield* given("pending", 9)]
        assert.deepStrictEqual(yield* listed("pending", 2), ids(alike).toSorted().toReversed())
      })
    )
  })
}
