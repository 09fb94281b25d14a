import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { type CampaignLead, CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { Effect, type Layer, Option } from "effect"
import { leadOf } from "./campaignFixtures.js"
import { addressHashOf, DAY, givenWorkspace, HOUR, NOON, SUITE } from "./fixtures.js"
import { claimsOf, end, givenLaunched, givenMailboxes } from "./outboundFixtures.js"

type Stores = ApprovalStore | CampaignStore | SendingStore | SuppressionStore | UnitOfWork | WorkspaceStore

/** Who is taken out of what is due, and who is put off: of many who are alike but for one thing. */
export const forbiddenDueContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  const within = <A, E2, R>(write: Effect.Effect<A, E2, R>) =>
    Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

  const change = (workspaceId: string, campaignLeadId: string, to: Partial<CampaignLead>) =>
    Effect.gen(function* () {
      const campaigns = yield* CampaignStore
      const lead = yield* leadOf(workspaceId, campaignLeadId)
      yield* within(campaigns.updateLead({ ...lead, ...to }))
    })

  it.layer(adapter, SUITE)(`who is forbidden among the due (${name})`, (it) => {
    it.effect("whom their suppression forbids is taken out where their message would be next, and nowhere else", () =>
      Effect.gen(function* () {
        const sending = yield* SendingStore
        const suppressions = yield* SuppressionStore
        const { workspaceId } = yield* givenWorkspace()
        const stranger = yield* givenWorkspace()
        const mailboxes = yield* givenMailboxes(workspaceId, 1)
        // One message to them is over, and the next one is due.
        yield* givenLaunched(workspaceId, mailboxes, ["again@x.test"])
        for (const one of yield* claimsOf(workspaceId)) yield* end(one, "sent", NOON)
        const emails = ["due", "later", "sent", "fine"].map((who) => `${who}@x.test`)
        const ours = yield* givenLaunched(workspaceId, mailboxes, emails)
        const [, later, sent] = ours.leads
        yield* change(workspaceId, later!.campaignLeadId, { nextAtMillis: NOON + 1 })
        // Nothing more is due for them: they wait for an answer.
        yield* change(workspaceId, sent!.campaignLeadId, { state: "active", stepsSent: 2, nextAtMillis: NOON - HOUR })
        yield* givenLaunched(workspaceId, mailboxes, ["paused@x.test"], {
          campaign: { state: "paused", pauseReason: "owner" }
        })
        const elsewhere = yield* givenMailboxes(stranger.workspaceId, 1)
        yield* givenLaunched(stranger.workspaceId, elsewhere, ["due@x.test"])
        const addressHashes = ["again", "due", "later", "sent", "paused"].map((who) =>
          addressHashOf(workspaceId, `${who}@x.test`)
        )
        yield* within(suppressions.addAll({ workspaceId, addressHashes, source: "unsubscribe", atMillis: NOON }))
        const forbidden = (atMillis: number) =>
          Effect.map(within(sending.lockForbiddenDue(atMillis, atMillis - 30 * DAY, 10_000)), (found) =>
            found
              .filter(({ lead }) => [workspaceId, stranger.workspaceId].includes(lead.workspaceId))
              .map(({ lead, reason }) => [lead.email, reason])
          )
        assert.deepStrictEqual(yield* forbidden(NOON), [
          ["due@x.test", "opted_out"],
          ["again@x.test", "opted_out"]
        ])
        assert.deepStrictEqual(yield* forbidden(NOON + 1), [
          ["due@x.test", "opted_out"],
          ["again@x.test", "opted_out"],
          ["later@x.test", "opted_out"]
        ])
      })
    )

    it.effect("who waits is put off from the last of several contacts that count, one at the very moment too", () =>
      Effect.gen(function* () {
        const sending = yield* SendingStore
        const workspaces = yield* WorkspaceStore
        const { workspaceId } = yield* givenWorkspace()
        const refusing = yield* givenWorkspace()
        const since = 30 * DAY
        const contact = (of: string, email: string, atMillis: number) =>
          Effect.gen(function* () {
            const mailboxes = yield* givenMailboxes(of, 1)
            yield* givenLaunched(of, mailboxes, [email], { nextAtMillis: atMillis })
            const [claim] = (yield* claimsOf(of, atMillis)).filter(({ lead }) => lead.email === email)
            yield* end(claim!, "sent", null, atMillis)
          })
        yield* within(workspaces.setOverlap(workspaceId, "queue"))
        yield* contact(workspaceId, "edge@x.test", NOON)
        yield* contact(workspaceId, "twice@x.test", NOON + DAY)
        yield* contact(refusing.workspaceId, "twice@x.test", NOON + DAY)
        // Another campaign wrote to them again, after a while in which nobody might.
        const now = NOON + since
        const due = { nextAtMillis: now }
        const [mailbox] = yield* givenMailboxes(workspaceId, 1)
        const waits = yield* givenLaunched(workspaceId, [mailbox!], ["edge@x.test", "twice@x.test", "new@x.test"], due)
        const [theirs] = yield* givenMailboxes(refusing.workspaceId, 1)
        const refused = yield* givenLaunched(refusing.workspaceId, [theirs!], ["twice@x.test"], due)
        yield* within(sending.putOffContacted(now, now - since, 10_000))
        const nextOf = (of: string, { leads }: typeof waits) =>
          Effect.forEach(leads, ({ campaignLeadId, email }) =>
            Effect.map(leadOf(of, campaignLeadId), ({ nextAtMillis }) => [email, nextAtMillis])
          )
        const next = [...(yield* nextOf(workspaceId, waits)), ...(yield* nextOf(refusing.workspaceId, refused))]
        assert.deepStrictEqual(next, [
          ["edge@x.test", NOON + since + 1],
          ["twice@x.test", NOON + DAY + since + 1],
          ["new@x.test", now],
          ["twice@x.test", now]
        ])
      })
    )

    it.effect("of contacts by several campaigns the newest counts", () =>
      Effect.gen(function* () {
        const sending = yield* SendingStore
        const workspaces = yield* WorkspaceStore
        const { workspaceId } = yield* givenWorkspace()
        const mailboxes = yield* givenMailboxes(workspaceId, 1)
        const email = "ann@x.test"
        const wrote = (nextAtMillis: number) => givenLaunched(workspaceId, mailboxes, [email], { nextAtMillis })
        yield* wrote(NOON)
        const [first] = yield* claimsOf(workspaceId, NOON)
        yield* end(first!, "sent", NOON + 31 * DAY, NOON)
        yield* wrote(NOON + 31 * DAY - 1)
        const [second] = yield* claimsOf(workspaceId, NOON + 31 * DAY - 1)
        yield* end(second!, "sent", null, NOON + 31 * DAY - 1)
        yield* within(workspaces.setOverlap(workspaceId, "queue"))
        const third = yield* wrote(NOON + 31 * DAY)
        // Both contacts count for so long a time.
        yield* within(sending.putOffContacted(NOON + 31 * DAY, NOON, 10_000))
        const { nextAtMillis } = yield* leadOf(workspaceId, third.leads[0]!.campaignLeadId)
        assert.strictEqual(nextAtMillis, NOON + 31 * DAY - 1 + 31 * DAY + 1)
      })
    )

    it.effect("many who are not forbidden, in flight, or got every step hide nobody behind them", () =>
      Effect.gen(function* () {
        const campaigns = yield* CampaignStore
        const sending = yield* SendingStore
        const suppressions = yield* SuppressionStore
        // Before anybody whom other tests set up.
        const long = NOON - 400 * DAY
        const { workspaceId } = yield* givenWorkspace()
        const mailboxes = yield* givenMailboxes(workspaceId, 9)
        const named = (who: string, count: number) =>
          Array.from({ length: count }, (_, each) => `${who}-${each}@x.test`)
        const suppressed = (emails: ReadonlyArray<string>) => {
          const addressHashes = emails.map((email) => addressHashOf(workspaceId, email))
          return within(suppressions.addAll({ workspaceId, addressHashes, source: "unsubscribe", atMillis: NOON }))
        }
        const first = { nextAtMillis: long }
        const inFlight = yield* givenLaunched(workspaceId, mailboxes, named("claimed", 4), first)
        yield* claimsOf(workspaceId)
        yield* givenLaunched(workspaceId, mailboxes, named("fine", 4), first)
        const done = yield* givenLaunched(workspaceId, mailboxes, [...named("done", 100), "no-0@x.test"], first)
        yield* within(
          Effect.forEach(done.leads.slice(0, 100), ({ campaignLeadId }) =>
            Effect.flatMap(Effect.map(campaigns.lockLead(workspaceId, campaignLeadId), Option.getOrThrow), (lead) =>
              campaigns.updateLead({ ...lead, state: "active", stepsSent: 2 })
            )
          )
        )
        yield* givenLaunched(workspaceId, mailboxes, named("no", 3).slice(1), { nextAtMillis: long + 1 })
        yield* suppressed([...inFlight.leads.map(({ email }) => email), ...named("no", 3)])
        const found = (limit: number) =>
          Effect.map(within(sending.lockForbiddenDue(NOON, NOON - 30 * DAY, limit)), (all) =>
            all.map(({ lead }) => lead.email).toSorted()
          )
        assert.deepStrictEqual(yield* found(3), named("no", 3))
        assert.deepStrictEqual(yield* found(1), named("no", 1))
      })
    )

    it.effect(
      "who waits is put off in campaigns that are under way: not for a step that they got, nor for what the same one sent, or long ago",
      () =>
        Effect.gen(function* () {
          const sending = yield* SendingStore
          const workspaces = yield* WorkspaceStore
          const { workspaceId } = yield* givenWorkspace()
          const mailboxes = yield* givenMailboxes(workspaceId, 1)
          const emails = ["due@x.test", "later@x.test", "done@x.test"]
          const long = NOON - 30 * DAY - 1
          yield* givenLaunched(workspaceId, mailboxes, ["long@x.test"], { nextAtMillis: long })
          for (const one of yield* claimsOf(workspaceId, long)) yield* end(one, "sent", null, long)
          yield* givenLaunched(workspaceId, mailboxes, emails)
          const again = yield* givenLaunched(workspaceId, mailboxes, ["again@x.test"])
          for (const one of yield* claimsOf(workspaceId)) yield* end(one, "sent", NOON)
          yield* within(workspaces.setOverlap(workspaceId, "queue"))
          const running = yield* givenLaunched(workspaceId, mailboxes, [...emails, "long@x.test"])
          const [, later, done] = running.leads
          yield* change(workspaceId, later!.campaignLeadId, { nextAtMillis: NOON + 1 })
          yield* change(workspaceId, done!.campaignLeadId, { state: "active", stepsSent: 2, nextAtMillis: NOON - HOUR })
          const paused = yield* givenLaunched(workspaceId, mailboxes, emails, {
            campaign: { state: "paused", pauseReason: "owner" }
          })
          yield* within(sending.putOffContacted(NOON, NOON - 30 * DAY, 10_000))
          const next = yield* Effect.forEach(
            [...running.leads, ...again.leads, ...paused.leads],
            ({ campaignLeadId }) =>
              Effect.map(leadOf(workspaceId, campaignLeadId), ({ nextAtMillis }) => (nextAtMillis ?? 0) - NOON)
          )
          assert.deepStrictEqual(next, [30 * DAY + 1, 1, -HOUR, -HOUR, 0, -HOUR, -HOUR, -HOUR])
        })
    )
  })
}
