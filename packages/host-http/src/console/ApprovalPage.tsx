import type { Overlap } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import type { Approval, ApprovalSummary } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { ListedNotice } from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import { type ApprovalStanding, DECLINE_REASON_CHARS_MAX } from "@outbound/domain/control/console/Console.js"
import { type LeadLine, PEOPLE_FOUND_MAX } from "@outbound/domain/control/console/ConsoleReads.js"
import type { Reply } from "../http/Reply.js"
import { count, Moment, timeLeft } from "../web/Words.js"
import type { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { ApprovalChanges, peopleChanged } from "./ApprovalChanges.js"
import { ForecastSection, type ShownForecast } from "./approvals/ForecastSection.js"
import { Glance } from "./approvals/Glance.js"
import { LooksSection } from "./approvals/LooksSection.js"
import { Marked, spelledOut } from "./approvals/Marked.js"
import { MergedLegend, MergedMessages } from "./approvals/MergedMessages.js"
import { PeopleSection, VariablesSection } from "./approvals/PeopleSection.js"
import type { PageContent } from "./approvals/readContent.js"
import { APPROVE_FORM, mayApprove, VotesNote, WinnerRuleSection } from "./approvals/WinnerRuleSection.js"
import { allows } from "@outbound/domain/kernel/machine.js"
import { askerWords, gistOf, STATE_MEANING, STATE_WORDS, titleOf } from "./ApprovalWords.js"
import { LEAD_WORDS } from "./campaigns/campaignWords.js"
import { ToldSection } from "./notices/ToldSection.js"
import { Field, Form, SearchForm, Section, Table } from "./Parts.js"
import { titledPage } from "./Shell.js"
import type { Viewer } from "./Viewer.js"
import { changesBetween } from "./snapshotChanges.js"
import { SnapshotView } from "./SnapshotView.js"

interface PeopleFound {
  readonly text: string
  /** One more than is shown if there are more. */
  readonly people: ReadonlyArray<LeadLine>
}

/** A search among all leads of a request's campaign, not only those that it lists. */
const PeopleSearch = (props: { readonly path: string; readonly search: PeopleFound | null }) => {
  const { path, search } = props
  const shown = search?.people.slice(0, PEOPLE_FOUND_MAX) ?? []
  return (
    <Section id="find" title="Find a lead">
      <SearchForm action={`${path}#find`} label="Email, name or company" text={search?.text ?? null} />
      {search === null ? null : shown.length === 0 ? (
        <p class="card soft" role="status">
          No lead of this campaign matches.
        </p>
      ) : (
        <>
          <p role="status">
            {search.people.length > PEOPLE_FOUND_MAX
              ? `The first ${PEOPLE_FOUND_MAX} matches`
              : count(search.people.length, "match", "matches")}{" "}
            among all leads now in the campaign.
          </p>
          <Table
            label="Leads found"
            head={["Email", "Name", "Company", "State"]}
            rows={shown.map(({ companyName, email, name, state }) => [
              <Marked text={email} />,
              <Marked text={name ?? "–"} />,
              <Marked text={companyName ?? "–"} />,
              LEAD_WORDS[state]
            ])}
          />
        </>
      )}
    </Section>
  )
}

/** Why a decision was not recorded. */
export type Notice = "closed" | "digest_mismatch" | "same_person" | "excluded"

const NOTICES: Readonly<Record<Notice, string>> = {
  closed: "Your decision was not recorded: this request was already closed. Its outcome is below.",
  digest_mismatch:
    "Your decision was not recorded: the request is not the one you were shown. Review it and decide again.",
  same_person: "Nothing was changed: you have already approved. Another person has to approve as well.",
  excluded: "Nothing was changed: you made the key that asks, so others have to approve."
}

const NOTE_KIND: Readonly<Record<string, string>> = {
  approved: "good",
  used: "good",
  declined: "bad",
  cancelled: "bad"
}

const Decide = (props: { readonly of: Approval; readonly mayApprove: boolean }) => {
  const at = `/console/approvals/${props.of.approvalId}`
  const digest = <input type="hidden" name="digest" value={props.of.snapshotDigest} />
  return (
    <section class="card decide" id="decide" aria-label="Decide">
      <p>
        <Marked text={gistOf(props.of.snapshot)} />.
        <span class="more"> You approve every message that this page and its lists show.</span>
      </p>
      <Form action={`${at}/decline`} button="Decline" tone="stop">
        {digest}
      </Form>
      <details class="why">
        <summary>Decline and say why</summary>
        <Form action={`${at}/decline`} button="Decline with this reason" tone="stop">
          {digest}
          <Field
            label="Reason, for the agent"
            name="reason"
            required
            maxLength={DECLINE_REASON_CHARS_MAX}
            hint="The agent reads it, and the trail keeps it."
          />
        </Form>
      </details>
      {props.mayApprove ? (
        <Form id={APPROVE_FORM} action={`${at}/approve`} button="Approve" tone="go">
          {digest}
        </Form>
      ) : null}
    </section>
  )
}

const Outcome = (props: { readonly of: ApprovalSummary }) => {
  const { approval } = props.of
  const { declineReason, state } = approval
  // Who had approved what was cancelled or replaced did not do that.
  const decidedByEmail = ApprovalMachine.is.decided(state) ? props.of.decidedByEmail : null
  return (
    <div class={`note ${NOTE_KIND[approval.state] ?? ""}`} role="status">
      <p>
        <strong>{STATE_WORDS[state]}</strong>
        {decidedByEmail === null || approval.decidedAtMillis === null ? null : (
          <>
            {" by "}
            {decidedByEmail}, <Moment atMillis={approval.decidedAtMillis} />
          </>
        )}
        . {STATE_MEANING[state]}
      </p>
      {declineReason === null ? null : <p>Reason: {declineReason}</p>}
    </div>
  )
}

/** What the merged messages say: what deserves a look, one whole example, and what differs. */
const Messages = (props: {
  readonly of: Approval
  readonly content: PageContent
  readonly asked: { readonly isAllHosts: boolean; readonly overlap: Overlap }
}) => {
  const { approvalId, snapshot } = props.of
  const { example, samples, summary } = props.content
  if (snapshot.kind !== "launch" && snapshot.kind !== "add_leads") return null
  return (
    <>
      <LooksSection approvalId={approvalId} of={summary} samples={samples} {...props.asked} />
      {example === null ? null : (
        <Section id="example" title="One lead’s messages, whole">
          <MergedLegend />
          <MergedMessages
            campaignId={snapshot.campaign_id}
            steps={snapshot.steps}
            postalAddress={snapshot.postal_address}
            recipient={example}
            heading="h3"
          />
        </Section>
      )}
      <VariablesSection approvalId={approvalId} of={summary} />
    </>
  )
}

export const approvalPage = (options: {
  readonly viewer: Viewer
  readonly of: ApprovalSummary
  /** The previous request for the same thing. */
  readonly earlier: ApprovalSummary | null
  /** A search among the leads, and its results. */
  readonly search: PeopleFound | null
  /** The merged messages; null for requests that have none. */
  readonly content: PageContent | null
  /** The text searched for among them, and whether all hosts are listed. */
  readonly asked: { readonly text: string | null; readonly isAllHosts: boolean; readonly overlap: Overlap }
  /** Who has approved, and who else has to. */
  readonly standing: ApprovalStanding
  /** Who was told of it. */
  readonly told: ReadonlyArray<ListedNotice>
  /** Credits that can be spent now; null: the request costs nothing. */
  readonly available: Credits | null
  /** What a launch would do; null: the request is none, or is decided. */
  readonly forecast: ShownForecast | null
  readonly nowMillis: number
  readonly notice?: Notice
}): Reply => {
  const { approval } = options.of
  const isPending = ApprovalMachine.is.undecided(approval.state) && approval.expiresAtMillis > options.nowMillis
  const isOver = ApprovalMachine.is.undecided(approval.state) && !isPending
  const title = titleOf(approval.snapshot)
  const { content, earlier, standing } = options
  const { userId } = options.viewer.signedIn.user
  const changes = earlier === null ? null : changesBetween(earlier.approval.snapshot, approval.snapshot)
  const people = peopleChanged(content?.difference ?? null)
  return titledPage(
    {
      status: options.notice === undefined ? 200 : 409,
      title: spelledOut(title),
      viewer: options.viewer,
      at: "approvals",
      isNarrow: true,
      heading: <Marked text={title} />,
      lead: (
        <>
          Requested by {askerWords(options.of)}, <Moment atMillis={approval.createdAtMillis} />.{" "}
          {isPending ? (
            <>
              {timeLeft(approval.expiresAtMillis - options.nowMillis)} left, until{" "}
              <Moment atMillis={approval.expiresAtMillis} />.
            </>
          ) : null}
        </>
      )
    },
    <>
      {options.notice === undefined ? null : (
        <div class="note" role="alert">
          <p>{NOTICES[options.notice]}</p>
        </div>
      )}
      {isPending ? null : (
        <Outcome of={isOver ? { ...options.of, approval: { ...approval, state: "expired" } } : options.of} />
      )}
      {approval.askedByUserId !== null && allows(ApprovalMachine, approval.state, "use") && !isOver ? (
        <Form class="note" action={`/console/approvals/${approval.approvalId}/finish`} button="Do it now">
          <p>This is approved, and was not done yet.</p>
        </Form>
      ) : null}
      {allows(ApprovalMachine, approval.state, "use") && !isOver && userId !== standing.excludedUserId ? (
        <Form class="note" action={`/console/approvals/${approval.approvalId}/withdraw`} button="Withdraw the approval">
          <p>It was not used yet. Withdrawn, it can’t be used any more; the agent has to ask again.</p>
        </Form>
      ) : null}
      <VotesNote of={standing} isPending={isPending} userId={userId} />
      <Glance
        of={approval.snapshot}
        isPending={isPending}
        available={options.available}
        forecast={options.forecast}
        changes={changes === null ? null : changes.length + (people === null ? 0 : 1)}
      />
      {earlier === null || changes === null ? null : (
        <ApprovalChanges earlier={earlier} changes={changes} people={people} />
      )}
      {content === null ? null : <Messages of={approval} content={content} asked={options.asked} />}
      {options.forecast === null ? null : <ForecastSection of={options.forecast} />}
      <SnapshotView of={approval.snapshot} />
      <WinnerRuleSection of={approval} standing={standing} isPending={isPending} userId={userId} />
      {content === null ? null : (
        <PeopleSection
          approvalId={approval.approvalId}
          leads={"leads" in approval.snapshot ? approval.snapshot.leads : 0}
          text={options.asked.text}
          people={content.people}
        />
      )}
      {content === null && "campaign_id" in approval.snapshot ? (
        <PeopleSearch path={`/console/approvals/${approval.approvalId}`} search={options.search} />
      ) : null}
      <ToldSection of={options.told} />
      <p class="soft request">Request {approval.requestId}</p>
      {isPending ? <Decide of={approval} mayApprove={mayApprove(standing, userId)} /> : null}
    </>
  )
}
