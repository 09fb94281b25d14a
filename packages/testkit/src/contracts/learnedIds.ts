import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import type { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { LEARNED_MAX } from "@outbound/domain/outreach/replies/learnedIds.js"
import { ReadingStore } from "@outbound/domain/outreach/replies/ReadingStore.js"
import type { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, type Layer, Option } from "effect"
import { freshId, SUITE } from "./fixtures.js"
import { claimsOf, end, givenSending } from "./outboundFixtures.js"

/** What every store guarantees of the ids under which messages left. */
export const learnedIdsContract = <E>(
  name: string,
  adapter: Layer.Layer<ApprovalStore | CampaignStore | ReadingStore | SendingStore | UnitOfWork | WorkspaceStore, E>
): void => {
  /** A workspace that has sent to two people. */
  const given = Effect.gen(function* () {
    const { mailboxes, workspaceId } = yield* givenSending(2)
    const claims = yield* claimsOf(workspaceId)
    yield* Effect.forEach(claims, (claim) => end(claim, "sent"), { discard: true })
    const [one, other] = claims.map(({ message }) => message.messageId)
    return { workspaceId, one: one!, other: other!, mailbox: mailboxes[0]!.address }
  })

  const learn = (workspaceId: string, idHash: string, messageId: string) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const reading = yield* ReadingStore
      yield* atomically(reading.learn(workspaceId, idHash, messageId))
    })

  const known = (workspaceId: string, ...idHashes: ReadonlyArray<string>) =>
    Effect.map(
      Effect.flatMap(ReadingStore, (reading) => reading.leftUnder(workspaceId, idHashes)),
      (found) => Object.fromEntries(found)
    )

  it.layer(adapter, SUITE)(`ids under which messages left (${name})`, (it) => {
    it.effect("what was learned first stays, and is the workspace's alone", () =>
      Effect.gen(function* () {
        const { one, other, workspaceId } = yield* given
        const theirs = yield* given
        const [id, unknown] = [freshId(), freshId()]
        assert.deepStrictEqual(yield* known(workspaceId, id), {})
        yield* learn(workspaceId, id, one)
        yield* learn(workspaceId, id, other)
        assert.deepStrictEqual(yield* known(workspaceId, unknown, id), { [id]: one })
        assert.deepStrictEqual(yield* known(theirs.workspaceId, id), {})
        yield* learn(theirs.workspaceId, id, theirs.one)
        assert.deepStrictEqual(yield* known(theirs.workspaceId, id), { [id]: theirs.one })
        assert.deepStrictEqual(yield* known(workspaceId, id), { [id]: one })
      })
    )

    it.effect("of one message so many are learned and no more", () =>
      Effect.gen(function* () {
        const { one, other, workspaceId } = yield* given
        const ids = Array.from({ length: LEARNED_MAX + 2 }, freshId)
        const first = ids.slice(0, LEARNED_MAX)
        yield* Effect.forEach(ids, (id) => learn(workspaceId, id, one), { discard: true })
        assert.deepStrictEqual(yield* known(workspaceId, ...ids), Object.fromEntries(first.map((id) => [id, one])))
        yield* learn(workspaceId, ids.at(-1)!, other)
        assert.deepStrictEqual(yield* known(workspaceId, ids.at(-1)!), { [ids.at(-1)!]: other })
      })
    )

    it.effect("the sides of a message are known of the own mailboxes and messages of the workspace alone", () =>
      Effect.gen(function* () {
        const reading = yield* ReadingStore
        const { mailbox, one, workspaceId } = yield* given
        const theirs = yield* given
        const of = (messageId: string, address: string, from = workspaceId) => reading.sides(from, messageId, address)
        const known = Option.getOrThrow(yield* of(one, mailbox))
        assert.deepInclude(known, { isMailbox: true, hasAnswered: false })
        assert.match(known.leadEmail, /^person-\d@example\.com$/)
        assert.isFalse(Option.getOrThrow(yield* of(one, `x${mailbox}`)).isMailbox)
        assert.isFalse(Option.getOrThrow(yield* of(one, theirs.mailbox)).isMailbox)
        for (const none of [of(theirs.one, mailbox), of(freshId(), mailbox), of("no id", mailbox)])
          assert.isTrue(Option.isNone(yield* none))
        assert.isTrue(Option.isNone(yield* of(one, mailbox, theirs.workspaceId)))
      })
    )

    it.effect("what a transaction learned that fails is not known", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const reading = yield* ReadingStore
        const { one, workspaceId } = yield* given
        const id = freshId()
        yield* Effect.result(atomically(Effect.andThen(reading.learn(workspaceId, id, one), Effect.fail("refused"))))
        assert.deepStrictEqual(yield* known(workspaceId, id), {})
      })
    )
  })
}
