import { assert, it } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { type Kill, KillStore } from "@outbound/domain/control/KillStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import type { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { type ClaimedMessage, SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, type Layer, Option } from "effect"
import { freshId, givenKey, hashOf, MINUTE, NOON, SUITE } from "./fixtures.js"
import { claimsOf, end, givenLaunched, givenMailboxes, givenSending, makeApproval } from "./outboundFixtures.js"

type Stores = ApprovalStore | CampaignStore | KeyStore | KillStore | SendingStore | UnitOfWork | WorkspaceStore

/** What every store of kills guarantees. */
export const killsContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  const killed = (workspaceId: string, campaigns: ReadonlyArray<string>, suspendedAtMillis = NOON) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const kill: Kill = {
        workspaceId,
        killId: freshId(),
        reason: "they told us to",
        actor: { kind: "operator" },
        suspendedAtMillis,
        campaignsPaused: campaigns.length,
        approvalsCancelled: 2,
        unconfirmed: null,
        clearedAtMillis: null
      }
      yield* atomically((yield* KillStore).insert(kill, campaigns))
      return kill
    })

  it.layer(adapter, SUITE)(`kills (${name})`, (it) => {
    it.effect("a kill stands until it is cleared, in its own workspace", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* KillStore
        const { campaign, workspaceId } = yield* givenSending(1)
        const stranger = yield* givenSending(1)
        assert.isTrue(Option.isNone(yield* store.standing(workspaceId)))
        const kill = yield* killed(workspaceId, [campaign.campaignId])
        assert.deepStrictEqual(Option.getOrNull(yield* store.standing(workspaceId)), kill)
        assert.isTrue(Option.isNone(yield* store.standing(stranger.workspaceId)))
        assert.isTrue(Option.isNone(yield* store.get(stranger.workspaceId, kill.killId)))
        yield* atomically(store.clear(workspaceId, kill.killId, NOON + MINUTE))
        assert.isTrue(Option.isNone(yield* store.standing(workspaceId)))
        const cleared = Option.getOrThrow(yield* store.get(workspaceId, kill.killId))
        assert.deepStrictEqual(cleared, { ...kill, clearedAtMillis: NOON + MINUTE })
        // The next one stands, whatever was cleared before.
        const next = yield* killed(workspaceId, [])
        assert.strictEqual(Option.getOrNull(yield* store.standing(workspaceId))?.killId, next.killId)
      })
    )

    it.effect("its first answer is kept, and each pause is verified once", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* KillStore
        const { campaign, workspaceId } = yield* givenSending(1)
        const own = yield* givenMailboxes(workspaceId, 1, {
          kind: "own",
          operationId: null,
          upkeepPaidUntilMillis: null
        })
        const other = yield* givenLaunched(workspaceId, own, ["own@example.com"])
        const ids = [campaign.campaignId, other.campaign.campaignId].toSorted()
        const { killId } = yield* killed(workspaceId, ids)
        const answered = (unconfirmed: ReadonlyArray<string>) =>
          Effect.map(atomically(store.answer(workspaceId, killId, unconfirmed)), (kill) => kill.unconfirmed)
        assert.deepStrictEqual(yield* answered([ids[0]!]), [ids[0]!])
        assert.deepStrictEqual(yield* answered([]), [ids[0]!])
        const unverified = Effect.map(store.unverified(workspaceId, killId), (found) =>
          found.map(({ atProvider, campaignId }) => [campaignId, atProvider])
        )
        const mine = (campaignId: string) => [campaignId, campaignId === campaign.campaignId]
        assert.deepStrictEqual(yield* unverified, ids.map(mine))
        const isOpen = Effect.map(store.open(1_000), (refs) => refs.some((one) => one.killId === killId))
        assert.isTrue(yield* isOpen)
        const verify = (campaignId: string) => atomically(store.verify(workspaceId, killId, campaignId, NOON))
        assert.deepStrictEqual([yield* verify(ids[0]!), yield* verify(ids[0]!)], [true, false])
        assert.deepStrictEqual(yield* unverified, [mine(ids[1]!)])
        assert.isFalse(yield* verify(freshId()))
        // What another kill paused is that kill's.
        yield* atomically(store.clear(workspaceId, killId, NOON))
        const { killId: another } = yield* killed(workspaceId, ids)
        assert.deepStrictEqual(yield* unverified, [mine(ids[1]!)])
        assert.lengthOf(yield* store.unverified(workspaceId, another), 2)
        assert.isTrue(yield* verify(ids[1]!))
        assert.isFalse(yield* isOpen)
      })
    )

    it.effect("it reaches what its own workspace has running and open, and nothing else", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* KillStore
        const { campaign, mailboxes, workspaceId } = yield* givenSending(1, { mailboxes: 2 })
        yield* givenLaunched(workspaceId, mailboxes, [], { campaign: { state: "paused", pauseReason: "owner" } })
        const later = yield* givenLaunched(workspaceId, mailboxes, [], { campaign: { name: "Autumn" } })
        yield* givenMailboxes(workspaceId, 1, { state: "paused", pauseReason: "owner" })
        const stranger = yield* givenSending(1, { mailboxes: 3 })
        const { key } = yield* givenKey(workspaceId)
        const theirs = yield* givenKey(stranger.workspaceId)
        const { workspaceId: elsewhere } = stranger
        const open = makeApproval({ workspaceId: elsewhere, keyId: theirs.key.keyId, tokenHash: hashOf(freshId()) })
        yield* atomically((yield* ApprovalStore).insert(open))
        for (const state of ["pending", "approved", "declined", "used"] as const) {
          const approval = makeApproval({ workspaceId, keyId: key.keyId, tokenHash: hashOf(freshId()), state })
          yield* atomically((yield* ApprovalStore).insert(approval))
        }
        const names = [
          { campaignId: later.campaign.campaignId, name: "Autumn" },
          { campaignId: campaign.campaignId, name: "Spring" }
        ]
        const counts = { campaignsTotal: 2, activeMailboxes: 2, openApprovals: 2 }
        assert.deepStrictEqual(yield* store.reach(workspaceId, 10), { campaigns: names, ...counts })
        assert.deepStrictEqual(yield* store.reach(workspaceId, 1), { campaigns: names.slice(0, 1), ...counts })
      })
    )

    it.effect("what is under way is named until it has ended, also if the clock was set back meanwhile", () =>
      Effect.gen(function* () {
        const store = yield* KillStore
        const sending = yield* SendingStore
        const { atomically } = yield* UnitOfWork
        const stranger = yield* givenSending(1)
        const [theirs] = yield* claimsOf(stranger.workspaceId)
        const { campaign, workspaceId } = yield* givenSending(4)
        assert.isEmpty(yield* store.inFlight(workspaceId))
        const [first, second, failed] = yield* claimsOf(workspaceId)
        assert.deepStrictEqual(yield* store.inFlight(workspaceId), [campaign.campaignId])
        assert.isEmpty(yield* store.inFlight(freshId()))
        yield* end(first!, "sent")
        yield* end(failed!, "failed")
        assert.deepStrictEqual(yield* store.inFlight(workspaceId), [campaign.campaignId])
        // By the clock of now, both were claimed later than the kill.
        const { killId } = yield* killed(workspaceId, [campaign.campaignId], NOON - MINUTE)
        const claimedAt = ({ message }: ClaimedMessage) =>
          Effect.map(atomically(sending.lockMessage(message.workspaceId, message.messageId)), (found) => {
            const { claimedAtMillis, sentAtMillis } = Option.getOrThrow(found)
            return [claimedAtMillis, sentAtMillis]
          })
        assert.deepStrictEqual(yield* claimedAt(first!), [NOON - MINUTE, NOON - MINUTE])
        assert.deepStrictEqual(yield* claimedAt(second!), [NOON - MINUTE, null])
        // What never left, and what others sent, is as it was.
        assert.deepStrictEqual(yield* claimedAt(failed!), [NOON, null])
        assert.deepStrictEqual(yield* claimedAt(theirs!), [NOON, null])
        yield* atomically(store.clear(workspaceId, killId, NOON))
        yield* killed(workspaceId, [campaign.campaignId], NOON)
        assert.deepStrictEqual(yield* claimedAt(first!), [NOON - MINUTE, NOON - MINUTE], "a later one moves nothing")
      })
    )
  })
}
