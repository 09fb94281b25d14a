import { assert, it } from "@effect/vitest"
import { type Approval, ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { UserStore } from "@outbound/domain/control/users/UserStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { type Message, SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, type Layer } from "effect"
import { leadOf, move } from "./campaignFixtures.js"
import { addressHashOf, DAY, freshId, givenKey, givenWorkspace, hashOf, HOUR, NOON, SUITE } from "./fixtures.js"
import { claimsOf, end, givenLaunched, givenMailboxes, givenSending, makeApproval } from "./outboundFixtures.js"

type Stores =
  | ApprovalStore
  | CampaignStore
  | KeyStore
  | ReplyStore
  | SendingStore
  | UnitOfWork
  | UserStore
  | WorkspaceStore

const EMAIL = "person-0@example.com"

/** What is read of one campaign, person, key or mailbox is never that of another one beside it, in any store. */
export const onlyTheirsContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  /** Two campaigns of one workspace, each with a mailbox and people of its own, and another workspace's. */
  const three = Effect.gen(function* () {
    const first = yield* givenSending(2, { mailboxes: 1 })
    const { workspaceId } = first
    const mailboxes = yield* givenMailboxes(workspaceId, 1)
    const second = yield* givenLaunched(workspaceId, mailboxes, ["bob@example.com"])
    return { first, second: { ...second, mailboxes }, stranger: yield* givenSending(1), workspaceId }
  })

  const bounced = (
    workspaceId: string,
    campaignId: string,
    campaignLeadId: string,
    classification: "bounce" | "other" = "bounce"
  ) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const reply = { workspaceId, campaignId, campaignLeadId, replyId: freshId(), receivedAtMillis: NOON }
      const text = {
        subject: "",
        snippet: "",
        bodyText: "",
        bodyHtml: null,
        bodyTruncated: false,
        fromEmail: "a@b.test"
      }
      const ids = { threadId: null, toEmail: null, messageId: null, inReplyTo: null }
      yield* atomically((yield* ReplyStore).insert({ ...reply, ...text, ...ids, classification }))
    })

  it.layer(adapter, SUITE)(`only theirs (${name})`, (it) => {
    it.effect("the mailboxes that write for a campaign, and its messages under way, are that campaign's", () =>
      Effect.gen(function* () {
        const sending = yield* SendingStore
        const { first, second, workspaceId } = yield* three
        const writing = (campaignId: string) =>
          Effect.map(sending.mailboxesOfCampaign(workspaceId, campaignId), (found) =>
            found.map(({ mailboxId }) => mailboxId)
          )
        assert.deepStrictEqual(yield* writing(first.campaign.campaignId), [first.mailboxes[0]?.mailboxId])
        assert.deepStrictEqual(yield* writing(second.campaign.campaignId), [second.mailboxes[0]?.mailboxId])
        const claims = yield* claimsOf(workspaceId)
        assert.lengthOf(claims, 3)
        assert.strictEqual(yield* sending.inFlight(workspaceId, first.campaign.campaignId), 2)
        assert.strictEqual(yield* sending.inFlight(workspaceId, second.campaign.campaignId), 1)
        yield* end(
          claims.find(({ campaign }) => campaign.campaignId === second.campaign.campaignId)!,
          "sent"
        )
        assert.strictEqual(yield* sending.inFlight(workspaceId, second.campaign.campaignId), 0)
        assert.strictEqual(yield* sending.inFlight(freshId(), first.campaign.campaignId), 0)
      })
    )

    it.effect("the bounces of a person are theirs, of all campaigns, and of no other workspace", () =>
      Effect.gen(function* () {
        const sending = yield* SendingStore
        const { first, second, stranger, workspaceId } = yield* three
        const again = yield* givenLaunched(workspaceId, first.mailboxes, [EMAIL])
        for (const { campaign, leads } of [first, again, second]) {
          yield* bounced(workspaceId, campaign.campaignId, leads[0]!.campaignLeadId)
        }
        yield* bounced(workspaceId, first.campaign.campaignId, first.leads[0]!.campaignLeadId, "other")
        const { campaign, leads } = stranger
        yield* bounced(stranger.workspaceId, campaign.campaignId, leads[0]!.campaignLeadId)
        assert.strictEqual(yield* sending.bouncesOf(workspaceId, addressHashOf(workspaceId, EMAIL)), 2)
        assert.strictEqual(yield* sending.bouncesOf(workspaceId, addressHashOf(workspaceId, "person-1@example.com")), 0)
      })
    )

    it.effect("a message that failed left to no company, and says nothing of its mailbox's health", () =>
      Effect.gen(function* () {
        const sending = yield* SendingStore
        const { workspaceId } = yield* givenWorkspace()
        const [mailbox] = yield* givenMailboxes(workspaceId, 1)
        const campaign = { maxPerCompanyPerDay: 9 }
        const people = ["a@acme.test", "b@acme.test", "c@else.test"]
        const launched = yield* givenLaunched(workspaceId, [mailbox!], people, { campaign })
        const claims = yield* claimsOf(workspaceId)
        const states: ReadonlyArray<Message["state"]> = ["failed", "sent", "unknown"]
        const byEmail = claims.toSorted((one, other) => (one.lead.email < other.lead.email ? -1 : 1))
        for (const [at, claim] of byEmail.entries()) yield* end(claim, states[at] ?? "sent")
        const { campaignId } = launched.campaign
        const sent = yield* sending.sentToCompanies(workspaceId, campaignId, NOON - HOUR)
        assert.deepStrictEqual([...sent].toSorted(), [
          ["acme.test", 1],
          ["else.test", 1]
        ])
        assert.strictEqual((yield* sending.sentToCompanies(workspaceId, freshId(), NOON - HOUR)).size, 0)
        assert.strictEqual((yield* sending.sentToCompanies(workspaceId, campaignId, NOON + 1)).size, 0)
        assert.strictEqual((yield* sending.health(workspaceId, mailbox!.mailboxId, 100)).sent, 1)
      })
    )

    it.effect("mailboxes are those of their operation, domains those of their workspace, each once", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const { first, second, stranger, workspaceId } = yield* three
        const [one, other] = [first.mailboxes[0]!, second.mailboxes[0]!]
        const of = (operationId: string | null) =>
          Effect.map(atomically(sending.lockMailboxesOfOperation(workspaceId, operationId ?? "")), (found) =>
            found.map(({ mailboxId }) => mailboxId)
          )
        assert.deepStrictEqual(yield* of(one.operationId), [one.mailboxId])
        assert.deepStrictEqual(yield* of(other.operationId), [other.mailboxId])
        assert.deepStrictEqual(yield* of(stranger.mailboxes[0]!.operationId), [])
        yield* givenMailboxes(workspaceId, 1, { domain: "second-mail.test" })
        yield* givenMailboxes(stranger.workspaceId, 1, { domain: "stranger-mail.test" })
        assert.deepStrictEqual(yield* sending.domains(workspaceId), ["acme-mail.test", "second-mail.test"])
      })
    )

    it.effect("who waits for their upkeep is whom upkeep paused, in pages, and nobody whom their owner did", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const { workspaceId } = yield* givenWorkspace()
        const paused = yield* givenMailboxes(workspaceId, 2, { state: "paused", pauseReason: "upkeep" })
        yield* givenMailboxes(workspaceId, 1, { state: "paused", pauseReason: "owner" })
        yield* givenMailboxes(workspaceId, 1)
        const [first, second] = paused.map(({ mailboxId }) => mailboxId).toSorted()
        const waiting = (after: { readonly workspaceId: string; readonly mailboxId: string } | null) =>
          Effect.map(atomically(sending.lockUpkeepPaused(1_000, after)), (found) =>
            found.flatMap((mailbox) => (mailbox.workspaceId === workspaceId ? [mailbox.mailboxId] : []))
          )
        assert.deepStrictEqual(yield* waiting(null), [first, second])
        assert.deepStrictEqual(yield* waiting({ workspaceId, mailboxId: first ?? "" }), [second])
      })
    )

    it.effect("a mailbox's health is its own, and who bounced several times is one person", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const { first, second, workspaceId } = yield* three
        const again = yield* givenLaunched(workspaceId, first.mailboxes, ["person-9@example.com"])
        const claims = yield* claimsOf(workspaceId)
        for (const claim of claims) yield* end(claim, "sent", NOON + 1)
        const later = yield* claimsOf(workspaceId, NOON + 1)
        const next = later.filter(({ campaign }) => campaign.campaignId === again.campaign.campaignId)
        for (const claim of next) yield* end(claim, "sent", null, NOON + 1)
        const theirs = [...claims, ...next].filter(({ lead }) => lead.email === "person-9@example.com")
        assert.lengthOf(theirs, 2)
        for (const { message } of theirs)
          yield* atomically(sending.setOutcome(workspaceId, message.messageId, "hard_bounce"))
        const health = ({ mailboxId }: { readonly mailboxId: string }) => sending.health(workspaceId, mailboxId, 100)
        assert.deepStrictEqual({ ...(yield* health(first.mailboxes[0]!)) }, { sent: 4, hardBounces: 1, complaints: 0 })
        assert.deepStrictEqual({ ...(yield* health(second.mailboxes[0]!)) }, { sent: 1, hardBounces: 0, complaints: 0 })
        // Another workspace says nothing about a message of this one.
        const { message } = claims.find(({ campaign }) => campaign.campaignId === second.campaign.campaignId)!
        yield* atomically(sending.setOutcome(freshId(), message.messageId, "complaint"))
        assert.strictEqual((yield* health(second.mailboxes[0]!)).complaints, 0)
      })
    )

    it.effect("claims that nobody ended are found by their mailbox, and end once", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const { first, second, stranger, workspaceId } = yield* three
        const claims = yield* claimsOf(workspaceId)
        const stale = (workspace: string, mailboxId: string, beforeMillis: number) =>
          Effect.map(sending.staleClaimsOf(workspace, mailboxId, beforeMillis, 9), (found) => found.length)
        const [one, other] = [first.mailboxes[0]!.mailboxId, second.mailboxes[0]!.mailboxId]
        assert.deepStrictEqual(
          [yield* stale(workspaceId, one, NOON + 1), yield* stale(workspaceId, other, NOON + 1)],
          [2, 1]
        )
        assert.strictEqual(yield* stale(workspaceId, one, NOON), 0)
        assert.strictEqual(yield* stale(stranger.workspaceId, one, NOON + 1), 0)
        const { lead, message } = claims[0]!
        const ended = { ...message, state: "failed" as const }
        const handover = { receiver: "big.example", isRefused: true }
        yield* atomically(sending.endMessage(ended, lead.addressHash, handover))
        const counts = yield* sending.refusals(workspaceId, message.mailboxId, "big.example", NOON - HOUR)
        assert.deepStrictEqual([counts.mailbox.refused, counts.receiver.refused], [1, 1])
        const again = yield* Effect.exit(
          atomically(sending.endMessage({ ...ended, state: "sent", sentAtMillis: NOON }, lead.addressHash, null))
        )
        assert.strictEqual(again._tag, "Failure")
      })
    )

    it.effect("what left to a company counts from the very moment on, and of nobody without one", () =>
      Effect.gen(function* () {
        const sending = yield* SendingStore
        const { workspaceId } = yield* givenWorkspace()
        const [mailbox] = yield* givenMailboxes(workspaceId, 1)
        const campaign = { maxPerCompanyPerDay: 9 }
        const { campaign: made } = yield* givenLaunched(workspaceId, [mailbox!], ["a@acme.test", "b@gmail.com"], {
          campaign
        })
        for (const claim of yield* claimsOf(workspaceId)) yield* end(claim, "sent")
        const sent = (sinceMillis: number) =>
          Effect.map(sending.sentToCompanies(workspaceId, made.campaignId, sinceMillis), (found) => [...found])
        assert.deepStrictEqual(yield* sent(NOON), [["acme.test", 1]])
        assert.deepStrictEqual(yield* sent(NOON + 1), [])
      })
    )

    it.effect("what is known of a message's end is only ever made worse", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const { mailboxes, workspaceId } = yield* givenSending(1)
        const [claim] = yield* claimsOf(workspaceId)
        yield* end(claim!, "sent")
        const after = (outcome: "hard_bounce" | "complaint" | "refused") =>
          Effect.andThen(
            atomically(sending.setOutcome(workspaceId, claim!.message.messageId, outcome)),
            Effect.map(sending.health(workspaceId, mailboxes[0]!.mailboxId, 9), ({ complaints, hardBounces }) => [
              hardBounces,
              complaints
            ])
          )
        assert.deepStrictEqual(yield* after("refused"), [0, 0])
        assert.deepStrictEqual(yield* after("hard_bounce"), [1, 0])
        assert.deepStrictEqual(yield* after("refused"), [1, 0])
        assert.deepStrictEqual(yield* after("complaint"), [0, 1])
        assert.deepStrictEqual(yield* after("hard_bounce"), [0, 1])
      })
    )

    it.effect("who answered, or was removed, stays so: neither a removal nor a new approval reaches them", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const campaigns = yield* CampaignStore
        const { approval, campaign, leads, workspaceId } = yield* givenSending(3)
        const [replied, removed, open] = leads.map(({ campaignLeadId }) => campaignLeadId) as [string, string, string]
        yield* move(workspaceId, replied, "active", "replied")
        yield* atomically(campaigns.removeLeads(workspaceId, [removed]))
        const [other] = yield* givenMailboxes(workspaceId, 1)
        const now = Effect.forEach([replied, removed, open], (id) =>
          Effect.map(leadOf(workspaceId, id), ({ mailboxId, state, words }) => ({ mailboxId, state, words }))
        )
        const before = yield* now
        const covers = [replied, removed].map((campaignLeadId) => ({
          campaignLeadId,
          mailboxId: other!.mailboxId,
          nextAtMillis: NOON
        }))
        yield* atomically(campaigns.coverLeads(workspaceId, campaign.campaignId, approval.approvalId, covers))
        yield* atomically(campaigns.removeLeads(workspaceId, [replied, removed]))
        yield* atomically(campaigns.removeLeads(freshId(), [open]))
        assert.deepStrictEqual(yield* now, before)
        assert.deepStrictEqual(
          before.map(({ state }) => state),
          ["replied", "removed", "ready"]
        )
      })
    )

    it.effect("who has got a first message keeps their mailbox and their next time when leads are covered again", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const campaigns = yield* CampaignStore
        const { approval, campaign, mailboxes, workspaceId } = yield* givenSending(1)
        const [other] = yield* givenMailboxes(workspaceId, 1)
        const [claim] = yield* claimsOf(workspaceId)
        yield* end(claim!, "sent", NOON + DAY)
        const { campaignLeadId } = claim!.lead
        const cover = { campaignLeadId, mailboxId: other!.mailboxId, nextAtMillis: NOON }
        yield* atomically(campaigns.coverLeads(workspaceId, campaign.campaignId, approval.approvalId, [cover]))
        const { mailboxId, nextAtMillis } = yield* leadOf(workspaceId, campaignLeadId)
        assert.deepStrictEqual([mailboxId, nextAtMillis], [mailboxes[0]?.mailboxId, NOON + DAY])
      })
    )

    it.effect("the open requests of a key are that key's; those of the workspace are all of them", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* ApprovalStore
        const { workspaceId } = yield* givenWorkspace()
        const [one, two] = [yield* givenKey(workspaceId), yield* givenKey(workspaceId)]
        const asked = (keyId: string, given: Partial<Approval> = {}) =>
          Effect.gen(function* () {
            const approval = makeApproval({ workspaceId, keyId, tokenHash: hashOf(freshId()), ...given })
            yield* atomically(store.insert(approval))
            return approval.approvalId
          })
        const [pending, approved] = [yield* asked(one.key.keyId), yield* asked(one.key.keyId, { state: "approved" })]
        yield* asked(one.key.keyId, { state: "declined" })
        const theirs = yield* asked(two.key.keyId)
        const open = (keyId: string | null, of = workspaceId) =>
          Effect.map(atomically(store.lockOpen(of, keyId)), (found) => found.map(({ approvalId }) => approvalId))
        assert.sameMembers([...(yield* open(one.key.keyId))], [pending, approved])
        assert.sameMembers([...(yield* open(null))], [pending, approved, theirs])
        assert.isEmpty(yield* open(null, freshId()))
      })
    )

    it.effect("a vote is that of a member for as long as they are one in this workspace", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const [store, users] = [yield* ApprovalStore, yield* UserStore]
        const { workspaceId } = yield* givenWorkspace()
        const { workspaceId: elsewhere } = yield* givenWorkspace()
        const { key } = yield* givenKey(workspaceId)
        const approval = makeApproval({ workspaceId, keyId: key.keyId, tokenHash: hashOf(freshId()) })
        yield* atomically(store.insert(approval))
        const email = `${freshId()}@owner.test`
        const join = (of: string) =>
          atomically(users.ensureMember({ userId: freshId(), email, workspaceId: of, role: "owner", atMillis: NOON }))
        const { userId } = yield* join(workspaceId)
        yield* join(elsewhere)
        const vote = { userId, beganBy: "link" as const, approvesWinnerRule: true, atMillis: NOON }
        yield* atomically(store.addVote(workspaceId, approval.approvalId, vote))
        const votes = store.votes(workspaceId, approval.approvalId)
        assert.deepStrictEqual(yield* votes, [{ ...vote, email, isMember: true }])
        assert.isEmpty(yield* store.votes(elsewhere, approval.approvalId))
        yield* atomically(users.removeMember(workspaceId, userId))
        assert.deepStrictEqual(yield* votes, [{ ...vote, email, isMember: false }])
        // Who leaves one workspace stays in the others.
        assert.deepStrictEqual(
          (yield* users.memberships(userId)).map((one) => [one.workspaceId, one.role]),
          [[elsewhere, "owner"]]
        )
      })
    )

    it.effect("a role is set in one workspace, and there of one member", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const users = yield* UserStore
        const [here, there] = [yield* givenWorkspace(), yield* givenWorkspace()]
        const join = (workspaceId: string, email: string) =>
          atomically(users.ensureMember({ userId: freshId(), email, workspaceId, role: "owner", atMillis: NOON }))
        const [ann, bob] = [`${freshId()}@a.test`, `${freshId()}@b.test`]
        const { userId } = yield* join(here.workspaceId, ann)
        for (const email of [ann, bob]) yield* join(there.workspaceId, email)
        yield* atomically(users.setRole(there.workspaceId, userId, "reader"))
        const roles = (workspaceId: string) =>
          Effect.map(users.members(workspaceId), (members) =>
            members.map(({ email, role }) => [email, role]).toSorted()
          )
        assert.deepStrictEqual(yield* roles(here.workspaceId), [[ann, "owner"]])
        assert.deepStrictEqual(
          yield* roles(there.workspaceId),
          [
            [ann, "reader"],
            [bob, "owner"]
          ].toSorted()
        )
        assert.strictEqual((yield* users.findByEmail(ann.toUpperCase()))._tag, "Some", "an address has no case")
      })
    )
  })
}
