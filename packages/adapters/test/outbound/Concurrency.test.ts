import { assert, it } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { DEFAULT_CAPS } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { DAY, freshId, HOUR, NOON, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import {
  claimAt,
  claimsOf,
  end,
  givenLaunched,
  givenSending,
  makeApproval
} from "@outbound/testkit/contracts/outboundFixtures.js"
import { Deferred, Effect, Fiber, Option } from "effect"
import { sqlStateOf } from "../../src/postgres/PgErrors.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { layer } from "./stores.js"

const LOCK_NOT_AVAILABLE = "55P03"
const CLAIMERS = 6

/** Runs `first` in a transaction that stays open until `then` has run beside it. */
const whileOpen = <A, E, R, B, E2, R2>(first: Effect.Effect<A, E, R>, then: Effect.Effect<B, E2, R2>) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const begun = yield* Deferred.make<void>()
    const done = yield* Deferred.make<void>()
    const holder = yield* Effect.forkChild(
      atomically(
        first.pipe(
          Effect.tap(() => Deferred.succeed(begun, void 0)),
          Effect.tap(() => Deferred.await(done))
        )
      )
    )
    yield* Deferred.await(begun)
    const beside = yield* Effect.ensuring(then, Deferred.succeed(done, void 0))
    return [yield* Fiber.join(holder), beside] as const
  })

