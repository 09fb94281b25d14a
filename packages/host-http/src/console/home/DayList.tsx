import type { DayItem } from "@outbound/domain/control/today/dayList.js"
import type { Triage } from "@outbound/domain/outreach/replies/triage.js"
import type { ReplySnapshot } from "@outbound/domain/calls/approvals/Snapshot.js"
import { count, grouped, timeLeft } from "../../web/Words.js"
import { ApprovalItem, OneAfterAnother } from "../ApprovalsPage.js"
import { titleOf } from "../ApprovalWords.js"
import { EditInstead } from "../approvals/Decide.js"
import { Marked, spelledOut } from "../approvals/Marked.js"
import type { WaitingApproval } from "../approvals/waiting.js"
import { Badge, fitted, Form, LinkLine, Section } from "../Parts.js"
import { ReferralItem, referralsOf } from "../referrals/ReferralsSection.js"
import type { Listed } from "../replies/ReplyItem.js"

/** Most items that the page shows. */
const SHOWN_MAX = 20

const WHAT_IT_NEEDS: Readonly<Record<Exclude<Triage, "later" | "closed">, string>> = {
  meeting: "wants to meet",
  question: "asks a question",
  answer: "is to be answered"
}

export type Item = DayItem<WaitingApproval & { readonly isInPlace: boolean }, Listed>

const Due = (props: { readonly atMillis: number; readonly nowMillis: number }) => {
  const left = props.atMillis - props.nowMillis
  return left > 0 ? <Badge tone="wait">{timeLeft(left)} left</Badge> : <Badge tone="bad">{timeLeft(-left)} late</Badge>
}

/** A short answer, shown whole with what it answers, and both decisions. */
const InPlace = (props: {
  readonly of: WaitingApproval["of"]
  readonly snapshot: typeof ReplySnapshot.Type
  readonly nowMillis: number
}) => {
  const { approval } = props.of
  const { answers, body_text, from_email, subject, to_email } = props.snapshot
  const path = `/console/approvals/${approval.approvalId}`
  const Carried = () => (
    <>
      <input type="hidden" name="digest" value={approval.snapshotDigest} />
      <input type="hidden" name="after" value="home" />
    </>
  )
  return (
    <li class="card day in-place">
      <a href={path}>
        <Marked text={titleOf(props.snapshot)} />
      </a>
      <Due atMillis={approval.expiresAtMillis} nowMillis={props.nowMillis} />
      <p class="soft">
        From <Marked text={from_email} />, “<Marked text={subject} />”
      </p>
      <details class="plain">
        <summary>What it answers</summary>
        <div class="mail">
          <Marked text={fitted(answers.text, 6_000).text} />
        </div>
      </details>
      <div class="mail">
        <Marked text={body_text} />
      </div>
      <div class="actions">
        <Form action={`${path}/decline`} button="Decline" tone="stop" about={`the answer to ${spelledOut(to_email)}`}>
          <Carried />
        </Form>
        <EditInstead of={approval} after={{ to: "home" }} />
        <Form action={`${path}/approve`} button="Approve" tone="go" about={`the answer to ${spelledOut(to_email)}`}>
          <Carried />
        </Form>
      </div>
    </li>
  )
}

const ToAnswer = (props: {
  readonly of: Listed
  readonly triage: Triage
  readonly dueMillis: number
  readonly campaignName: string
  readonly nowMillis: number
}) => {
  const { of, triage } = props
  const { fromEmail, replyId, snippet, subject } = of.reply
  return (
    <li class="card day">
      <a href={`/console/replies/${replyId}`}>
        <Marked text={fromEmail} /> {WHAT_IT_NEEDS[triage as keyof typeof WHAT_IT_NEEDS]}
      </a>
      <Due atMillis={props.dueMillis} nowMillis={props.nowMillis} />
      <p>
        <strong>
          <Marked text={fitted(subject, 300).text} />
        </strong>{" "}
        <Marked text={fitted(snippet, 1_200).text} />
      </p>
      <div class="soft row">
        <span>
          <Marked text={props.campaignName} />
          {of.ownerEmail === null ? "" : ` · ${of.ownerEmail}`}
        </span>
        <Form action="/console/replies/bulk" button="Mark as handled" about={`the reply from ${spelledOut(fromEmail)}`}>
          <input type="hidden" name="reply" value={replyId} />
          <input type="hidden" name="what" value="handle" />
          <input type="hidden" name="after" value="home" />
        </Form>
      </div>
    </li>
  )
}

const Line = (props: {
  readonly of: Item
  readonly names: ReadonlyMap<string, string>
  readonly nowMillis: number
}) => {
  const { names, nowMillis, of } = props
  switch (of.kind) {
    case "approval": {
      const { isForOthers, isInPlace, of: summary } = of.of
      const { snapshot } = summary.approval
      return isInPlace && !isForOthers && snapshot.kind === "reply" ? (
        <InPlace of={summary} snapshot={snapshot} nowMillis={nowMillis} />
      ) : (
        <ApprovalItem of={summary} isForOthers={isForOthers} nowMillis={nowMillis} />
      )
    }
    case "reply": {
      const campaignName = names.get(of.of.reply.campaignId) ?? "Its campaign"
      return <ToAnswer of={of.of} {...{ triage: of.triage, dueMillis: of.dueMillis, campaignName, nowMillis }} />
    }
    case "referral":
      return (
        <>
          {referralsOf([of.of.reply], names).map((referral) => (
            <ReferralItem key={referral.replyId} of={referral} />
          ))}
        </>
      )
  }
}

/** What needs a person, soonest deadline first; what is small is decided here. */
export const DayListSection = (props: {
  readonly of: ReadonlyArray<Item>
  readonly waiting: ReadonlyArray<WaitingApproval>
  readonly names: ReadonlyMap<string, string>
  readonly changeRequestsOpen: number
  readonly nowMillis: number
}) => {
  const { changeRequestsOpen, names, nowMillis, of, waiting } = props
  const more = of.length - SHOWN_MAX
  return (
    <Section id="waiting" title={of.length === 0 ? "Needs you" : `Needs you (${grouped(of.length)})`}>
      {of.length === 0 ? (
        <p class="card soft">Nothing waits for you.</p>
      ) : (
        <>
          <OneAfterAnother of={waiting} />
          <ul class="list">
            {of.slice(0, SHOWN_MAX).map((item) => (
              <Line
                key={item.kind === "approval" ? item.of.of.approval.approvalId : item.of.reply.replyId}
                of={item}
                names={names}
                nowMillis={nowMillis}
              />
            ))}
          </ul>
        </>
      )}
      {more <= 0 ? null : (
        <p>
          {grouped(more)} more: <a href="/console/approvals">requests</a> and <a href="/console/replies">replies</a>.
        </p>
      )}
      {changeRequestsOpen === 0 ? null : (
        <LinkLine to="/console/keys" text={`${count(changeRequestsOpen, "change")} that a key asks for`} />
      )}
    </Section>
  )
}
