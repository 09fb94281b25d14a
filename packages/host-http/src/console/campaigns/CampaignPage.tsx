import type { Campaign } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { variantName, wordingsOf } from "@outbound/domain/kernel/sequences/variants.js"
import { LeadMachine, type LeadState } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import type { CampaignDay, CampaignView, LeadLine, SendingView } from "@outbound/domain/control/console/ConsoleReads.js"
import { type Hindrance, whyNotSending } from "@outbound/domain/control/console/whyNotSending.js"
import type { CampaignOutcomes } from "@outbound/domain/control/outcomes/outcomesOf.js"
import { holidaysFor, zoneOf } from "@outbound/domain/outreach/campaigns/recipientHours.js"
import type { MarkCounts, MarkedValue } from "@outbound/domain/outreach/evidence/marks.js"
import type { NextWindow } from "@outbound/domain/outreach/sending/SendingCalendar.js"
import type { MailboxChoice } from "@outbound/domain/outreach/launching/CampaignMailboxes.js"
import type { Reply } from "../../http/Reply.js"
import { count, dayNames, grouped, hourWords, Moment } from "../../web/Words.js"
import { Marked, spelledOut } from "../approvals/Marked.js"
import { AtAnyHour, Facts, fitted, MomentOr, Note, Pager, SearchForm, Section, StateBadge, Table } from "../Parts.js"
import { EvidenceSection, PersonMarks } from "./Evidence.js"
import { FunnelSection } from "./Funnel.js"
import { type LeftOutCounts, LeftOutSection } from "./LeftOut.js"
import { OutcomesSection } from "./Outcomes.js"
import { Pausing } from "./Pausing.js"
import { Variants, WinnerRuleNote } from "./Variants.js"
import { DaysSection, Mailboxes, type Named, NamedSection } from "./Mailboxes.js"
import { HolidaysOf, OwnZones } from "../SnapshotView.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import type { Listing } from "../paging.js"
import { hindranceWords, INTEREST_WORDS, LEAD_WORDS, STATE_WORDS } from "./campaignWords.js"

/** The most bytes that a sequence's texts take together. An approval shows them in full. */
const TEXTS_BYTES_MAX = 40_000

/** Reasons that need no action. */
const QUIET: ReadonlySet<Hindrance["kind"]> = new Set(["draft", "completed", "not_due", "nobody_left", "window_closed"])

