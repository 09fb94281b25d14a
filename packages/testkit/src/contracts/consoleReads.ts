import { assert, it } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { type After, ConsoleReads, EVERY_CAMPAIGN, EVERY_ENTRY } from "@outbound/domain/control/console/ConsoleReads.js"
import { CONVERSATION_TEXT_CHARS } from "@outbound/domain/control/console/Conversation.js"
import type { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { OperationStore } from "@outbound/domain/outreach/operations/OperationStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { Classification } from "@outbound/domain/outreach/meaning/Classification.js"
import { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import type { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { DAY, freshId, givenKey, givenWorkspace, grant, HOUR, NOON, SUITE } from "./fixtures.js"
import {
  claimsOf,
  end,
  givenLaunched,
  givenMailboxes,
  givenSending,
  makeApproval,
  makeCampaign,
  makeLead,
  MIDNIGHT
} from "./outboundFixtures.js"

type Stores =
  | ApprovalStore
  | CampaignStore
  | ConsoleReads
  | CreditStore
  | KeyStore
  | OperationStore
  | ReplyStore
  | SendingStore
  | UnitOfWork
  | WorkspaceStore

const ALL = { after: null, limit: 100 }
const EVERYBODY = { text: null, state: null, after: null, limit: 100 }

/** What the console's pages read. */
export const consoleReadsContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  const reads = ConsoleReads

  const givenApprovals = (workspaceId: string, given: ReadonlyArray<Parameters<typeof makeApproval>[0]>) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* ApprovalStore
      const { key } = yield* givenKey(workspaceId, { name: "Agent" })
      const made = given.map((one) => makeApproval({ ...one, keyId: key.keyId }))
      yield* atomically(Effect.forEach(made, store.insert))
      return made
    })

  const givenAnswer = (
    of: { workspaceId: string; campaignId: string; campaignLeadId: string },
    bodyText: string,
    classification: Classification | null = "interested",
    receivedAtMillis = NOON
  ) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* ReplyStore
      const reply = {
        ...of,
        replyId: freshId(),
        threadId: null,
        fromEmail: "ann@x.test",
        toEmail: null,
        subject: "Re: Hello",
        snippet: "Sounds good",
        bodyText,
        bodyHtml: null,
        bodyTruncated: false,
        messageId: null,
        inReplyTo: null,
        classification,
        receivedAtMillis
      }
      yield* atomically(store.insert(reply))
      return reply
    })

  it.layer(adapter, SUITE)(`what the console reads (${name})`, (it) => {
    it.effect("another workspace's id finds nothing, in any read", () =>
      Effect.gen(function* () {
        const read = yield* reads
        const { campaign, leads, workspaceId } = yield* givenSending(2)
        const [approval] = yield* givenApprovals(workspaceId, [{ workspaceId }, { workspaceId }])
        yield* grant(workspaceId, "5")
        const other = yield* givenWorkspace()
        const theirs = other.workspaceId
        assert.isTrue(Option.isNone(yield* read.campaign(theirs, campaign.campaignId)))
        assert.isTrue(Option.isNone(yield* read.conversation(theirs, leads[0]!.campaignLeadId)))
        assert.isTrue(Option.isNone(yield* read.earlierApproval(theirs, approval!.approvalId)))
        for (const empty of [
          yield* read.campaigns(theirs, ALL, EVERY_CAMPAIGN),
          yield* read.campaignNames(theirs, [campaign.campaignId], 10),
          yield* read.campaignDays(theirs, campaign.campaignId, 100),
          yield* read.leads(theirs, campaign.campaignId, EVERYBODY),
          yield* read.approvals(theirs, "pending", ALL),
          yield* read.approvals(theirs, "closed", ALL),
          yield* read.repliesByClass(theirs, null),
          yield* read.approvedBy(theirs, freshId(), [approval!.approvalId]),
          yield* read.mailboxes(theirs, MIDNIGHT, null, 100),
          yield* read.mailboxRecords(theirs, 0),
          yield* read.operations(theirs, ALL),
          yield* read.usageByDay(theirs, 0),
          yield* read.usageByKey(theirs, 0, 100),
          yield* read.ledger(theirs, EVERY_ENTRY, null, 100)
        ]) {
          assert.deepStrictEqual(empty, [])
        }
        const standing = yield* read.standing(theirs, NOON)
        const nothing = {
          approvalsPending: 0,
          repliesOpen: 0,
          changeRequestsOpen: 0,
          alertsOpen: 0,
          suspendedAtMillis: null
        }
        assert.deepStrictEqual(standing, nothing)
        assert.strictEqual((yield* read.sending(theirs, MIDNIGHT, NOON)).mailboxes.active, 0)
      })
    )

    it.effect("a campaign's counts say what became of its people and of each step", () =>
      Effect.gen(function* () {
        const read = yield* reads
        const { campaign, leads, workspaceId } = yield* givenSending(4)
        const claims = yield* claimsOf(workspaceId)
        yield* end(claims[0]!, "sent", NOON + DAY)
        yield* end(claims[1]!, "failed")
        yield* end(claims[2]!, "unknown")
        const view = Option.getOrThrow(yield* read.campaign(workspaceId, campaign.campaignId))
        assert.deepStrictEqual(view.campaign, campaign)
        assert.deepStrictEqual(view.leads, { ready: 3, active: 1 })
        assert.deepStrictEqual(view.steps, [
          {
            stepIndex: 0,
            variant: null,
            sent: 1,
            claimed: 1,
            failed: 1,
            unknown: 1,
            replied: 0,
            interested: 0,
            meetings: 0,
            bounced: 0,
            unsubscribed: 0
          }
        ])
        const nextAtMillis = NOON - HOUR
        assert.deepStrictEqual(view.waiting, { covered: 4, uncovered: 0, withoutMailbox: 0, nextAtMillis })
        const [line] = yield* read.campaigns(workspaceId, ALL, EVERY_CAMPAIGN)
        assert.deepInclude(line, { name: campaign.name, leads: leads.length, contacted: 1, replied: 0 })
        const conversation = Option.getOrThrow(yield* read.conversation(workspaceId, claims[0]!.lead.campaignLeadId))
        const fromAddress = claims[0]!.mailbox.address
        assert.deepStrictEqual(conversation.sent, [{ stepIndex: 0, sentAtMillis: NOON, fromAddress }])
      })
    )

    it.effect("each day counts messages that left, and people once, on the day of their notice", () =>
      Effect.gen(function* () {
        const read = yield* reads
        const { atomically } = yield* UnitOfWork
        const campaigns = yield* CampaignStore
        const { campaign, workspaceId } = yield* givenSending(6)
        const claims = yield* claimsOf(workspaceId)
        const [answered, early, gone, lost, failed] = claims
        for (const claim of claims.slice(0, 3)) yield* end(claim, "sent", NOON + 9 * DAY)
        yield* end(lost!, "sent", NOON + 9 * DAY, MIDNIGHT + DAY)
        yield* end(failed!, "failed")
        const becomes = (claim: (typeof claims)[number], state: "replied" | "bounced" | "removed") =>
          atomically(
            Effect.gen(function* () {
              const lead = yield* campaigns.lockLead(workspaceId, claim.lead.campaignLeadId)
              yield* campaigns.updateLead({
                ...Option.getOrThrow(lead),
                state,
                interestStatus: state === "bounced" ? null : "meeting_booked"
              })
            })
          )
        const of = ({ lead }: (typeof claims)[number]) => ({
          workspaceId,
          campaignId: campaign.campaignId,
          campaignLeadId: lead.campaignLeadId
        })
        // Away, then a reply, then another one: the person replied once, on the day of the first.
        yield* givenAnswer(of(answered!), "I am away", "out_of_office")
        yield* givenAnswer(of(answered!), "Yes", "interested", NOON + 2 * DAY)
        yield* givenAnswer(of(answered!), "When?", null, NOON + 3 * DAY)
        // Nobody who only was away replied.
        yield* givenAnswer(of(early!), "I am away", "out_of_office")
        // A notice that came first was about a passing fault.
        yield* givenAnswer(of(gone!), "Full", "bounce")
        yield* givenAnswer(of(gone!), "Unknown", "bounce", MIDNIGHT + 3 * DAY - 1)
        yield* becomes(answered!, "replied")
        yield* becomes(gone!, "bounced")
        // No notice of this one is kept.
        yield* becomes(lost!, "bounced")
        // Who answered after they had left counts as neither replied nor interested.
        yield* givenAnswer(of(early!), "Yes, please", "interested", NOON + 4 * DAY)
        yield* becomes(early!, "removed")

        const days = yield* read.campaignDays(workspaceId, campaign.campaignId, 100)
        assert.deepStrictEqual(days, [
          { dayMillis: MIDNIGHT + 2 * DAY, sent: 0, replied: 1, bounced: 1 },
          { dayMillis: MIDNIGHT + DAY, sent: 1, replied: 0, bounced: 0 },
          { dayMillis: MIDNIGHT, sent: 3, replied: 0, bounced: 1 }
        ])
        assert.deepStrictEqual(yield* read.campaignDays(workspaceId, campaign.campaignId, 1), days.slice(0, 1))
        const view = Option.getOrThrow(yield* read.campaign(workspaceId, campaign.campaignId))
        assert.deepInclude(view.steps[0], { sent: 4, replied: 1, interested: 1, meetings: 1, bounced: 2 })
      })
    )

    it.effect("who waits is told apart: covered, not approved yet, and without a mailbox that is active", () =>
      Effect.gen(function* () {
        const read = yield* reads
        const { atomically } = yield* UnitOfWork
        const campaigns = yield* CampaignStore
        const { workspaceId } = yield* givenWorkspace()
        const [active] = yield* givenMailboxes(workspaceId, 1)
        const [failed] = yield* givenMailboxes(workspaceId, 1, { state: "failed" })
        const emails = ["a@x.test", "b@x.test", "c@x.test", "d@x.test"]
        const { campaign } = yield* givenLaunched(workspaceId, [active!, failed!], emails)
        const draft = makeCampaign({ workspaceId, state: "draft", launchedAtMillis: null })
        yield* atomically(campaigns.insert(draft, [makeLead(workspaceId, "e@x.test")]))
        const waiting = (campaignId: string) =>
          Effect.map(read.campaign(workspaceId, campaignId), (view) => Option.getOrThrow(view).waiting)
        const nextAtMillis = NOON - HOUR
        const covered = { covered: 4, uncovered: 0, withoutMailbox: 2, nextAtMillis }
        assert.deepStrictEqual(yield* waiting(campaign.campaignId), covered)
        const uncovered = { covered: 0, uncovered: 1, withoutMailbox: 0, nextAtMillis: null }
        assert.deepStrictEqual(yield* waiting(draft.campaignId), uncovered)
        const sending = yield* read.sending(workspaceId, MIDNIGHT, NOON)
        assert.deepStrictEqual(sending.mailboxes, { provisioning: 0, active: 1, paused: 0, failed: 1 })
        assert.strictEqual(sending.mailboxesWithRoom, 1)
      })
    )

    it.effect("lists go on where the page before ended, without a gap or a repeat", () =>
      Effect.gen(function* () {
        const read = yield* reads
        const { atomically } = yield* UnitOfWork
        const campaigns = yield* CampaignStore
        const { workspaceId } = yield* givenWorkspace()
        const made = [0, 2, 1, 1, 1].map((hours) => makeCampaign({ workspaceId, createdAtMillis: NOON + hours * HOUR }))
        yield* atomically(Effect.forEach(made, (campaign) => campaigns.insert(campaign, [])))
        const seen: Array<string> = []
        let after: After | null = null
        for (let page = 0; page < made.length; page++) {
          const found: Effect.Success<ReturnType<typeof read.campaigns>> = yield* read.campaigns(
            workspaceId,
            { after, limit: 2 },
            EVERY_CAMPAIGN
          )
          seen.push(...found.map(({ campaignId }) => campaignId))
          const last = found.at(-1)
          if (last === undefined) break
          after = { atMillis: last.createdAtMillis, id: last.campaignId }
        }
        const newestFirst = [...made].sort(
          (a, b) => b.createdAtMillis - a.createdAtMillis || (a.campaignId < b.campaignId ? 1 : -1)
        )
        const ids = newestFirst.map(({ campaignId }) => campaignId)
        assert.deepStrictEqual(seen, ids)
        const named = yield* read.campaignNames(workspaceId, [ids[3]!, freshId()], 2)
        assert.deepStrictEqual(
          named.map(({ campaignId }) => campaignId),
          [ids[0], ids[1], ids[3]]
        )
      })
    )

    it.effect("people are found by a part of their address, name or company, in whatever case", () =>
      Effect.gen(function* () {
        const read = yield* reads
        const { atomically } = yield* UnitOfWork
        const campaigns = yield* CampaignStore
        const { workspaceId } = yield* givenWorkspace()
        const campaign = makeCampaign({ workspaceId })
        const ann = makeLead(workspaceId, "ann@x.test")
        const bob = { ...makeLead(workspaceId, "bob@y.test"), firstName: "Bob", lastName: "100%", companyName: null }
        yield* atomically(campaigns.insert(campaign, [ann, bob]))
        const found = (text: string) =>
          Effect.map(read.leads(workspaceId, campaign.campaignId, { ...EVERYBODY, text }), (lines) =>
            lines.map(({ email }) => email)
          )
        assert.deepStrictEqual(yield* found("ACME"), ["ann@x.test"])
        assert.deepStrictEqual(yield* found("bob 100%"), ["bob@y.test"])
        assert.deepStrictEqual(yield* found("%"), ["bob@y.test"])
        assert.deepStrictEqual(yield* found("_"), [])
        assert.deepStrictEqual(yield* found(".test"), ["ann@x.test", "bob@y.test"])
        const next = { ...EVERYBODY, after: ann.campaignLeadId }
        const [second] = yield* read.leads(workspaceId, campaign.campaignId, next)
        assert.deepInclude(second, { email: "bob@y.test", name: "Bob 100%", companyName: null, stepsSent: 0 })
        const replied = { ...EVERYBODY, state: "replied" as const }
        assert.deepStrictEqual(yield* read.leads(workspaceId, campaign.campaignId, replied), [])
      })
    )

    it.effect("a conversation holds their answers, long ones cut", () =>
      Effect.gen(function* () {
        const read = yield* reads
        const { campaign, leads, workspaceId } = yield* givenSending(1)
        const of = { workspaceId, campaignId: campaign.campaignId, campaignLeadId: leads[0]!.campaignLeadId }
        const short = yield* givenAnswer(of, "Sounds good \u{1F4EC}")
        yield* givenAnswer(of, "x".repeat(CONVERSATION_TEXT_CHARS + 1))
        const { answers, lead, ours } = Option.getOrThrow(yield* read.conversation(workspaceId, of.campaignLeadId))
        assert.strictEqual(lead.email, leads[0]!.email)
        assert.deepInclude(answers[0], { replyId: short.replyId, text: short.bodyText, isCut: false })
        assert.strictEqual(answers[1]!.text.length, CONVERSATION_TEXT_CHARS)
        assert.isTrue(answers[1]!.isCut)
        assert.deepStrictEqual(ours, [])
      })
    )

    it.effect("replies are counted by class, of one campaign or of all", () =>
      Effect.gen(function* () {
        const read = yield* reads
        const { atomically } = yield* UnitOfWork
        const campaigns = yield* CampaignStore
        const { workspaceId } = yield* givenWorkspace()
        const [campaign, other] = [makeCampaign({ workspaceId }), makeCampaign({ workspaceId })]
        const lead = makeLead(workspaceId, "ann@x.test")
        const theirs = makeLead(workspaceId, "bob@x.test")
        yield* atomically(Effect.andThen(campaigns.insert(campaign, [lead]), campaigns.insert(other, [theirs])))
        const ours = { workspaceId, campaignId: campaign.campaignId, campaignLeadId: lead.campaignLeadId }
        for (const one of ["interested", "bounce", null] as const) yield* givenAnswer(ours, "Yes", one)
        const { campaignLeadId } = theirs
        yield* givenAnswer({ workspaceId, campaignId: other.campaignId, campaignLeadId }, "Yes", "interested")
        const counted = (campaignId: string | null) =>
          Effect.map(read.repliesByClass(workspaceId, campaignId), (found) =>
            found.map(({ classification, count }) => `${count} ${classification}`).toSorted()
          )
        assert.deepStrictEqual(yield* counted(null), ["1 bounce", "1 null", "2 interested"])
        assert.deepStrictEqual(yield* counted(other.campaignId), ["1 interested"])
      })
    )

    it.effect("the earlier request is the newest one before for the same thing", () =>
      Effect.gen(function* () {
        const read = yield* reads
        const { workspaceId } = yield* givenWorkspace()
        const same = { workspaceId, target: `campaign:${freshId()}` }
        const [first, second, third, , adding] = yield* givenApprovals(workspaceId, [
          { ...same, state: "declined", createdAtMillis: NOON },
          { ...same, state: "superseded", createdAtMillis: NOON + 1 },
          { ...same, createdAtMillis: NOON + 3 },
          { workspaceId, createdAtMillis: NOON + 1 },
          // To add people to the campaign is another thing than to launch it.
          { ...same, verb: "add_leads", state: "declined", createdAtMillis: NOON + 2 }
        ])
        const before = (approvalId: string) =>
          Effect.map(
            read.earlierApproval(workspaceId, approvalId),
            Option.map(({ approval }) => approval.approvalId)
          )
        assert.deepStrictEqual(Option.getOrNull(yield* before(third!.approvalId)), second!.approvalId)
        assert.deepStrictEqual(Option.getOrNull(yield* before(second!.approvalId)), first!.approvalId)
        assert.isTrue(Option.isNone(yield* before(first!.approvalId)))
        const closed = yield* read.approvals(workspaceId, "closed", { after: null, limit: 1 })
        assert.deepStrictEqual(
          closed.map(({ approval, keyName }) => [approval.approvalId, keyName]),
          [[adding!.approvalId, "Agent"]]
        )
        assert.strictEqual((yield* read.standing(workspaceId, NOON)).approvalsPending, 2)
        assert.strictEqual((yield* read.standing(workspaceId, NOON + DAY)).approvalsPending, 0)
      })
    )
  })
}
