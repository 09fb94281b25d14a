import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { DEFAULT_CAPS, WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import type { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { Effect, type Layer, Option } from "effect"
import { leadOf } from "./campaignFixtures.js"
import { addressHashOf, DAY, freshId, givenWorkspace, HOUR, MINUTE, NOON, SUITE } from "./fixtures.js"
import { claim, givenOwn, next } from "./ownClaims.js"
import { claimsOf, end, givenLaunched, givenMailboxes, givenSending } from "./outboundFixtures.js"

type Stores =
  | ApprovalStore
  | CampaignStore
  | OwnMailboxStore
  | SendingStore
  | SuppressionStore
  | UnitOfWork
  | WorkspaceStore

const EMAIL = "person-0@example.com"

/** What every store of messages guarantees at the edges: of a step, a lease, a day, a window and the contact history. */
export const sendingEdgesContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  it.layer(adapter, SUITE)(`edges of sending (${name})`, (it) => {
    it.effect("an own mailbox claims the step that its host looked at, and no other", () =>
      Effect.gen(function* () {
        const hostId = freshId()
        const { mailboxes } = yield* givenOwn(hostId, 1)
        const candidate = Option.getOrThrow(yield* next(mailboxes[0]!))
        const step = (stepsSent: number) => ({ ...candidate, lead: { ...candidate.lead, stepsSent } })
        assert.isFalse(yield* claim(hostId, step(1)))
        assert.isTrue(yield* claim(hostId, step(0)))
      })
    )

    it.effect("a mailbox writes for the campaigns that it is bound to, though another one may send from it", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const campaigns = yield* CampaignStore
        const hostId = freshId()
        const { mailboxes, workspaceId } = yield* givenOwn(hostId, 1, { mailboxes: 2 })
        const [bound, mailbox] = mailboxes as [(typeof mailboxes)[number], (typeof mailboxes)[number]]
        const other = yield* givenLaunched(workspaceId, [bound], ["other@example.com"])
        const { campaignLeadId } = other.leads[0]!
        const cover = { campaignLeadId, mailboxId: mailbox.mailboxId, nextAtMillis: NOON - HOUR }
        const { approvalId } = other.approval
        yield* atomically(campaigns.coverLeads(workspaceId, other.campaign.campaignId, approvalId, [cover]))
        const lead = yield* leadOf(workspaceId, campaignLeadId)
        const candidate = { lead, mailbox } as unknown as Parameters<typeof claim>[1]
        assert.isFalse(yield* claim(hostId, candidate))
        assert.isTrue(Option.isNone(yield* next(mailbox)))
        yield* atomically(campaigns.bindMailboxes(workspaceId, lead.campaignId, [mailbox.address], NOON))
        assert.isTrue(yield* claim(hostId, candidate))
      })
    )

    it.effect("a mailbox that rests has nobody due until it may go on", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const hostId = freshId()
        const { mailboxes, workspaceId } = yield* givenOwn(hostId, 1)
        const { mailboxId } = mailboxes[0]!
        yield* atomically(sending.restMailbox(workspaceId, mailboxId, NOON + MINUTE))
        const isDue = (nowMillis: number) =>
          Effect.map(sending.dueOfOwn({ hostId, nowMillis, staleBeforeMillis: 0 }), ({ due }) => due.has(mailboxId))
        assert.deepStrictEqual([yield* isDue(NOON + MINUTE - 1), yield* isDue(NOON + MINUTE)], [false, true])
      })
    )

    it.effect("a message that failed takes nothing of the workspace's day", () =>
      Effect.gen(function* () {
        const caps = { ...DEFAULT_CAPS, dailySends: 2 }
        const { workspaceId } = yield* givenSending(4, { workspace: { caps } })
        const claims = yield* claimsOf(workspaceId)
        assert.lengthOf(claims, 2)
        for (const one of claims) yield* end(one, "failed")
        assert.lengthOf(yield* claimsOf(workspaceId), 2)
        assert.isEmpty(yield* claimsOf(workspaceId))
      })
    )

    it.effect("closed windows are those of campaigns that run, of all kinds together no more than asked for", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const { workspaceId } = yield* givenWorkspace()
        const mailboxes = yield* givenMailboxes(workspaceId, 1)
        const at = { opensAtMillis: 0, closesAtMillis: 1 }
        const campaigns = [
          yield* givenLaunched(workspaceId, mailboxes, []),
          yield* givenLaunched(workspaceId, mailboxes, [])
        ]
        const paused = { state: "paused", pauseReason: "owner" } as const
        campaigns.push(yield* givenLaunched(workspaceId, mailboxes, [], { campaign: paused }))
        const windows = campaigns.flatMap(({ campaign: { campaignId } }) =>
          [null, "Asia/Tokyo"].map((hours) => ({ workspaceId, campaignId, hours, ...at }))
        )
        yield* atomically(sending.setWindows(windows))
        const closed = Effect.map(atomically(sending.lockClosedWindows(1, 1_000)), (found) =>
          found.filter((one) => one.workspaceId === workspaceId)
        )
        assert.sameDeepMembers(
          (yield* closed).map(({ campaignId, hours }) => ({ campaignId, hours })),
          windows.slice(0, 4).map(({ campaignId, hours }) => ({ campaignId, hours }))
        )
        assert.lengthOf(yield* atomically(sending.lockClosedWindows(1, 3)), 3)
        // No other test finds them closed.
        yield* atomically(sending.setWindows(windows.map((one) => ({ ...one, closesAtMillis: NOON + 9 * DAY }))))
      })
    )

    it.effect("the last contact with a person never goes back, and who receives their mail is not forgotten", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const suppressions = yield* SuppressionStore
        const { campaign, workspaceId } = yield* givenSending(1)
        const addressHash = addressHashOf(workspaceId, EMAIL)
        const [first] = yield* claimsOf(workspaceId)
        const handover = { receiver: "mail.example", isRefused: false }
        const { messageId } = first!.message
        const locked = Option.getOrThrow(yield* atomically(sending.lockMessage(workspaceId, messageId)))
        const lost = { ...locked, state: "unknown" as const, sentAtMillis: null }
        yield* atomically(sending.endMessage(lost, addressHash, handover))
        const receiver = sending.receiverOf(workspaceId, messageId)
        assert.deepStrictEqual(Option.getOrNull(yield* receiver), "mail.example")
        const contacted = Effect.map(
          suppressions.contactedElsewhere({
            workspaceId,
            campaignId: freshId(),
            addressHashes: [addressHash],
            sinceMillis: 0
          }),
          (found) => found.get(addressHash) ?? null
        )
        assert.isNull(yield* contacted, "nobody knows whether it left")
        const sent = { ...locked, state: "sent" as const, sentAtMillis: NOON + HOUR }
        yield* atomically(sending.endMessage(sent, addressHash, null))
        assert.deepStrictEqual(Option.getOrNull(yield* receiver), "mail.example")
        const lead = yield* leadOf(workspaceId, first!.lead.campaignLeadId)
        yield* atomically(
          (yield* CampaignStore).updateLead({ ...lead, state: "active", stepsSent: 1, nextAtMillis: NOON })
        )
        const [second] = yield* claimsOf(workspaceId)
        assert.strictEqual(second?.message.campaignId, campaign.campaignId)
        yield* end(second!, "sent", null, NOON)
        assert.strictEqual(yield* contacted, NOON + HOUR)
      })
    )

    it.effect("a claim of an own mailbox is left to its host for longer than one of a purchased mailbox", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const hostId = freshId()
        const own = yield* givenOwn(hostId, 1)
        assert.isTrue(yield* claim(hostId, Option.getOrThrow(yield* next(own.mailboxes[0]!))))
        const bought = yield* givenSending(1)
        assert.lengthOf(yield* claimsOf(bought.workspaceId), 1)
        const stale = (before: number, ownBefore: number) =>
          Effect.map(atomically(sending.lockStaleClaims(before, ownBefore, 1_000)), (found) =>
            [own, bought].map(({ workspaceId }) => found.some((one) => one.workspaceId === workspaceId))
          )
        assert.deepStrictEqual(yield* stale(NOON + 1, NOON), [false, true])
        assert.deepStrictEqual(yield* stale(NOON + 1, NOON + 1), [true, true])
        assert.deepStrictEqual(yield* stale(NOON, NOON), [false, false])
      })
    )

    it.effect("a mailbox that failed is none any more: it is neither moved, nor anybody's address", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const { workspaceId } = yield* givenWorkspace()
        const [failed] = yield* givenMailboxes(workspaceId, 1, { state: "failed" })
        const [active] = yield* givenMailboxes(workspaceId, 1)
        const held = yield* atomically(sending.lockAddresses([failed!.address, active!.address]))
        assert.deepStrictEqual(
          held.map(({ mailboxId }) => mailboxId),
          [active!.mailboxId]
        )
        const moved = yield* Effect.exit(atomically(sending.updateMailboxes([{ ...failed!, state: "active" }])))
        assert.strictEqual(moved._tag, "Failure")
        const now = yield* sending.mailbox(workspaceId, failed!.mailboxId)
        assert.strictEqual(Option.getOrNull(now)?.state, "failed")
      })
    )

    it.effect(
      "who is forbidden is taken out once no message to them is under way, and who waits only while they wait",
      () =>
        Effect.gen(function* () {
          const { atomically } = yield* UnitOfWork
          const sending = yield* SendingStore
          const suppressions = yield* SuppressionStore
          const { mailboxes, workspaceId } = yield* givenSending(1)
          const [claimed] = yield* claimsOf(workspaceId)
          const addressHash = addressHashOf(workspaceId, EMAIL)
          yield* atomically(suppressions.add({ workspaceId, addressHash, source: "reply", atMillis: NOON }))
          const forbidden = Effect.map(atomically(sending.lockForbiddenDue(NOON, NOON - 30 * DAY, 1_000)), (found) =>
            found.filter(({ lead }) => lead.workspaceId === workspaceId).map(({ reason }) => reason)
          )
          assert.isEmpty(yield* forbidden)
          yield* end(claimed!, "failed")
          assert.deepStrictEqual(yield* forbidden, ["opted_out"])

          yield* atomically((yield* WorkspaceStore).setOverlap(workspaceId, "queue"))
          const other = "person-9@example.com"
          yield* givenLaunched(workspaceId, mailboxes, [other])
          const [written] = (yield* claimsOf(workspaceId)).filter(({ lead }) => lead.email === other)
          yield* end(written!, "sent")
          // Due later, and long after the last contact: neither is put off.
          const later = yield* givenLaunched(workspaceId, mailboxes, [other], { nextAtMillis: NOON + 1 })
          const putOff = (nowMillis: number) =>
            atomically(sending.putOffContacted(nowMillis, nowMillis - 30 * DAY, 1_000))
          const dueAt = Effect.map(leadOf(workspaceId, later.leads[0]!.campaignLeadId), (lead) => lead.nextAtMillis)
          yield* putOff(NOON)
          assert.strictEqual(yield* dueAt, NOON + 1)
          yield* putOff(NOON + 31 * DAY)
          assert.strictEqual(yield* dueAt, NOON + 1)
          yield* putOff(NOON + 1)
          assert.strictEqual(yield* dueAt, NOON + 30 * DAY + 1)
        })
    )
  })
}
