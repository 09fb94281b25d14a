import { pages } from "../pages.js"
import { type Balance, CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { type CampaignLine, type SendingView, ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { type Credits, minusOrZero, plus, zero } from "@outbound/domain/kernel/money/Credits.js"
import { type Reply as Received, ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { Effect } from "effect"
import type { Reply } from "../../http/Reply.js"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { count, creditWords, dayStartOf, grouped } from "../../web/Words.js"
import { ApprovalItem, OneAfterAnother } from "../ApprovalsPage.js"
import { PENDING_MAX, type WaitingApproval, waitingFor } from "../approvals/waiting.js"
import { Cards, Facts, LinkLine, Meter, NoteBox, Section, Table } from "../Parts.js"
import { ReplyItem } from "../replies/RepliesPage.js"
import { type Referral, referralsOf, ReferralsSection } from "../referrals/ReferralsSection.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { type Inside, member, type Page } from "../Visit.js"

/** Most of each that the page shows. */
const SHOWN_MAX = 5
const INTERESTED_DAYS = 7
const SPENT_DAYS = 30

interface Trouble {
  readonly href: string
  readonly text: string
  readonly mend: string
}

/** What is wrong, where it is mended and how; empty if all is well. */
const troubles = (
  { isCrmUnread, kind, mailboxes, postalAddress }: SendingView,
  { alertsOpen }: Viewer["standing"]
): ReadonlyArray<Trouble> => {
  const found: Array<Trouble> = []
  const add = (href: string, text: string, mend: string) => found.push({ href, text, mend })
  if (alertsOpen > 0) add("/console/alerts", count(alertsOpen, "open alert"), "See what each says")
  if (mailboxes.failed > 0) {
    add("/console/sending", count(mailboxes.failed, "failed mailbox", "failed mailboxes"), "See why")
  }
  if (mailboxes.paused > 0) {
    add("/console/sending", count(mailboxes.paused, "paused mailbox", "paused mailboxes"), "See why, and resume it")
  }
  if (kind === "live" && postalAddress === null) {
    add("/console/settings", "No postal address, so nothing is sent", "Set it")
  }
  if (isCrmUnread) add("/console/settings/crm", "The CRM was not read, so nothing is sent", "See why")
  return found
}

const Wrong = (props: { readonly of: ReadonlyArray<Trouble> }) =>
  props.of.length === 0 ? null : (
    <NoteBox tone="bad">
      <ul>
        {props.of.map(({ href, mend, text }) => (
          <li key={text}>
            {text}. <a href={href}>{mend}</a>
          </li>
        ))}
      </ul>
    </NoteBox>
  )

/** The way to the first campaign. */
const FirstSteps = () => (
  <Section id="first" title="Three steps to the first campaign" isCard>
    <ol>
      <li>
        <a href="/console/keys/new">Make a key</a> for your agent.
      </li>
      <li>
        Give it to the agent. <a href="/docs">What it can do</a>.
      </li>
      <li>
        <a href="/console/approvals">Approve</a> what it asks for: first where it sends from, then each launch.
      </li>
    </ol>
  </Section>
)

const Campaigns = (props: { readonly of: ReadonlyArray<CampaignLine> }) => (
  <Table
    label="Active campaigns"
    head={["Campaign", "People", "Sent", "Replied", "Bounced"]}
    numbers={[1, 2, 3, 4]}
    rows={props.of.map(({ bounced, campaignId, leads, name, replied, sent }) => [
      <a href={`/console/campaigns/${campaignId}`}>{name}</a>,
      grouped(leads),
      grouped(sent),
      grouped(replied),
      grouped(bounced)
    ])}
  />
)

/** What somebody needs to see in the morning: what waits for them, who wants to talk, and whether all is well. */
const homePage = (options: {
  readonly viewer: Viewer
  readonly pending: ReadonlyArray<WaitingApproval>
  readonly interested: ReadonlyArray<Received>
  readonly names: ReadonlyMap<string, string>
  readonly referrals: ReadonlyArray<Referral>
  readonly sending: SendingView
  readonly campaigns: ReadonlyArray<CampaignLine>
  readonly balance: Balance
  readonly spentToday: Credits
  readonly spent: Credits
  readonly nowMillis: number
}): Reply => {
  const { balance, campaigns, interested, names, nowMillis, pending, sending, spent, spentToday, viewer } = options
  const found = troubles(sending, viewer.standing)
  const { approvalsPending, changeRequestsOpen } = viewer.standing
  const isNew =
    pending.length + interested.length + campaigns.length + sending.mailboxes.active + approvalsPending === 0
  return titledPage(
    { title: "Home", viewer, at: "home", isLive: true },
    <>
      <Wrong of={found} />
      {isNew ? <FirstSteps /> : null}
      <Section id="waiting" title="Approvals that wait">
        <OneAfterAnother of={pending} />
        <Cards
          of={pending.slice(0, SHOWN_MAX)}
          none="No request waits for an approval."
          each={({ isForOthers, of }) => <ApprovalItem of={of} isForOthers={isForOthers} nowMillis={nowMillis} />}
        />
        {approvalsPending <= Math.min(SHOWN_MAX, pending.length) ? null : (
          <LinkLine to="/console/approvals" text={`All ${grouped(approvalsPending)} requests`} />
        )}
        {changeRequestsOpen === 0 ? null : (
          <LinkLine to="/console/keys" text={`${count(changeRequestsOpen, "change")} that a key asks for`} />
        )}
      </Section>
      <Section id="interested" title={<>Interested, last {INTERESTED_DAYS} days</>}>
        {interested.length === 0 ? (
          <p class="card soft">Nobody has said so yet.</p>
        ) : (
          <>
            <Cards
              of={interested}
              each={(of) => <ReplyItem of={of} campaignName={names.get(of.campaignId) ?? "Its campaign"} />}
            />
            <LinkLine to="/console/replies?classification=interested" text="All interested replies" />
          </>
        )}
      </Section>
      <ReferralsSection of={options.referrals} />
      <Section id="today" title="Today (UTC)" isCard>
        <Meter label="messages sent" used={sending.sendsToday} of={sending.dailySends} />
        <Facts
          isInCard
          of={[
            ["Mailboxes", <a href="/console/sending">{grouped(sending.mailboxes.active)} active</a>],
            [
              "Credits available",
              <a href="/console/credits">{creditWords(minusOrZero(balance.balance, balance.reserved))}</a>
            ],
            [
              "Credits used",
              <a href="/console/usage">
                {creditWords(spentToday)} today, {creditWords(spent)} in {SPENT_DAYS} days
              </a>
            ]
          ]}
        />
      </Section>
      <Section id="campaigns" title="Active campaigns">
        {campaigns.length === 0 ? (
          <p class="card soft">
            No campaign is active. <a href="/console/campaigns">All campaigns</a>
          </p>
        ) : (
          <Campaigns of={campaigns} />
        )}
      </Section>
    </>
  )
}

const NEEDS = { credits: CreditStore, reads: ConsoleReads, replies: ReplyStore }

export const homePages = pages(NEEDS, ({ credits, reads, replies }) => {
  const show = ({ nowMillis, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const today = dayStartOf(nowMillis)
      const first = { after: null, limit: SHOWN_MAX }
      const [pending, interested, referred, sending, campaigns, balance, days] = yield* Effect.all(
        [
          waitingFor(reads, { viewer, workspaceId }, { after: null, limit: PENDING_MAX }),
          replies.page({
            workspaceId,
            sinceMillis: nowMillis - INTERESTED_DAYS * DAY_MILLIS,
            campaignId: null,
            classification: "interested",
            ...first
          }),
          replies.page({
            workspaceId,
            sinceMillis: null,
            campaignId: null,
            classification: null,
            referral: "open",
            ...first
          }),
          reads.sending(workspaceId, today, nowMillis),
          reads.campaigns(workspaceId, first, { state: "active", sinceMillis: null }),
          credits.balance(workspaceId),
          reads.usageByDay(workspaceId, today - (SPENT_DAYS - 1) * DAY_MILLIS)
        ],
        { concurrency: "unbounded" }
      )
      const named = [...new Set([...interested, ...referred].map(({ campaignId }) => campaignId))]
      const names = yield* reads.campaignNames(workspaceId, named, 0)
      const nameOf = new Map(names.map(({ campaignId, name }) => [campaignId, name]))
      const charged = (of: typeof days): Credits => of.reduce((sum, day) => plus(sum, day.charged), zero)
      return homePage({
        viewer,
        pending: pending.toSorted((a, b) => a.of.approval.expiresAtMillis - b.of.approval.expiresAtMillis),
        interested,
        names: nameOf,
        referrals: referralsOf(referred, nameOf),
        sending,
        campaigns,
        balance,
        spentToday: charged(days.filter(({ dayMillis }) => dayMillis === today)),
        spent: charged(days),
        nowMillis
      })
    })

  return [member("/console/home", { get: show })]
})
