import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import type { Approval, ApprovalSummary } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { type LeadLine, PEOPLE_FOUND_MAX } from "@outbound/domain/control/console/ConsoleReads.js"
import type { Reply } from "../http/Reply.js"
import { count, Moment, timeLeft } from "../web/Words.js"
import { ApprovalChanges } from "./ApprovalChanges.js"
import { gistOf, STATE_MEANING, STATE_WORDS, titleOf } from "./ApprovalWords.js"
import { LEAD_WORDS } from "./campaigns/campaignWords.js"
import { Table } from "./Parts.js"
import { consolePage, type Viewer } from "./Shell.js"
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
    <section aria-labelledby="find">
      <h2 id="find">Find a lead</h2>
      <form class="filters" method="get" action={`${path}#find`} role="search">
        <p class="field">
          <label for="q">Email, name or company</label>
          <input id="q" name="q" type="search" value={search?.text ?? ""} maxLength={200} />
        </p>
        <button type="submit">Search</button>
      </form>
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
          <Table label="Leads found" head={["Email", "Name", "Company", "State"]}>
            {shown.map(({ campaignLeadId, companyName, email, name, state }) => (
              <tr key={campaignLeadId}>
                <td>{email}</td>
                <td>{name ?? "–"}</td>
                <td>{companyName ?? "–"}</td>
                <td>{LEAD_WORDS[state]}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </section>
  )
}

/** Why a decision was not recorded. */
export type Notice = "closed" | "digest_mismatch"

const NOTICES: Readonly<Record<Notice, string>> = {
  closed: "Your decision was not recorded: this request was already closed. Its outcome is below.",
  digest_mismatch:
    "Your decision was not recorded: the request is not the one you were shown. Review it and decide again."
}

const NOTE_KIND: Readonly<Record<string, string>> = {
  approved: "good",
  used: "good",
  declined: "bad",
  cancelled: "bad"
}

const Decide = (props: { readonly of: Approval; readonly csrf: string }) => {
  const at = `/console/approvals/${props.of.approvalId}`
  const hidden = (
    <>
      <input type="hidden" name="csrf" value={props.csrf} />
      <input type="hidden" name="digest" value={props.of.snapshotDigest} />
    </>
  )
  return (
    <section class="card decide" aria-label="Decide">
      <p>
        {gistOf(props.of.snapshot)}.<span class="more"> You approve exactly what this page shows.</span>
      </p>
      <form method="post" action={`${at}/decline`}>
        {hidden}
        <button class="stop" type="submit">
          Decline
        </button>
      </form>
      <form method="post" action={`${at}/approve`}>
        {hidden}
        <button class="go" type="submit">
          Approve
        </button>
      </form>
    </section>
  )
}

const Outcome = (props: { readonly of: ApprovalSummary }) => {
  const { approval, decidedByEmail } = props.of
  return (
    <div class={`note ${NOTE_KIND[approval.state] ?? ""}`} role="status">
      <p>
        <strong>{STATE_WORDS[approval.state]}</strong>
        {decidedByEmail === null || approval.decidedAtMillis === null ? null : (
          <>
            {" by "}
            {decidedByEmail}, <Moment atMillis={approval.decidedAtMillis} />
          </>
        )}
        . {STATE_MEANING[approval.state]}
      </p>
    </div>
  )
}

export const approvalPage = (options: {
  readonly viewer: Viewer
  readonly of: ApprovalSummary
  /** The previous request for the same thing. */
  readonly earlier: ApprovalSummary | null
  /** A search among the leads, and its results. */
  readonly search: PeopleFound | null
  readonly nowMillis: number
  readonly notice?: Notice
}): Reply => {
  const { approval, keyName } = options.of
  const isPending = ApprovalMachine.is.undecided(approval.state) && approval.expiresAtMillis > options.nowMillis
  const isOver = ApprovalMachine.is.undecided(approval.state) && !isPending
  const title = titleOf(approval.snapshot)
  return consolePage({
    status: options.notice === undefined ? 200 : 409,
    title,
    viewer: options.viewer,
    at: "approvals",
    isNarrow: true,
    children: (
      <>
        <h1>{title}</h1>
        <p class="lead">
          Requested by the key “{keyName}”, <Moment atMillis={approval.createdAtMillis} />.{" "}
          {isPending ? (
            <>
              {timeLeft(approval.expiresAtMillis - options.nowMillis)} left, until{" "}
              <Moment atMillis={approval.expiresAtMillis} />.
            </>
          ) : null}
        </p>
        {options.notice === undefined ? null : (
          <div class="note" role="alert">
            <p>{NOTICES[options.notice]}</p>
          </div>
        )}
        {isPending ? null : (
          <Outcome of={isOver ? { ...options.of, approval: { ...approval, state: "expired" } } : options.of} />
        )}
        <ApprovalChanges earlier={options.earlier} now={options.of} />
        <SnapshotView of={approval.snapshot} />
        {"campaign_id" in approval.snapshot ? (
          <PeopleSearch path={`/console/approvals/${approval.approvalId}`} search={options.search} />
        ) : null}
        <p class="soft request">Request {approval.requestId}</p>
        {isPending ? <Decide of={approval} csrf={options.viewer.csrf} /> : null}
      </>
    )
  })
}
