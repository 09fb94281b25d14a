import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { dayOf, STARTS } from "@outbound/domain/outreach/sending/ramp.js"
import { type Mailbox, SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { DAY, freshId, givenWorkspace, HOUR, MINUTE, NOON, SUITE } from "./fixtures.js"
import { claim, givenOwn, next, options } from "./ownClaims.js"

type Stores = SendingStore | OwnMailboxStore | CampaignStore | ApprovalStore | UnitOfWork | WorkspaceStore

/** What every store knows of the use of own mailboxes, and holds claims to. */
export const ownUseContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  it.layer(adapter, SUITE)(`use of own mailboxes (${name})`, (it) => {
    it.effect("mailboxes of a domain share what it and each organisation take, also of claims under way", () =>
      Effect.gen(function* () {
        const sending = yield* SendingStore
        const hostId = freshId()
        const mailboxes = 6
        const { mailboxes: own, workspaceId } = yield* givenOwn(hostId, 60, { isNew: true, mailboxes })
        const left = (mailbox: Mailbox, receiver: string) =>
          Effect.map(sending.roomAt(options(mailbox, NOON), receiver), (room) => room.left)
        assert.strictEqual(yield* left(own[0]!, "mail.test"), STARTS.mailboxAt.first)
        let claimed = 0
        const refusedAt = new Set<string>()
        for (let round = 0; round < STARTS.mailbox.first; round += 1) {
          for (const mailbox of own) {
            const candidate = yield* next(mailbox)
            if (Option.isNone(candidate)) continue
            const there = claimed < STARTS.domainAt.first ? "mail.test" : `other-${claimed}.test`
            if (claimed === STARTS.domainAt.first && !refusedAt.has(mailbox.mailboxId)) {
              assert.isFalse(yield* claim(hostId, candidate.value, NOON, "mail.test"))
              assert.strictEqual(yield* left(mailbox, "mail.test"), 0)
              refusedAt.add(mailbox.mailboxId)
            }
            if (yield* claim(hostId, candidate.value, NOON, there)) claimed += 1
          }
        }
        assert.strictEqual(claimed, STARTS.domain.first)
        assert.isNotEmpty(refusedAt)
        const use = (yield* sending.uses(workspaceId, NOON, "receiver")).of(own[0]!.mailboxId, "mail.test")
        assert.strictEqual(use?.domain.find(({ day }) => day === dayOf(NOON))?.taken, STARTS.domain.first)
        assert.strictEqual(use?.at?.domain.find(({ day }) => day === dayOf(NOON))?.taken, STARTS.domainAt.first)
      })
    )

    it.effect("what was delivered, refused, bounced and complained of is counted by day, mailbox and receiver", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const campaigns = yield* CampaignStore
        const hostId = freshId()
        const { campaign, leads, mailboxes, workspaceId } = yield* givenOwn(hostId, 6)
        const mailbox = mailboxes[0]!
        const send = (atMillis: number, receiver: string, outcome: "hard_bounce" | "complaint" | null) =>
          Effect.gen(function* () {
            const candidate = Option.getOrThrow(yield* next(mailbox, atMillis))
            assert.isTrue(yield* claim(hostId, candidate, atMillis, receiver))
            const [claimed] = yield* sending.staleClaimsOf(workspaceId, mailbox.mailboxId, atMillis + 1, 10)
            const { lead } = candidate
            yield* atomically(
              Effect.gen(function* () {
                yield* sending.endMessage({ ...claimed!, state: "sent", sentAtMillis: atMillis }, lead.addressHash, {
                  receiver,
                  isRefused: false
                })
                yield* campaigns.updateLead({ ...lead, state: "active", stepsSent: 1, nextAtMillis: null })
                if (outcome !== null) yield* sending.setOutcome(workspaceId, claimed!.messageId, outcome)
              })
            )
          })
        yield* send(NOON, "a.test", null)
        yield* send(NOON, "a.test", "hard_bounce")
        yield* send(NOON, "b.test", "complaint")
        const refused = (person: number) =>
          atomically(
            sending.insertFailed(
              {
                workspaceId,
                messageId: freshId(),
                campaignId: campaign.campaignId,
                campaignLeadId: leads[person]!.campaignLeadId,
                mailboxId: mailbox.mailboxId,
                stepIndex: 0,
                variant: null,
                state: "failed",
                claimedAtMillis: NOON,
                sentAtMillis: null
              },
              leads[person]!.addressHash,
              { receiver: "b.test", isRefused: true }
            )
          )
        // The same person twice.
        yield* refused(4)
        yield* refused(4)
        yield* refused(5)
        // A claim under way.
        const candidate = Option.getOrThrow(yield* next(mailbox))
        assert.isTrue(yield* claim(hostId, candidate, NOON, "b.test"))

        const day = dayOf(NOON)
        const none = { day, taken: 0, delivered: 0, refused: 0, bounced: 0, complained: 0 }
        for (const by of ["day", "receiver"] as const) {
          const book = yield* sending.uses(workspaceId, NOON, by)
          const all = { ...none, taken: 4, delivered: 1, refused: 2, bounced: 1, complained: 1 }
          assert.deepStrictEqual(book.of(mailbox.mailboxId)?.mailbox, [all])
          assert.deepStrictEqual(book.of(mailbox.mailboxId)?.domain, [all])
        }
        const at = (yield* sending.uses(workspaceId, NOON, "receiver")).of(mailbox.mailboxId, "b.test")?.at
        assert.deepStrictEqual(at?.mailbox, [{ ...none, taken: 2, refused: 2, complained: 1 }])
        // On the next day they are of yesterday, and after two weeks forgotten.
        const later = (days: number) =>
          Effect.map(sending.uses(workspaceId, NOON + days * DAY, "day"), (book) => book.of(mailbox.mailboxId)?.mailbox)
        assert.deepStrictEqual(yield* later(1), [{ ...none, delivered: 1, refused: 2, bounced: 1, complained: 1 }])
        assert.isEmpty(yield* later(15))
        const other = yield* givenOwn(hostId, 1)
        assert.isEmpty((yield* sending.uses(other.workspaceId, NOON, "day")).of(other.mailboxes[0]!.mailboxId)?.domain)
        assert.isNull((yield* sending.uses(other.workspaceId, NOON, "day")).of(mailbox.mailboxId))
      })
    )

    it.effect("one look names the held mailboxes that have somebody due, or a claim that nobody ended", () =>
      Effect.gen(function* () {
        const sending = yield* SendingStore
        const hostId = freshId()
        const { mailboxes } = yield* givenOwn(hostId, 2, { mailboxes: 3 })
        const look = (nowMillis: number, host = hostId) =>
          Effect.map(
            sending.dueOfOwn({ hostId: host, nowMillis, staleBeforeMillis: nowMillis - 5 * MINUTE }),
            ({ due, stale }) => mailboxes.map(({ mailboxId }) => [due.has(mailboxId), stale.has(mailboxId)])
          )
        const nothing = [false, false]
        const isDue = [true, false]
        assert.deepStrictEqual(yield* look(NOON), [isDue, isDue, nothing])
        assert.deepStrictEqual(yield* look(NOON - 2 * HOUR), [nothing, nothing, nothing])
        assert.deepStrictEqual(yield* look(NOON, freshId()), [nothing, nothing, nothing])
        const candidate = Option.getOrThrow(yield* next(mailboxes[0]!))
        assert.isTrue(yield* claim(hostId, candidate))
        assert.deepStrictEqual((yield* look(NOON + 10 * MINUTE))[0]?.[1], true)
        assert.deepStrictEqual((yield* look(NOON + 10 * MINUTE))[1], isDue)
      })
    )

    it.effect("who receives a domain's mail is known to the workspace that learned it, and the last answer holds", () =>
      Effect.gen(function* () {
        const sending = yield* SendingStore
        const { workspaceId } = yield* givenWorkspace({ kind: "live" })
        const other = yield* givenWorkspace({ kind: "live" })
        yield* sending.noteReceiver(workspaceId, "acme.test", "google.com")
        yield* sending.noteReceiver(workspaceId, "else.test", "outlook.com")
        yield* sending.noteReceiver(workspaceId, "acme.test", "outlook.com")
        yield* sending.noteReceiver(workspaceId, "acme.test", "outlook.com")
        assert.deepStrictEqual([...(yield* sending.knownReceivers(workspaceId))].sort(), [
          ["acme.test", "outlook.com"],
          ["else.test", "outlook.com"]
        ])
        assert.isEmpty([...(yield* sending.knownReceivers(other.workspaceId))])
      })
    )
  })
}
