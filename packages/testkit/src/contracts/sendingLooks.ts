import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { DEFAULT_SCHEDULE } from "@outbound/domain/kernel/sequences/Sequence.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { DEFAULT_CAPS, type WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import type { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { Effect, type Layer, Option } from "effect"
import { leadOf } from "./campaignFixtures.js"
import { DAY, freshId, givenWorkspace, HOUR, MINUTE, NOON, SUITE } from "./fixtures.js"
import {
  claimAt,
  claimsOf,
  end,
  givenLaunched,
  givenMailboxes,
  givenSending,
  makeLead,
  MIDNIGHT
} from "./outboundFixtures.js"
import { claim, givenOwn, next } from "./ownClaims.js"

type Stores =
  | ApprovalStore
  | CampaignStore
  | Inbound
  | OwnMailboxStore
  | ReplyStore
  | SendingStore
  | SuppressionStore
  | UnitOfWork
  | WorkspaceStore

const TOMORROW = MIDNIGHT + DAY

/** Whom a claim finds behind others, and what counts for it: since midnight, within hours of one's own, of one company. */
export const sendingLooksContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  const within = <A, E2, R>(write: Effect.Effect<A, E2, R>) =>
    Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

  /** Leaves nothing due that other tests set up. */
  const nobodyElse = Effect.asVoid(claimAt(NOON, 10_000))

  it.layer(adapter, SUITE)(`whom a claim finds (${name})`, (it) => {
    it.effect("a day's caps count from its midnight on: what left before takes nothing, what leaves then does", () =>
      Effect.gen(function* () {
        for (const caps of [{ dailySends: 2 }, { mailboxDailySends: 2 }]) {
          const { workspaceId } = yield* givenSending(6, { workspace: { caps: { ...DEFAULT_CAPS, ...caps } } })
          const counts: Array<number> = []
          for (const atMillis of [TOMORROW - 1, TOMORROW - 1, TOMORROW, TOMORROW + 1, TOMORROW + DAY])
            counts.push((yield* claimsOf(workspaceId, atMillis)).length)
          assert.deepStrictEqual(counts, [2, 0, 2, 0, 2])
        }
      })
    )

    it.effect("the last message that a day's cap permits leaves too, of a workspace and of a mailbox", () =>
      Effect.gen(function* () {
        for (const caps of [{ dailySends: 2 }, { mailboxDailySends: 2 }]) {
          yield* nobodyElse
          const { workspaceId } = yield* givenSending(4, { workspace: { caps: { ...DEFAULT_CAPS, ...caps } } })
          const counts = [(yield* claimAt(NOON, 1)).length]
          for (let turn = 0; turn < 2; turn += 1) counts.push((yield* claimsOf(workspaceId)).length)
          assert.deepStrictEqual(counts, [1, 1, 0])
        }
      })
    )

    it.effect("the same holds for an own mailbox, whose use is kept by day", () =>
      Effect.gen(function* () {
        const hostId = freshId()
        const { mailboxes } = yield* givenOwn(hostId, 3, { caps: { dailySends: 1 } })
        const mailbox = mailboxes[0]!
        const candidate = Option.getOrThrow(yield* next(mailbox))
        assert.strictEqual(candidate.left, 1)
        assert.isTrue(yield* claim(hostId, candidate))
        assert.isTrue(Option.isNone(yield* next(mailbox)))
        assert.isTrue(Option.isNone(yield* next(mailbox, NOON + HOUR)))
      })
    )

    it.effect("many who may not be written to keep nobody behind them waiting, however few are asked for", () =>
      Effect.gen(function* () {
        const suppressions = yield* SuppressionStore
        yield* nobodyElse
        const { campaign, leads, workspaceId } = yield* givenSending(40)
        const addressHashes = leads.slice(0, 39).map(({ addressHash }) => addressHash)
        yield* within(suppressions.addAll({ workspaceId, addressHashes, source: "added", atMillis: NOON }))
        const claims = yield* claimAt(NOON, 1)
        assert.deepStrictEqual(
          claims.map(({ lead }) => lead.campaignLeadId),
          [leads[39]!.campaignLeadId]
        )
        assert.isEmpty(yield* claimAt(NOON, 1))
        // Who is refused stays due: no other test looks past them.
        yield* within((yield* CampaignStore).update({ ...campaign, state: "paused", pauseReason: "owner" }))
      })
    )

    it.effect("a mailbox that had its share keeps nobody of another one waiting", () =>
      Effect.gen(function* () {
        yield* nobodyElse
        const { workspaceId } = yield* givenWorkspace({ caps: { ...DEFAULT_CAPS, mailboxDailySends: 1 } })
        const [full, free] = yield* givenMailboxes(workspaceId, 2)
        yield* givenLaunched(
          workspaceId,
          [full!],
          Array.from({ length: 30 }, (_, index) => `full-${index}@x.test`)
        )
        assert.lengthOf(yield* claimAt(NOON, 1), 1)
        yield* givenLaunched(workspaceId, [free!], ["free@x.test"], { nextAtMillis: NOON - MINUTE })
        const claims = yield* claimAt(NOON, 1)
        assert.deepStrictEqual(
          claims.map(({ lead }) => lead.email),
          ["free@x.test"]
        )
      })
    )

    it.effect(
      "a mailbox has what is left of its own day and rests alone, however another one of its workspace fares",
      () =>
        Effect.gen(function* () {
          const sending = yield* SendingStore
          yield* nobodyElse
          const { workspaceId } = yield* givenWorkspace({ caps: { ...DEFAULT_CAPS, mailboxDailySends: 2 } })
          const [used, free, resting] = yield* givenMailboxes(workspaceId, 3)
          const people = Array.from({ length: 4 }, (_, index) => `used-${index}@x.test`)
          yield* givenLaunched(workspaceId, [used!], people)
          assert.lengthOf(yield* claimAt(NOON, 1), 1)
          yield* givenLaunched(workspaceId, [free!], ["free@x.test"])
          yield* givenLaunched(workspaceId, [resting!], ["resting@x.test"])
          yield* within(sending.restMailbox(workspaceId, resting!.mailboxId, NOON + MINUTE))
          const claimed = (nowMillis: number) =>
            Effect.map(claimsOf(workspaceId, nowMillis), (claims) => claims.map(({ mailbox }) => mailbox.mailboxId))
          assert.sameMembers(yield* claimed(NOON), [used!.mailboxId, free!.mailboxId])
          assert.deepStrictEqual(yield* claimed(NOON + MINUTE), [resting!.mailboxId])
        })
    )

    it.effect("the variant that a campaign has chosen is its own people's, and not another campaign's", () =>
      Effect.gen(function* () {
        const campaigns = yield* CampaignStore
        yield* nobodyElse
        const { workspaceId } = yield* givenWorkspace()
        const mailboxes = yield* givenMailboxes(workspaceId, 1)
        for (const variant of [1, 2]) {
          const emails = [`first-${variant}@x.test`, `second-${variant}@x.test`]
          const { campaign } = yield* givenLaunched(workspaceId, mailboxes, emails)
          yield* within(campaigns.update({ ...campaign, chosenVariants: [variant, null] }))
        }
        const claims = yield* claimsOf(workspaceId)
        assert.deepStrictEqual(claims.map(({ lead, message }) => `${lead.email} ${message.variant}`).toSorted(), [
          "first-1@x.test 1",
          "first-2@x.test 2",
          "second-1@x.test 1",
          "second-2@x.test 2"
        ])
      })
    )

    it.effect("what workspaces with few people leave of a claim is others', and it is never more than asked for", () =>
      Effect.gen(function* () {
        yield* nobodyElse
        const small = yield* Effect.replicateEffect(givenSending(1), 9)
        const big = yield* givenSending(30, { mailboxes: 5 })
        const claims = yield* claimAt(NOON, 20)
        const of = (id: string) => claims.filter(({ message }) => message.workspaceId === id).length
        assert.deepStrictEqual(
          small.map(({ workspaceId }) => of(workspaceId)),
          small.map(() => 1)
        )
        assert.deepStrictEqual([of(big.workspaceId), claims.length], [11, 20])
        assert.lengthOf(new Set(claims.map(({ lead }) => lead.campaignLeadId)), 20)
        assert.lengthOf(yield* claimAt(NOON, 100), 19)
      })
    )

    it.effect("people with hours of their own are written to in their window, everybody else in the campaign's", () =>
      Effect.gen(function* () {
        const campaigns = yield* CampaignStore
        const sending = yield* SendingStore
        const { workspaceId } = yield* givenWorkspace()
        const mailboxes = yield* givenMailboxes(workspaceId, 1)
        const schedule = { ...DEFAULT_SCHEDULE, recipientTimezone: true as const }
        const launch = () => givenLaunched(workspaceId, mailboxes, ["plain@x.test"], { campaign: { schedule } })
        const [ours, beside] = [yield* launch(), yield* launch()]
        const zones = ["Asia/Tokyo", "America/Lima", "Europe/Rome"]
        const people = zones.map((zone) => ({
          ...makeLead(workspaceId, `${zone.split("/")[1]!.toLowerCase()}@x.test`),
          custom: { timezone: zone }
        }))
        yield* within(campaigns.addLeads(ours.campaign, people))
        yield* within(
          campaigns.coverLeads(
            workspaceId,
            ours.campaign.campaignId,
            ours.approval.approvalId,
            people.map(({ campaignLeadId }) => ({
              campaignLeadId,
              mailboxId: mailboxes[0]!.mailboxId,
              nextAtMillis: NOON - HOUR
            }))
          )
        )
        const hours = yield* Effect.forEach(people, ({ campaignLeadId }) =>
          Effect.map(leadOf(workspaceId, campaignLeadId), (lead) => lead.hours)
        )
        assert.deepStrictEqual(hours, zones)
        const window = (campaignId: string, of: string | null, opensAtMillis: number) => ({
          workspaceId,
          campaignId,
          hours: of,
          opensAtMillis,
          closesAtMillis: opensAtMillis + HOUR
        })
        const { campaignId } = ours.campaign
        yield* within(
          sending.setWindows([
            window(campaignId, null, NOON + 2 * HOUR),
            window(campaignId, "Asia/Tokyo", NOON),
            window(campaignId, "America/Lima", NOON + 4 * HOUR),
            // Nobody's of this campaign, and another campaign's: they open for nobody here.
            window(campaignId, "Africa/Cairo", NOON - HOUR),
            window(beside.campaign.campaignId, null, NOON + 9 * HOUR),
            window(beside.campaign.campaignId, "America/Lima", NOON)
          ])
        )
        const emails = (atMillis: number) =>
          Effect.map(claimsOf(workspaceId, atMillis), (claims) => claims.map(({ lead }) => lead.email).toSorted())
        assert.deepStrictEqual(yield* emails(NOON), ["tokyo@x.test"])
        assert.deepStrictEqual(yield* emails(NOON + 2 * HOUR), ["plain@x.test"])
        assert.deepStrictEqual(yield* emails(NOON + 4 * HOUR), ["lima@x.test"])
        // Rome has no window yet.
        assert.deepStrictEqual(yield* emails(NOON + 5 * HOUR), [])
      })
    )

    it.effect("a company's share of a day is what is left of it, however many of its people are due at once", () =>
      Effect.gen(function* () {
        yield* nobodyElse
        const { workspaceId } = yield* givenWorkspace()
        const mailboxes = yield* givenMailboxes(workspaceId, 1)
        const people = Array.from({ length: 6 }, (_, index) => `person-${index}@acme.test`)
        yield* givenLaunched(workspaceId, mailboxes, people, { campaign: { maxPerCompanyPerDay: 3 } })
        assert.lengthOf(yield* claimAt(NOON, 1), 1)
        assert.lengthOf(yield* claimsOf(workspaceId), 2)
        assert.isEmpty(yield* claimsOf(workspaceId))
      })
    )

    it.effect("an answer hinders while it waits and once it has come: neither before, nor when it was applied", () =>
      Effect.gen(function* () {
        const inbound = yield* Inbound
        const replies = yield* ReplyStore
        const { workspaceId } = yield* givenSending(2)
        const claims = yield* claimsOf(workspaceId)
        for (const one of claims) yield* end(one, "sent", NOON + MINUTE)
        const [ann, bob] = claims
        const answer = (to: typeof ann, receivedAtMillis: number) => ({
          workspaceId,
          provider: "sandbox",
          providerEventId: freshId(),
          kind: "reply" as const,
          source: "provider_poll" as const,
          inReplyTo: `<${to!.message.messageId}@acme-mail.test>`,
          messageId: null,
          fromEmail: "assistant@home.test",
          toEmail: null,
          subject: "Re: Hello",
          bodyText: "Later.",
          bodyHtml: null,
          classification: null,
          bounce: null,
          receivedAtMillis
        })
        const [applied, later] = [answer(ann, NOON), answer(bob, NOON + HOUR)]
        yield* inbound.receive([applied, later])
        yield* within(replies.takeFromInbox(applied))
        const second = yield* claimsOf(workspaceId, NOON + MINUTE)
        assert.sameMembers(
          second.map(({ lead }) => lead.campaignLeadId),
          [ann!.lead.campaignLeadId, bob!.lead.campaignLeadId]
        )
        assert.sameMembers(
          second.map(({ message }) => message.stepIndex),
          [1, 1]
        )
      })
    )
  })
}
