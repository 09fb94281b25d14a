import { type Balance, CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { type SendingView, ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import type { CampaignPeriod, PeriodOrder } from "@outbound/domain/control/console/Periods.js"
import { isDecidedInPlace } from "@outbound/domain/control/risks/queue.js"
import { Control } from "@outbound/domain/control/Control.js"
import { dayListOf } from "@outbound/domain/control/today/dayList.js"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { fromMicros, minusOrZero } from "@outbound/domain/kernel/money/Credits.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { Effect } from "effect"
import type { ComponentChildren } from "preact"
import type { Reply } from "../../http/Reply.js"
import { count, creditWords, dayStartOf, grouped } from "../../web/Words.js"
import { isDone, LastDone } from "../approvals/SittingNote.js"
import { PENDING_MAX, type WaitingApproval, waitingFor } from "../approvals/waiting.js"
import { everyDay } from "../DayChart.js"
import { pages } from "../pages.js"
import { Facts, Meter, NoteBox, Section } from "../Parts.js"
import { type Done, DoneNote, doneOf } from "../replies/doneNote.js"
import { listedOf } from "../replies/listed.js"
import { SORTED_MAX } from "../replies/Triage.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { type Inside, member, type Page } from "../Visit.js"
import { DayListSection, type Item } from "./DayList.js"
import { type Figure, FiguresSection } from "./Figures.js"
import { CAMPAIGNS_COMPARED_MAX, orderOf, type PeriodDays, periodOf, PeriodSection } from "./Period.js"

const HOME = "/console/home"

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

/** What somebody needs to see in the morning: what is wrong, what waits for them, and how it goes. */
const homePage = (options: {
  readonly viewer: Viewer
  readonly items: ReadonlyArray<Item>
  readonly pending: ReadonlyArray<WaitingApproval>
  readonly names: ReadonlyMap<string, string>
  readonly sending: SendingView
  readonly campaigns: ReadonlyArray<CampaignPeriod>
  readonly period: { readonly days: PeriodDays; readonly order: PeriodOrder }
  readonly figures: ReadonlyArray<Figure>
  /** Midnights (UTC). */
  readonly days: ReadonlyArray<number>
  readonly balance: Balance
  readonly said: ComponentChildren
  readonly done: Done | null
  readonly isNew: boolean
  readonly nowMillis: number
}): Reply => {
  const { balance, campaigns, days, done, figures, isNew, items, names, nowMillis, pending, period, said, sending } =
    options
  const { viewer } = options
  return titledPage(
    { title: "Home", viewer, at: "home", isLive: true, ...(said === null ? {} : { said }) },
    <>
      <DoneNote of={done} path="/console/replies" nowMillis={nowMillis} next={null} />
      <Wrong of={troubles(sending, viewer.standing)} />
      {isNew ? <FirstSteps /> : null}
      <DayListSection
        of={items}
        waiting={pending}
        names={names}
        changeRequestsOpen={viewer.standing.changeRequestsOpen}
        nowMillis={nowMillis}
      />
      <FiguresSection title={`The last ${period.days} days`} of={figures} days={days} />
      <PeriodSection of={campaigns} {...period} path={HOME} />
      <Section id="today" title="Today (UTC)" isCard>
        <Meter label="messages sent" used={sending.sendsToday} of={sending.dailySends} />
        <Facts
          isInCard
          of={[
            ["Mailboxes", <a href="/console/sending">{grouped(sending.mailboxes.active)} active</a>],
            [
              "Credits available",
              <a href="/console/credits">{creditWords(minusOrZero(balance.balance, balance.reserved))}</a>
            ]
          ]}
        />
      </Section>
    </>
  )
}

const NEEDS = {
  control: Control,
  credits: CreditStore,
  reads: ConsoleReads,
  replies: ReplyStore,
  workspaces: WorkspaceStore
}

const plain = (one: string, many: string) => (value: number) => count(value, one, many)

export const homePages = pages(NEEDS, ({ control, credits, reads, replies, workspaces }) => {
  /** The figures of each day, from its midnight on. */
  const figuresOf = (workspaceId: string, days: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      const [since = 0] = days
      const [counted, usage] = yield* Effect.all(
        [reads.figuresByDay(workspaceId, since), reads.usageByDay(workspaceId, since)],
        { concurrency: "unbounded" }
      )
      const byDay = (what: "sent" | "replies" | "bounced") =>
        days.map((day) => counted.find(({ dayMillis }) => dayMillis === day)?.[what] ?? 0)
      const charged = days.map((day) => Number(usage.find(({ dayMillis }) => dayMillis === day)?.charged ?? 0n))
      const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)
      const [sent, answered, bounced] = [byDay("sent"), byDay("replies"), byDay("bounced")]
      return [
        {
          name: sum(sent) === 1 ? "message sent" : "messages sent",
          about: "Messages sent",
          total: grouped(sum(sent)),
          href: "/console/sending",
          values: sent,
          words: plain("message", "messages")
        },
        {
          name: "from people",
          about: "Replies from people",
          total: count(sum(answered), "reply", "replies"),
          href: "/console/replies?classification=people",
          values: answered,
          words: plain("reply", "replies")
        },
        {
          name: "of these messages bounced",
          about: "Messages that bounced",
          total: grouped(sum(bounced)),
          href: "/console/sending",
          values: bounced,
          words: plain("message", "messages")
        },
        {
          name: "used",
          about: "Credits used",
          total: creditWords(fromMicros(BigInt(sum(charged)))),
          href: "/console/usage",
          values: charged,
          words: (value) => creditWords(fromMicros(BigInt(value)))
        }
      ] satisfies ReadonlyArray<Figure>
    })

  const show = ({ by, nowMillis, query, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const today = dayStartOf(nowMillis)
      const period = { days: periodOf(query.get("days")), order: orderOf(query.get("sort")) }
      const days = everyDay(today - (period.days - 1) * DAY_MILLIS, today)
      const [pending, open, sending, campaigns, drafted, balance, figures, members, overlap] = yield* Effect.all(
        [
          waitingFor(reads, { viewer, workspaceId }, { after: null, limit: PENDING_MAX }),
          replies.page({
            workspaceId,
            sinceMillis: null,
            campaignId: null,
            classification: "people",
            isOpen: true,
            limit: SORTED_MAX,
            after: null
          }),
          reads.sending(workspaceId, today, nowMillis),
          reads.campaignsSince(workspaceId, days[0] ?? today, CAMPAIGNS_COMPARED_MAX),
          reads.campaignNames(workspaceId, [], 1),
          credits.balance(workspaceId),
          figuresOf(workspaceId, days),
          control.members(by),
          workspaces.overlap(workspaceId)
        ],
        { concurrency: "unbounded" }
      )
      const facts = { forecast: null, available: null, overlap }
      const waiting = pending.map((one) => ({ ...one, isInPlace: isDecidedInPlace(one.of.approval.snapshot, facts) }))
      const items = dayListOf(waiting, yield* listedOf(replies, workspaceId, open, members), nowMillis)
      const named = items.flatMap((item) => (item.kind === "approval" ? [] : [item.of.reply.campaignId]))
      const names = yield* reads.campaignNames(workspaceId, [...new Set(named)], 0)
      const [done, last] = [query.get("approval"), query.get("of")]
      return homePage({
        viewer,
        items,
        pending,
        names: new Map(names.map(({ campaignId, name }) => [campaignId, name])),
        sending,
        campaigns,
        period,
        figures,
        days,
        balance,
        said: isDone(done) && last !== null && isUuid(last) ? <LastDone done={done} approvalId={last} /> : null,
        done: doneOf(query),
        isNew: items.length + drafted.length + sending.mailboxes.active + viewer.standing.approvalsPending === 0,
        nowMillis
      })
    })

  return [member(HOME, { get: show })]
})
