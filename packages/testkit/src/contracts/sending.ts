import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { DEFAULT_CAPS, WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { addressHashOf, DAY, freshId, givenWorkspace, HOUR, MINUTE, NOON, SUITE } from "./fixtures.js"
import { TestSuspension } from "../memory/Hooks.js"
import { claimAt, claimsOf, end, givenLaunched, givenMailboxes, givenSending } from "./outboundFixtures.js"

const CLAIMERS = 8

/** What every store of messages guarantees. */
export const sendingContract = <E>(
  name: string,
  adapter: Layer.Layer<
    | SendingStore
    | CampaignStore
    | ApprovalStore
    | SuppressionStore
    | UnitOfWork
    | WorkspaceStore
    | TestSuspension
    | Inbound
    | ReplyStore,
    E
  >
): void => {
  const suppress = (workspaceId: string, email: string, source: "reply" | "owner_import" = "reply") =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* SuppressionStore
      const addressHash = addressHashOf(workspaceId, email)
      yield* atomically(store.add({ workspaceId, addressHash, source, atMillis: NOON }))
    })

  it.layer(adapter, SUITE)(`sending (${name})`, (it) => {
    it.effect("a claim brings all that is needed to write the message", () =>
      Effect.gen(function* () {
        const { workspaceId, campaign, leads, mailboxes, approval } = yield* givenSending(1)
        const [claim, ...others] = yield* claimsOf(workspaceId)
        const [lead] = leads
        assert.isEmpty(others)
        assert.deepStrictEqual(claim, {
          message: {
            workspaceId,
            messageId: claim?.message.messageId ?? "",
            campaignId: campaign.campaignId,
            campaignLeadId: lead?.campaignLeadId ?? "",
            mailboxId: mailboxes[0]?.mailboxId ?? "",
            stepIndex: 0,
            variant: null,
            state: "claimed",
            claimedAtMillis: NOON,
            sentAtMillis: null
          },
          lead: {
            ...lead!,
            workspaceId,
            campaignId: campaign.campaignId,
            state: "ready",
            interestStatus: null,
            providerSyncStatus: null,
            approvalId: approval.approvalId,
            mailboxId: mailboxes[0]?.mailboxId ?? "",
            hours: null,
            variants: null,
            words: null,
            stepsSent: 0,
            nextAtMillis: NOON - HOUR
          },
          campaign,
          mailbox: mailboxes[0]!,
          workspaceKind: "sandbox",
          postalAddress: "1 Main Street, Springfield",
          thread: [],
          failedTries: 0
        })
        const sending = yield* SendingStore
        const { atomically } = yield* UnitOfWork
        const found = yield* atomically(sending.lockMessage(workspaceId, claim?.message.messageId ?? ""))
        assert.deepStrictEqual(Option.getOrNull(found), claim!.message)
      })
    )

    it.effect("nothing is claimed before it is due, and nothing for a lead that no executed approval covers", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        const mailboxes = yield* givenMailboxes(workspaceId, 1)
        yield* givenLaunched(workspaceId, mailboxes, ["later@example.com"], { nextAtMillis: NOON + 1 })
        yield* givenLaunched(workspaceId, mailboxes, ["asked@example.com"], { approval: { state: "approved" } })
        assert.isEmpty(yield* claimsOf(workspaceId))
        assert.lengthOf(yield* claimsOf(workspaceId, NOON + 1), 1)
      })
    )

    it.effect("nothing is claimed for a campaign or from a mailbox that is not active", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        const active = yield* givenMailboxes(workspaceId, 1)
        const paused = yield* givenMailboxes(workspaceId, 1, { state: "paused", pauseReason: "upkeep" })
        yield* givenLaunched(workspaceId, active, ["a@example.com"], {
          campaign: { state: "paused", pauseReason: "owner" }
        })
        yield* givenLaunched(workspaceId, paused, ["b@example.com"])
        assert.isEmpty(yield* claimsOf(workspaceId))
      })
    )

    it.effect("nothing is claimed in a workspace whose sending is suspended", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenSending(1)
        yield* (yield* TestSuspension).suspend(workspaceId, NOON, "stop")
        assert.isEmpty(yield* claimsOf(workspaceId))
      })
    )

    it.effect("nothing is claimed for whom anything suppresses, and who that is can be taken out", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const { workspaceId } = yield* givenSending(3)
        yield* suppress(workspaceId, "person-0@example.com")
        yield* suppress(workspaceId, "person-1@example.com", "owner_import")
        const claims = yield* claimsOf(workspaceId)
        assert.deepStrictEqual(
          claims.map(({ lead }) => lead.email),
          ["person-2@example.com"]
        )
        const forbidden = yield* atomically(sending.lockForbiddenDue(NOON, NOON - 30 * DAY, 1_000))
        assert.sameDeepMembers(
          forbidden
            .filter(({ lead }) => lead.workspaceId === workspaceId)
            .map(({ lead, reason }) => [lead.email, reason]),
          [
            ["person-0@example.com", "opted_out"],
            ["person-1@example.com", "platform_blocked"]
          ]
        )
      })
    )

    it.effect("who was written to by one campaign is left alone by the others, for as long as is said", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const { workspaceId, mailboxes, campaign } = yield* givenSending(1)
        const [first] = yield* claimsOf(workspaceId)
        yield* end(first!, "sent", NOON + DAY)
        const other = yield* givenLaunched(workspaceId, mailboxes, ["person-0@example.com"])
        assert.isEmpty(yield* claimsOf(workspaceId))
        const forbidden = yield* atomically(sending.lockForbiddenDue(NOON, NOON - 30 * DAY, 1_000))
        assert.deepStrictEqual(
          forbidden
            .filter(({ lead }) => lead.workspaceId === workspaceId)
            .map(({ lead, reason }) => [lead.campaignId, reason]),
          [[other.campaign.campaignId, "capped"]]
        )
        // The campaign's own messages go on.
        const next = yield* claimsOf(workspaceId, NOON + DAY)
        assert.deepStrictEqual(
          next.map(({ message, thread }) => [message.campaignId, message.stepIndex, thread]),
          [[campaign.campaignId, 1, [{ messageId: first!.message.messageId, variant: null }]]]
        )
      })
    )

    it.effect("where people wait for that, it is put off until the time is over, and then they are written to", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const workspaces = yield* WorkspaceStore
        const { workspaceId, mailboxes } = yield* givenSending(1)
        yield* atomically(workspaces.setOverlap(workspaceId, "queue"))
        const [first] = yield* claimsOf(workspaceId)
        yield* end(first!, "sent", null)
        const other = yield* givenLaunched(workspaceId, mailboxes, ["person-0@example.com"])
        const { campaignId } = other.campaign
        assert.isEmpty(yield* claimsOf(workspaceId))
        const barred = yield* atomically(sending.lockForbiddenDue(NOON, NOON - 30 * DAY, 1_000))
        assert.isEmpty(barred.filter(({ lead }) => lead.workspaceId === workspaceId))
        const putOff = (nowMillis: number) =>
          atomically(sending.putOffContacted(nowMillis, nowMillis - 30 * DAY, 1_000))
        assert.isAtLeast(yield* putOff(NOON), 1)
        assert.strictEqual(yield* putOff(NOON), 0)
        const [lead] = yield* (yield* CampaignStore).firstLeads(workspaceId, campaignId, ["ready"], 1)
        assert.strictEqual(lead?.nextAtMillis, NOON + 30 * DAY + 1)
        assert.isEmpty(yield* claimsOf(workspaceId, NOON + 30 * DAY))
        const later = yield* claimsOf(workspaceId, NOON + 30 * DAY + 1)
        assert.deepStrictEqual(
          later.map(({ message }) => message.campaignId),
          [campaignId]
        )
      })
    )

    it.effect("of two campaigns that reach for one person at once, one claims", () =>
      Effect.gen(function* () {
        const { workspaceId, mailboxes } = yield* givenSending(1)
        yield* givenLaunched(workspaceId, mailboxes, ["person-0@example.com"])
        assert.lengthOf(yield* claimsOf(workspaceId), 1)
        assert.isEmpty(yield* claimsOf(workspaceId))
      })
    )

    it.effect("a step whose message may have left is not claimed again; one that provably did not may be", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenSending(2)
        const claims = yield* claimsOf(workspaceId)
        assert.lengthOf(claims, 2)
        assert.isEmpty(yield* claimsOf(workspaceId))
        yield* end(claims[0]!, "failed")
        yield* end(claims[1]!, "unknown")
        const again = yield* claimsOf(workspaceId)
        assert.deepStrictEqual(
          again.map(({ lead, message }) => [lead.campaignLeadId, message.stepIndex]),
          [[claims[0]!.lead.campaignLeadId, 0]]
        )
        assert.notStrictEqual(again[0]!.message.messageId, claims[0]!.message.messageId)
        assert.isEmpty(yield* claimsOf(workspaceId))
      })
    )

    it.effect("nobody is written to while an answer of theirs waits in the inbox", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const inbound = yield* Inbound
        const replies = yield* ReplyStore
        const { workspaceId, mailboxes } = yield* givenSending(1)
        const [first] = yield* claimsOf(workspaceId)
        yield* end(first!, "sent", NOON + MINUTE)
        yield* givenLaunched(workspaceId, mailboxes, ["other@example.com"])
        const event = {
          workspaceId,
          provider: "sandbox",
          kind: "reply" as const,
          source: "provider_poll" as const,
          toEmail: null,
          subject: "Re: Hello",
          bodyText: "No.",
          bodyHtml: null,
          classification: null,
          bounce: null
        }
        // One answers from another address, one writes anew, and one has not arrived yet.
        const answers = [
          {
            ...event,
            providerEventId: freshId(),
            inReplyTo: `<${first!.message.messageId}@acme-mail.test>`,
            messageId: null,
            fromEmail: "ann@home.example",
            receivedAtMillis: NOON + MINUTE
          },
          {
            ...event,
            providerEventId: freshId(),
            inReplyTo: "",
            messageId: null,
            fromEmail: "Other@Example.com",
            receivedAtMillis: NOON + 2 * MINUTE
          }
        ]
        yield* inbound.receive(answers)
        const emails = (nowMillis: number) =>
          Effect.map(claimsOf(workspaceId, nowMillis), (claims) => claims.map(({ lead }) => lead.email))
        assert.deepStrictEqual(yield* emails(NOON + MINUTE), ["other@example.com"])
        yield* atomically(replies.takeFromInbox(answers[0]!))
        assert.deepStrictEqual(yield* emails(NOON + 2 * MINUTE), ["person-0@example.com"])
        yield* givenLaunched(workspaceId, mailboxes, ["new@example.com"])
        yield* inbound.receive([{ ...answers[1]!, providerEventId: freshId(), fromEmail: "New@Example.com" }])
        assert.isEmpty(yield* emails(NOON + 2 * MINUTE))
      })
    )

    it.effect("a mailbox sends up to its cap in a day, and one that failed does not count", () =>
      Effect.gen(function* () {
        const caps = { ...DEFAULT_CAPS, mailboxDailySends: 2 }
        const { workspaceId } = yield* givenSending(8, { workspace: { caps }, mailboxes: 2 })
        const claims = yield* claimsOf(workspaceId)
        assert.lengthOf(claims, 4)
        assert.lengthOf(new Set(claims.map(({ mailbox }) => mailbox.mailboxId)), 2)
        assert.isEmpty(yield* claimsOf(workspaceId))
        yield* end(claims[0]!, "failed")
        yield* end(claims[1]!, "sent")
        yield* end(claims[2]!, "unknown")
        const again = yield* claimsOf(workspaceId)
        assert.deepStrictEqual(
          again.map(({ mailbox }) => mailbox.mailboxId),
          [claims[0]!.mailbox.mailboxId]
        )
        assert.isEmpty(yield* claimsOf(workspaceId))
        assert.lengthOf(yield* claimsOf(workspaceId, NOON + DAY), 4)
      })
    )

    it.effect("claimers at once never exceed the workspace's cap, nor claim a message twice", () =>
      Effect.gen(function* () {
        const caps = { ...DEFAULT_CAPS, dailySends: 7 }
        const { workspaceId } = yield* givenSending(20, { workspace: { caps }, mailboxes: 3 })
        const rounds = yield* Effect.replicateEffect(Effect.replicateEffect(claimAt(NOON, 2), 4), CLAIMERS, {
          concurrency: "unbounded"
        })
        const claims = rounds.flat(2).filter(({ message }) => message.workspaceId === workspaceId)
        assert.lengthOf(new Set(claims.map(({ lead }) => lead.campaignLeadId)), claims.length)
        assert.lengthOf([...claims, ...(yield* claimsOf(workspaceId))], 7)
      })
    )

    it.effect("one workspace's backlog does not keep another waiting", () =>
      Effect.gen(function* () {
        const big = yield* givenSending(60, { mailboxes: 4 })
        const small = yield* givenSending(1)
        const claims = yield* claimAt(NOON, 10)
        assert.lengthOf(claims, 10)
        assert.include(
          claims.map(({ message }) => message.workspaceId),
          small.workspaceId
        )
        yield* claimsOf(big.workspaceId)
      })
    )

    it.effect("a claim that nobody ended is found once it is old", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const { workspaceId } = yield* givenSending(2)
        const claims = yield* claimsOf(workspaceId)
        yield* end(claims[0]!, "sent")
        const stale = (beforeMillis: number) =>
          Effect.map(atomically(sending.lockStaleClaims(beforeMillis, beforeMillis - HOUR, 1_000)), (messages) =>
            messages.filter((message) => message.workspaceId === workspaceId)
          )
        assert.isEmpty(yield* stale(NOON))
        assert.deepStrictEqual(yield* stale(NOON + 1), [claims[1]!.message])
      })
    )

    it.effect("a lead whose steps are all sent waits for its time, and is then found", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const { workspaceId } = yield* givenSending(1)
        const [first] = yield* claimsOf(workspaceId)
        yield* end(first!, "sent", NOON + MINUTE)
        const waitedOut = (nowMillis: number) =>
          Effect.map(atomically(sending.lockWaitedOut(nowMillis, 1_000)), (leads) =>
            leads.filter((lead) => lead.workspaceId === workspaceId)
          )
        assert.isEmpty(yield* waitedOut(NOON + HOUR))
        const [second] = yield* claimsOf(workspaceId, NOON + MINUTE)
        yield* end(second!, "sent", NOON + DAY)
        assert.isEmpty(yield* waitedOut(NOON + DAY - 1))
        assert.isEmpty(yield* claimsOf(workspaceId, NOON + DAY))
        assert.deepStrictEqual(
          (yield* waitedOut(NOON + DAY)).map(({ campaignLeadId, stepsSent }) => [campaignLeadId, stepsSent]),
          [[first!.lead.campaignLeadId, 2]]
        )
      })
    )
  })
}
