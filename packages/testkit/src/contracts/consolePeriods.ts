import { assert, it } from "@effect/vitest"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import type { Classification } from "@outbound/domain/outreach/meaning/Classification.js"
import { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { funnelOf } from "@outbound/domain/control/console/funnel.js"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { DAY, freshId, NOON, SUITE } from "./fixtures.js"
import { claimsOf, end, givenSending, MIDNIGHT } from "./outboundFixtures.js"

type Stores = ApprovalStore | CampaignStore | ConsoleReads | ReplyStore | SendingStore | UnitOfWork | WorkspaceStore

/** What the console says of a time: of campaigns, and of days. */
export const consolePeriodsContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  it.layer(adapter, SUITE)(`reads of a period (${name})`, (it) => {
    const said = (
      of: { workspaceId: string; campaignId: string; campaignLeadId: string },
      classification: Classification | null,
      receivedAtMillis: number
    ) =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* ReplyStore
        yield* atomically(
          store.insert({
            ...of,
            replyId: freshId(),
            threadId: null,
            fromEmail: "ann@x.test",
            toEmail: null,
            subject: "Re: Hello",
            snippet: "Sounds good",
            bodyText: "Sounds good",
            bodyHtml: null,
            bodyTruncated: false,
            classification,
            messageId: null,
            inReplyTo: null,
            receivedAtMillis
          })
        )
      })

    it.effect("people written to in it count once, by what became of them; the rest of the campaign doesn't", () =>
      Effect.gen(function* () {
        const read = yield* ConsoleReads
        const { atomically } = yield* UnitOfWork
        const campaigns = yield* CampaignStore
        const sendings = yield* SendingStore
        const { campaign, workspaceId } = yield* givenSending(6)
        const { campaignId } = campaign
        const claims = yield* claimsOf(workspaceId)
        const [early, keen, marked, gone, silent, failed] = claims
        yield* end(early!, "sent", NOON + 9 * DAY, MIDNIGHT - 1)
        for (const one of [keen, marked, gone, silent]) yield* end(one!, "sent", NOON + 9 * DAY)
        yield* end(failed!, "failed")
        const becomes = (claim: (typeof claims)[number], state: "replied" | "bounced" | "unsubscribed", met = false) =>
          atomically(
            Effect.gen(function* () {
              const lead = Option.getOrThrow(yield* campaigns.lockLead(workspaceId, claim.lead.campaignLeadId))
              yield* campaigns.updateLead({ ...lead, state, interestStatus: met ? "meeting_booked" : null })
            })
          )
        const of = ({ lead }: (typeof claims)[number]) => ({
          workspaceId,
          campaignId,
          campaignLeadId: lead.campaignLeadId
        })
        yield* said(of(early!), "interested", NOON)
        yield* becomes(early!, "replied")
        yield* said(of(keen!), "interested", NOON + DAY)
        yield* becomes(keen!, "replied")
        yield* said(of(marked!), null, NOON + DAY)
        yield* becomes(marked!, "replied", true)
        yield* said(of(gone!), "bounce", NOON + DAY)
        yield* becomes(gone!, "bounced")
        yield* atomically(sendings.setOutcome(workspaceId, gone!.message.messageId, "hard_bounce"))
        yield* said(of(silent!), "out_of_office", NOON + DAY)

        const { name: called, state } = campaign
        const ours = { campaignId, name: called, state }
        const counts = { sent: 4, people: 4, replied: 2, interested: 2, bounced: 1, unsubscribed: 0 }
        assert.deepStrictEqual(yield* read.campaignsSince(workspaceId, MIDNIGHT, 10), [{ ...ours, ...counts }])
        const all = { sent: 5, people: 5, replied: 3, interested: 3, bounced: 1, unsubscribed: 0 }
        assert.deepStrictEqual(yield* read.campaignsSince(workspaceId, MIDNIGHT - DAY, 10), [{ ...ours, ...all }])
        assert.deepStrictEqual(yield* read.campaignsSince(workspaceId, MIDNIGHT + DAY, 10), [])
        assert.deepStrictEqual(yield* read.campaignsSince(workspaceId, MIDNIGHT, 0), [])
        assert.deepStrictEqual(yield* read.campaignsSince(freshId(), MIDNIGHT, 10), [])
        // Of all its time, they are the figures of the campaign's own page.
        const { campaign: line, writtenTo } = funnelOf(Option.getOrThrow(yield* read.campaign(workspaceId, campaignId)))
        const { bounced, interested, replied, sent, unsubscribed } = line
        assert.deepStrictEqual({ sent, people: writtenTo, replied, interested, bounced, unsubscribed }, all)

        assert.deepStrictEqual(yield* read.figuresByDay(workspaceId, MIDNIGHT - DAY), [
          { dayMillis: MIDNIGHT - DAY, sent: 1, bounced: 0, replies: 0 },
          { dayMillis: MIDNIGHT, sent: 4, bounced: 1, replies: 1 },
          { dayMillis: MIDNIGHT + DAY, sent: 0, bounced: 0, replies: 2 }
        ])
        assert.deepStrictEqual(yield* read.figuresByDay(freshId(), MIDNIGHT - DAY), [])
      })
    )
  })
}