it.layer(layer, SUITE)("two hosts on one PostgreSQL", (it) => {
  it.effect("a claimer passes over the workspace that another claims for, and counts its claims afterwards", () =>
    Effect.gen(function* () {
      const caps = { ...DEFAULT_CAPS, dailySends: 3 }
      const { workspaceId } = yield* givenSending(9, { workspace: { caps }, mailboxes: 3 })
      const [first, beside] = yield* whileOpen(claimAt(NOON, 2), claimsOf(workspaceId))
      assert.lengthOf(first, 2)
      assert.isEmpty(beside)
      assert.lengthOf(yield* claimsOf(workspaceId), 1)
      assert.isEmpty(yield* claimsOf(workspaceId))
    })
  )

  it.effect("claimers that run into each other exceed no cap, of a mailbox or of a workspace", () =>
    Effect.gen(function* () {
      const caps = { ...DEFAULT_CAPS, dailySends: 11, mailboxDailySends: 4 }
      const given = yield* Effect.replicateEffect(givenSending(30, { workspace: { caps }, mailboxes: 4 }), 3)
      const rounds = yield* Effect.replicateEffect(Effect.replicateEffect(claimAt(NOON, 3), 6), CLAIMERS, {
        concurrency: "unbounded"
      })
      const rest = yield* claimAt(NOON, 1_000)
      const claims = [...rounds.flat(2), ...rest]
      for (const { workspaceId, mailboxes } of given) {
        const own = claims.filter(({ message }) => message.workspaceId === workspaceId)
        assert.lengthOf(own, 11)
        assert.lengthOf(new Set(own.map(({ lead }) => lead.campaignLeadId)), 11)
        for (const { mailboxId } of mailboxes) {
          assert.isAtMost(own.filter(({ mailbox }) => mailbox.mailboxId === mailboxId).length, 4)
        }
      }
    })
  )

  it.effect("a kill waits for a claim that is being made, and no claim is made while it kills", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { atomically } = yield* UnitOfWork
      const { workspaceId } = yield* givenSending(4)
      const seize = sql`SELECT 1 FROM workspace_sending WHERE workspace_id = ${workspaceId} FOR UPDATE NOWAIT`
      const [claims, refused] = yield* whileOpen(claimAt(NOON, 1), Effect.flip(atomically(seize)))
      assert.lengthOf(claims, 1)
      assert.strictEqual(sqlStateOf(refused), LOCK_NOT_AVAILABLE)
      const kill = sql`UPDATE workspace_sending SET suspended_at = now() WHERE workspace_id = ${workspaceId}`
      const [, during] = yield* whileOpen(kill, claimsOf(workspaceId))
      assert.isEmpty(during)
      assert.isEmpty(yield* claimsOf(workspaceId))
    })
  )

  it.effect("a person's leads are locked together, whichever of them is named", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { atomically } = yield* UnitOfWork
      const campaigns = yield* CampaignStore
      const { leads, mailboxes, workspaceId } = yield* givenSending(1)
      const again = yield* givenLaunched(workspaceId, mailboxes, ["person-0@example.com", "person-1@example.com"])
      const seize = ({ campaignLeadId }: { readonly campaignLeadId: string }) =>
        atomically(sql`SELECT 1 FROM campaign_leads WHERE campaign_lead_id = ${campaignLeadId} FOR UPDATE NOWAIT`)
      const theirs = [leads[0]!, again.leads[0]!]
      for (const named of theirs) {
        const [locked, refused] = yield* whileOpen(
          campaigns.lockPerson(workspaceId, named.campaignLeadId),
          Effect.tap(
            Effect.forEach(theirs, (lead) => Effect.flip(seize(lead))),
            seize(again.leads[1]!)
          )
        )
        assert.strictEqual(Option.getOrThrow(locked).campaignLeadId, named.campaignLeadId)
        assert.deepStrictEqual(refused.map(sqlStateOf), [LOCK_NOT_AVAILABLE, LOCK_NOT_AVAILABLE])
      }
    })
  )

  it.effect("a lead that an answer is being applied to is not claimed meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { workspaceId } = yield* givenSending(1)
      const answer = sql`UPDATE campaign_leads SET state = 'replied', next_at = NULL WHERE workspace_id = ${workspaceId}`
      const [, during] = yield* whileOpen(answer, claimsOf(workspaceId))
      assert.isEmpty(during)
      assert.isEmpty(yield* claimsOf(workspaceId))
    })
  )

  it.effect("while a launch executes nobody extends its campaign; those who extend do so side by side", () =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const campaigns = yield* CampaignStore
      const [workspaceId, campaignId, other] = [freshId(), freshId(), freshId()]
      const extend = (id: string) => atomically(campaigns.holdToExtend(workspaceId, id))
      const [, during] = yield* whileOpen(
        campaigns.holdToLaunch(workspaceId, campaignId),
        Effect.all([extend(campaignId), extend(other), atomically(campaigns.holdToExtend(freshId(), campaignId))])
      )
      assert.deepStrictEqual(during, [false, true, true])
      const beside = yield* whileOpen(campaigns.holdToExtend(workspaceId, campaignId), extend(campaignId))
      assert.deepStrictEqual(beside, [true, true])
    })
  )

  it.effect("a lead that an answer is being applied to is neither taken out nor put off meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { atomically } = yield* UnitOfWork
      const [sending, suppressions] = [yield* SendingStore, yield* SuppressionStore]
      for (const overlap of ["refuse", "queue"] as const) {
        const { leads, mailboxes, workspaceId } = yield* givenSending(1)
        for (const claimed of yield* claimsOf(workspaceId)) yield* end(claimed, "sent", null)
        yield* givenLaunched(workspaceId, mailboxes, ["person-0@example.com"])
        yield* sql`UPDATE workspaces SET overlap = ${overlap} WHERE workspace_id = ${workspaceId}`
        const { addressHash } = leads[0]!
        if (overlap === "refuse") {
          yield* atomically(suppressions.add({ workspaceId, addressHash, source: "added", atMillis: NOON }))
        }
        const answer = sql`UPDATE campaign_leads SET state = 'replied', next_at = NULL WHERE workspace_id = ${workspaceId}`
        const ours = Effect.map(
          atomically(sending.lockForbiddenDue(NOON, NOON - DAY, 10_000)),
          (found) => found.filter(({ lead }) => lead.workspaceId === workspaceId).length
        )
        const [, removed] = yield* whileOpen(
          answer,
          Effect.tap(ours, atomically(sending.putOffContacted(NOON, NOON - DAY, 10_000)))
        )
        assert.strictEqual(removed, 0)
        const left = yield* sql`SELECT next_at FROM campaign_leads WHERE workspace_id = ${workspaceId}`
        assert.deepStrictEqual(left, [{ next_at: null }, { next_at: null }])
      }
    })
  )

  it.effect("two sweeps share expired approvals between them without waiting", () =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const approvals = yield* ApprovalStore
      const workspaceId = freshId()
      const given = Array.from({ length: 6 }, () => makeApproval({ workspaceId, expiresAtMillis: NOON }))
      yield* atomically(Effect.forEach(given, approvals.insert, { discard: true }))
      const [first, second] = yield* whileOpen(
        approvals.lockExpired(NOON, 4),
        atomically(approvals.lockExpired(NOON, 4))
      )
      assert.lengthOf(first, 4)
      assert.lengthOf(second, 2)
      assert.sameMembers(
        [...first, ...second].map(({ approvalId }) => approvalId),
        given.map(({ approvalId }) => approvalId)
      )
    })
  )

  it.effect("an event of the inbox that one worker holds is passed over by the others", () =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const replies = yield* ReplyStore
      const inbound = yield* Inbound
      const workspaceId = freshId()
      const events = ["one", "two"].map((providerEventId) => ({
        workspaceId,
        provider: "sandbox",
        providerEventId,
        kind: "reply" as const,
        source: "provider_poll" as const,
        inReplyTo: "x@acme-mail.test",
        messageId: null,
        fromEmail: "ann@example.com",
        toEmail: null,
        subject: "",
        bodyText: "",
        bodyHtml: null,
        classification: null,
        bounce: null,
        receivedAtMillis: NOON - HOUR
      }))
      yield* inbound.receive(events)
      const [first, second] = yield* whileOpen(replies.lockInbox(NOON, 1), atomically(replies.lockInbox(NOON, 10)))
      assert.deepStrictEqual([first, second], [[events[0]!], [events[1]!]])
    })
  )
})
