import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { Effect, type Layer } from "effect"
import { leadOf } from "./campaignFixtures.js"
import { DAY, freshId, givenWorkspace, HOUR, MINUTE, NOON, SUITE } from "./fixtures.js"
import { claimsOf, end, givenLaunched, givenMailboxes } from "./outboundFixtures.js"

type Stores = ApprovalStore | CampaignStore | Inbound | SendingStore | SuppressionStore | UnitOfWork | WorkspaceStore

type Launched = Effect.Success<ReturnType<typeof givenLaunched>>

const OURS = ["subject", "busy", "lost", "answered", "suppressed", "wrote", "contacted"].map((who) => `${who}@x.test`)
const LATER = NOON + MINUTE
const SINCE = LATER - 30 * DAY

/** What is true of one person, campaign, mailbox or workspace decides nothing about those beside them. */
export const sendingNeighboursContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  const within = <A, E2, R>(write: Effect.Effect<A, E2, R>) =>
    Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

  const leadBy = ({ leads }: Launched, email: string) => leads.find((lead) => lead.email === `${email}@x.test`)!

  const suppress = (workspaceId: string, { addressHash }: Launched["leads"][number]) =>
    Effect.flatMap(SuppressionStore, (suppressions) =>
      within(suppressions.add({ workspaceId, addressHash, source: "unsubscribe", atMillis: NOON }))
    )

  const mailFrom = (workspaceId: string, fromEmail: string, inReplyTo = "") =>
    Effect.flatMap(Inbound, (inbound) =>
      inbound.receive([
        {
          workspaceId,
          provider: "sandbox",
          providerEventId: freshId(),
          kind: "reply",
          source: "provider_poll",
          inReplyTo,
          messageId: null,
          fromEmail,
          toEmail: null,
          subject: "Re: Hello",
          bodyText: "No.",
          bodyHtml: null,
          classification: null,
          bounce: null,
          receivedAtMillis: NOON
        }
      ])
    )

  const window = (workspaceId: string, campaignId: string, opensAtMillis: number, hours: string | null = null) =>
    Effect.flatMap(SendingStore, (sending) =>
      within(
        sending.setWindows([
          { workspaceId, campaignId, hours, opensAtMillis, closesAtMillis: opensAtMillis + 2 * HOUR }
        ])
      )
    )

  /** One campaign with people whom all kinds of things hinder, others beside it, and another workspace with the same people. */
  const crowd = Effect.gen(function* () {
    const campaigns = yield* CampaignStore
    const { workspaceId } = yield* givenWorkspace()
    const [mailbox, second] = (yield* givenMailboxes(workspaceId, 2)) as [
      Effect.Success<ReturnType<typeof givenMailboxes>>[number],
      Effect.Success<ReturnType<typeof givenMailboxes>>[number]
    ]
    const paused = yield* givenMailboxes(workspaceId, 1, { state: "paused", pauseReason: "owner" })
    const launched = (emails: ReadonlyArray<string>, given: Parameters<typeof givenLaunched>[3] = {}, on = [mailbox]) =>
      givenLaunched(
        workspaceId,
        on,
        emails.map((email) => `${email}@x.test`),
        given
      )
    const ours = yield* givenLaunched(workspaceId, [mailbox], OURS)
    yield* window(workspaceId, ours.campaign.campaignId, NOON - HOUR)
    yield* window(workspaceId, ours.campaign.campaignId, NOON - 9 * HOUR, "Asia/Tokyo")
    const subject = leadBy(ours, "subject")
    for (const { campaignLeadId } of [subject, leadBy(ours, "contacted")])
      yield* within(
        Effect.flatMap(leadOf(workspaceId, campaignLeadId), (lead) =>
          campaigns.updateLead({ ...lead, nextAtMillis: LATER })
        )
      )
    yield* suppress(workspaceId, leadBy(ours, "suppressed"))
    yield* mailFrom(workspaceId, "wrote@x.test")
    const before = yield* launched(["contacted"])
    const first = yield* claimsOf(workspaceId)
    const claimOf = (email: string, { campaign }: Launched) =>
      first.find(
        ({ campaign: { campaignId }, lead }) => lead.email === `${email}@x.test` && campaignId === campaign.campaignId
      )
    assert.lengthOf(first, 4)
    yield* end(claimOf("contacted", before)!, "sent", NOON + 9 * DAY)
    yield* end(claimOf("lost", ours)!, "unknown")
    const answered = claimOf("answered", ours)!
    yield* end(answered, "sent", LATER)
    yield* mailFrom(workspaceId, "elsewhere@home.test", `<${answered.message.messageId}@acme-mail.test>`)

    const others = {
      paused: yield* launched(["of-a-paused-campaign"], { campaign: { state: "paused", pauseReason: "owner" } }),
      closed: yield* launched(["outside-its-window"]),
      unapproved: yield* launched(["unapproved"], { approval: { state: "superseded" } }),
      resting: yield* launched(["of-a-paused-mailbox"], {}, paused),
      unbound: yield* launched(["of-a-mailbox-of-others"])
    }
    yield* window(workspaceId, others.closed.campaign.campaignId, NOON - 9 * HOUR)
    const unbound = leadBy(others.unbound, "of-a-mailbox-of-others")
    yield* within(
      campaigns.coverLeads(workspaceId, others.unbound.campaign.campaignId, others.unbound.approval.approvalId, [
        { campaignLeadId: unbound.campaignLeadId, mailboxId: second.mailboxId, nextAtMillis: NOON - HOUR }
      ])
    )

    // Another workspace, in which the same person said no, has written, and has a message that nobody ended.
    const stranger = yield* givenWorkspace()
    const theirMailboxes = yield* givenMailboxes(stranger.workspaceId, 1)
    const theirs = yield* givenLaunched(stranger.workspaceId, theirMailboxes, ["subject@x.test", "late@x.test"])
    yield* claimsOf(stranger.workspaceId)
    yield* suppress(stranger.workspaceId, theirs.leads[0]!)
    yield* mailFrom(stranger.workspaceId, "subject@x.test")
    return { workspaceId, mailbox, ours, subject }
  })

  it.layer(adapter, SUITE)(`neighbours (${name})`, (it) => {
    it.effect("whom nothing of their own hinders is written to, and nobody beside them", () =>
      Effect.gen(function* () {
        const { mailbox, ours, subject, workspaceId } = yield* crowd
        const claims = yield* claimsOf(workspaceId, LATER)
        assert.deepStrictEqual(
          claims.map(({ campaign, lead, mailbox: by, message, thread }) => ({
            lead: lead.campaignLeadId,
            email: lead.email,
            campaign: campaign.campaignId,
            mailbox: by.mailboxId,
            step: message.stepIndex,
            thread
          })),
          [
            {
              lead: subject.campaignLeadId,
              email: "subject@x.test",
              campaign: ours.campaign.campaignId,
              mailbox: mailbox.mailboxId,
              step: 0,
              thread: []
            }
          ]
        )
      })
    )

    it.effect("of those who are due only who may never be written to is taken out, with their own reason", () =>
      Effect.gen(function* () {
        const sending = yield* SendingStore
        const { ours, workspaceId } = yield* crowd
        const forbidden = (atMillis: number, limit: number) =>
          Effect.map(within(sending.lockForbiddenDue(atMillis, SINCE, limit)), (found) =>
            found
              .filter(({ lead }) => lead.workspaceId === workspaceId)
              .map(({ lead, reason }) => [lead.email, lead.campaignId, reason])
          )
        const found = yield* forbidden(LATER, 1_000)
        assert.sameDeepMembers(found, [
          ["suppressed@x.test", ours.campaign.campaignId, "opted_out"],
          ["contacted@x.test", ours.campaign.campaignId, "capped"]
        ])
        assert.isEmpty(yield* forbidden(NOON - HOUR - 1, 1_000), "nobody is due")
      })
    )

    it.effect("where people wait, who was just written to elsewhere is put off, and nobody else", () =>
      Effect.gen(function* () {
        const sending = yield* SendingStore
        const workspaces = yield* WorkspaceStore
        const { ours, workspaceId } = yield* crowd
        yield* within(workspaces.setOverlap(workspaceId, "queue"))
        const times = Effect.map(
          Effect.forEach(ours.leads, ({ campaignLeadId, email }) =>
            Effect.map(leadOf(workspaceId, campaignLeadId), ({ nextAtMillis }) => [email, nextAtMillis] as const)
          ),
          (all) => new Map(all)
        )
        const before = yield* times
        yield* within(sending.putOffContacted(LATER, SINCE, 1_000))
        const after = yield* times
        const moved = [...after].filter(([email, atMillis]) => atMillis !== before.get(email))
        assert.deepStrictEqual(moved, [["contacted@x.test", NOON + (LATER - SINCE) + 1]])
      })
    )
  })
}