const Why = (props: {
  readonly view: CampaignView
  readonly sending: SendingView
  readonly nextWindow: NextWindow
  readonly nextMessageAtMillis: number | null
  readonly nowMillis: number
}) => {
  const { nextMessageAtMillis, nextWindow, nowMillis, sending, view } = props
  const reasons = whyNotSending(view, sending, nextWindow, nextMessageAtMillis, nowMillis)
  const { state } = props.view.campaign
  if (reasons.length === 0) {
    return <Note tone="good">This campaign is sending.</Note>
  }
  const isQuiet = reasons.every(({ kind }) => QUIET.has(kind))
  return (
    <section aria-labelledby="why" class={isQuiet ? "note plain" : "note"}>
      <h2 id="why">
        {CampaignMachine.is.running(state) && isQuiet
          ? "Nothing to send right now"
          : "Why this campaign is not sending"}
      </h2>
      <ul>
        {reasons.map((reason) => {
          const { href, link, text } = hindranceWords(reason, nowMillis)
          return (
            <li key={reason.kind}>
              {text} {href === undefined ? null : <a href={href}>{link}</a>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const People = (props: { readonly of: CampaignView; readonly path: string; readonly state: LeadState | null }) => {
  const total = LeadMachine.states.reduce((sum, state) => sum + (props.of.leads[state] ?? 0), 0)
  const present = LeadMachine.states.filter((state) => (props.of.leads[state] ?? 0) > 0)
  return (
    <Section id="people" title="Leads by state">
      <ul class="tiles">
        <li>
          <a href={`${props.path}#list`} aria-current={props.state === null ? "true" : undefined}>
            <span class="big">{grouped(total)}</span> all
          </a>
        </li>
        {present.map((state) => (
          <li key={state}>
            <a href={`${props.path}?state=${state}#list`} aria-current={props.state === state ? "true" : undefined}>
              <span class="big">{grouped(props.of.leads[state] ?? 0)}</span> {LEAD_WORDS[state].toLowerCase()}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const Steps = (props: { readonly of: CampaignView; readonly path: string }) => {
  const { sequence } = props.of.campaign
  const { path } = props
  const countOf = (index: number, what: "sent" | "failed" | "unknown") =>
    props.of.steps.reduce((sum, step) => (step.stepIndex === index ? sum + step[what] : sum), 0)
  const each = Math.floor(TEXTS_BYTES_MAX / Math.max(1, sequence.length))
  return (
    <Section id="steps" title="Sequence">
      <WinnerRuleNote campaign={props.of.campaign} path={path} />
      {sequence.map((step, index) => {
        const subject = fitted(step.subject ?? "In the same thread", 1_000)
        const body = fitted(step.body, each)
        const [failed, unknown] = [countOf(index, "failed"), countOf(index, "unknown")]
        return (
          <details class="card fold" key={index}>
            <summary>
              <span class="fold-title">
                {index + 1}. <Marked text={subject.text} />
              </span>
              <span class="soft">
                {index === 0 ? "first message" : `${count(step.waitDays, "day")} later`} ·{" "}
                {grouped(countOf(index, "sent"))} sent
                {failed + unknown === 0 ? "" : ` · ${grouped(failed)} failed · ${grouped(unknown)} uncertain`}
                {step.otherVariants === undefined ? "" : ` · ${wordingsOf(step).length} variants`}
              </span>
            </summary>
            {step.otherVariants === undefined ? (
              <div class="mail">
                <Marked text={body.text} />
                {body.isCut ? "…" : ""}
              </div>
            ) : (
              <Variants view={props.of} stepIndex={index} path={path} bytesMax={each} />
            )}
          </details>
        )
      })}
    </Section>
  )
}

const Schedule = (props: { readonly of: Campaign["schedule"]; readonly hours: CampaignView["hours"] }) => {
  const { days, endHour, recipientTimezone, skipHolidays, startHour, timezone } = props.of
  const counted = (name: (hours: string | null) => ReadonlyArray<string>) => {
    const counts = new Map<string, number>()
    for (const { hours, people } of props.hours)
      for (const one of name(hours)) counts.set(one, (counts.get(one) ?? 0) + people)
    return [...counts].map(([one, people]) => ({ name: one, people }))
  }
  return (
    <>
      {dayNames(days)}, {hourWords(startHour)} to {hourWords(endHour)} ({timezone})
      {recipientTimezone === undefined ? null : (
        <OwnZones zones={counted((hours) => [zoneOf(props.of, hours)])} whose="waiting" />
      )}
      {skipHolidays === undefined ? null : <HolidaysOf countries={counted((hours) => holidaysFor(props.of, hours))} />}
    </>
  )
}

/** Where a lead's address came from first. */
const Origin = (props: { readonly of: LeadLine["origin"] }) => {
  const { of } = props
  if (of === null) return <>–</>
  const { at, by, file, how, line } = of
  return (
    <>
      {how.replaceAll("_", " ")}
      {line === null ? "" : `, line ${line}`}
      {file === null ? null : (
        <>
          {" "}
          of <Marked text={file} />
        </>
      )}
      <div class="soft">
        {by === null ? "" : `${by}, `}
        <Moment atMillis={Date.parse(at)} />
      </div>
    </>
  )
}

export interface Listed extends Listing<LeadLine> {
  readonly state: LeadState | null
  readonly text: string | null
  /** When the next message to each of them can leave, by lead. */
  readonly nextOf: ReadonlyMap<string, number>
  /** Their merged values with the mark of each, by lead; null: nothing asks for marks. */
  readonly marksOf: ReadonlyMap<string, ReadonlyArray<MarkedValue>> | null
}

const List = (props: { readonly path: string; readonly steps: number; readonly of: Listed }) => {
  const { marksOf, nextOf, shown, state, text } = props.of
  const filters = new URLSearchParams({
    ...(state === null ? {} : { state }),
    ...(text === null ? {} : { q: text })
  })
  return (
    <Section id="list" title={<>Leads{state === null ? "" : `: ${LEAD_WORDS[state].toLowerCase()}`}</>}>
      <SearchForm action={props.path} label="Email, name or company, or any text in their values" text={text}>
        {state === null ? null : <input type="hidden" name="state" value={state} />}
      </SearchForm>
      <Table
        label="Leads"
        head={[
          "Email",
          "Name",
          "Company",
          "State",
          "Sent",
          "Last message",
          "Next message",
          "Address from",
          ...(marksOf === null ? [] : ["Values"])
        ]}
        numbers={[4]}
        none={text === null ? "No leads." : "No lead matches."}
        rows={shown.map((lead) => [
          <Marked text={lead.email} />,
          <Marked text={lead.name ?? "–"} />,
          <Marked text={lead.companyName ?? "–"} />,
          <>
            {LEAD_WORDS[lead.state]}
            {lead.interestStatus === null ? null : <div class="soft">{INTEREST_WORDS[lead.interestStatus]}</div>}
          </>,
          <>
            {lead.stepsSent} of {props.steps}
            {lead.variant === null ? null : <div class="soft">variant {variantName(lead.variant)}</div>}
          </>,
          <MomentOr atMillis={lead.lastSentAtMillis} />,
          <MomentOr atMillis={nextOf.get(lead.campaignLeadId) ?? null} />,
          <Origin of={lead.origin} />,
          ...(marksOf === null ? [] : [<PersonMarks of={marksOf.get(lead.campaignLeadId) ?? []} />])
        ])}
      />
      {shown.length === 0 ? null : (
        <p>
          <a href={`${props.path}/leads/csv?${filters}`}>Download them as CSV</a>, all pages.
        </p>
      )}
      <Pager path={props.path} filters={filters} of={props.of} first="First" more="Next" />
    </Section>
  )
}

export const campaignPage = (options: {
  readonly viewer: Viewer
  readonly view: CampaignView
  readonly sending: SendingView
  readonly listed: Listed
  readonly named: ReadonlyArray<Named>
  readonly leftOut: LeftOutCounts
  readonly outcomes: CampaignOutcomes
  /** Null: nothing asks for marks. */
  readonly evidence: MarkCounts | null
  /** Newest first. */
  readonly days: ReadonlyArray<CampaignDay>
  /** Null: the campaign is not launched, is over, or was killed. */
  readonly mailboxes: MailboxChoice | null
  readonly nextWindow: NextWindow
  /** The earliest moment at which its next message can leave. */
  readonly nextMessageAtMillis: number | null
  readonly nowMillis: number
}): Reply => {
  const { campaign } = options.view
  const path = `/console/campaigns/${campaign.campaignId}`
  return titledPage(
    {
      title: spelledOut(campaign.name),
      viewer: options.viewer,
      at: "campaigns",
      isLive: true,
      heading: <Marked text={campaign.name} />,
      beside: <StateBadge of={STATE_WORDS[campaign.state]} />
    },
    <>
      <Why
        view={options.view}
        sending={options.sending}
        nextWindow={options.nextWindow}
        nextMessageAtMillis={options.nextMessageAtMillis}
        nowMillis={options.nowMillis}
      />
      <Pausing of={campaign} path={path} />
      <Facts
        of={[
          ["Drafted", <Moment atMillis={campaign.createdAtMillis} />],
          ["Launched", <MomentOr atMillis={campaign.launchedAtMillis} none="Not yet" />],
          [
            "Schedule",
            <>
              <Schedule of={campaign.schedule} hours={options.view.hours} />
              {options.sending.kind === "sandbox" ? <AtAnyHour /> : null}
            </>
          ],
          ["Next message", <MomentOr atMillis={options.nextMessageAtMillis} none="None" />],
          [
            "More",
            <>
              <a href={`/console/trail?campaign=${campaign.campaignId}`}>Trail</a> ·{" "}
              <a href={`/console/replies?campaign=${campaign.campaignId}`}>Replies</a>
            </>
          ]
        ]}
      />
      <FunnelSection of={options.view} />
      <OutcomesSection of={options.outcomes} campaignId={campaign.campaignId} />
      <DaysSection of={options.days} />
      {options.mailboxes === null ? null : <Mailboxes of={options.mailboxes} path={path} />}
      <Steps of={options.view} path={path} />
      <People of={options.view} path={path} state={options.listed.state} />
      <EvidenceSection of={options.evidence} />
      <NamedSection of={options.named} path={path} />
      <LeftOutSection of={options.leftOut} path={path} />
      <List path={path} steps={campaign.sequence.length} of={options.listed} />
    </>
  )
}
