import { render, renderSubject } from "@outbound/domain/kernel/sequences/template.js"
import type {
  AnswerLine,
  Conversation,
  OurAnswerLine,
  SentLine
} from "@outbound/domain/control/console/Conversation.js"
import { contentFlags } from "@outbound/domain/outreach/meaning/contentFlags.js"
import type { Member } from "@outbound/domain/control/users/UserStore.js"
import type { Handling, ReplyWithLead } from "@outbound/domain/outreach/replies/ReplyStore.js"
import type { SavedAnswer } from "@outbound/domain/outreach/replies/SavedAnswerStore.js"
import { READ_CHARS_MAX } from "@outbound/domain/outreach/meaning/Classification.js"
import { understand } from "@outbound/domain/outreach/meaning/understood.js"
import type { Reply } from "../../http/Reply.js"
import { Moment } from "../../web/Words.js"
import { INTEREST_WORDS, LEAD_WORDS } from "../campaigns/campaignWords.js"
import { Marked, spelledOut } from "../approvals/Marked.js"
import { Facts, fitted, Form, LinkLine, Note, Select } from "../Parts.js"
import { consolePage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { type Referral, ReferralsSection } from "../referrals/ReferralsSection.js"
import { AnswerSection, type Edited, type Unsent } from "./AnswerSection.js"
import { type Done, DoneNote } from "./doneNote.js"
import { ClassificationBadge, FLAG_WORDS, INTENT_WORDS } from "./ReplyItem.js"
import type { Sorted } from "./Triage.js"
import { INTEREST_STATUSES, type InterestStatus } from "@outbound/domain/kernel/sequences/Sequence.js"

/** Who takes care of a reply, and whether anything is left to do. */
const HandlingSection = (props: {
  readonly replyId: string
  readonly of: Handling
  readonly members: ReadonlyArray<Member>
}) => {
  const { members, of, replyId } = props
  const isHandled = of.handledAtMillis !== null
  return (
    <section class="card handling" aria-label="Who takes care of it">
      <Form action={`/console/replies/${replyId}/handling`} button={isHandled ? "Reopen" : "Mark as handled"}>
        <input type="hidden" name="handled" value={isHandled ? "no" : "yes"} />
        <p>
          {of.handledAtMillis === null ? (
            "Nobody has handled this reply."
          ) : (
            <>
              Handled, <Moment atMillis={of.handledAtMillis} />.
            </>
          )}
        </p>
      </Form>
      <Form action={`/console/replies/${replyId}/handling`} button="Save owner">
        <Select
          label="Owner"
          name="owner"
          value={of.ownerUserId ?? ""}
          options={[["", "Nobody"], ...members.map(({ email, userId }) => [userId, email] as const)]}
        />
      </Form>
    </section>
  )
}

/** Whether what was done just now is still so. */
const standsOf = (done: Done | null, handling: Handling, status: InterestStatus | null): boolean => {
  switch (done?.what) {
    case "handled":
      return handling.handledAtMillis !== null
    case "reopened":
      return handling.handledAtMillis === null
    case "owner":
      return done.was !== handling.ownerUserId
    case "status":
      return done.was !== status && status !== "not_interested"
    default:
      return false
  }
}

/** The most bytes shown of the reply, and of all other messages of its thread. */
const REPLY_BYTES_MAX = 30_000
const OTHERS_BYTES_MAX = 45_000

const Ours = (props: { readonly of: SentLine; readonly in: Conversation; readonly bytesMax: number }) => {
  const { campaign, lead } = props.in
  const step = campaign.sequence[props.of.stepIndex]
  const body = fitted(render(step?.body ?? "", lead), props.bytesMax)
  const subject = step?.subject ?? null
  return (
    <article class="card step ours">
      <header>
        <h3>{subject === null ? "In the same thread" : <Marked text={renderSubject(subject, lead)} />}</h3>
        <span class="soft">
          Sent from {props.of.fromAddress}, <Moment atMillis={props.of.sentAtMillis} />
        </span>
      </header>
      <div class="mail">
        <Marked text={body.text} />
        {body.isCut ? "…" : ""}
      </div>
    </article>
  )
}

const ANSWER_STATE: Readonly<Record<OurAnswerLine["state"], string>> = {
  pending: "is being sent",
  sent: "was sent",
  failed: "could not be sent",
  unknown: "may have been sent; the provider has not confirmed it"
}

const OurAnswer = (props: { readonly of: OurAnswerLine; readonly bytesMax: number }) => {
  const { atMillis, fromEmail, isCut, state, subject, text } = props.of
  const body = fitted(text, props.bytesMax)
  return (
    <article class="card step ours">
      <header>
        <h3>
          <Marked text={fitted(subject, 1_000).text} />
        </h3>
        <span class="soft">
          Reply from {fromEmail} {ANSWER_STATE[state]}, <Moment atMillis={atMillis} />
        </span>
      </header>
      <div class="mail">
        <Marked text={body.text} />
        {isCut || body.isCut ? "…" : ""}
      </div>
    </article>
  )
}

interface Theirs {
  readonly replyId: string
  readonly fromEmail: string
  readonly subject: string
  readonly text: string
  readonly html?: string | null
  readonly isCut: boolean
  readonly classification: AnswerLine["classification"]
  readonly receivedAtMillis: number
}

const Their = (props: { readonly of: Theirs; readonly isThis: boolean; readonly bytesMax: number }) => {
  const { classification, fromEmail, isCut, receivedAtMillis, replyId, subject, text } = props.of
  const body = fitted(text, props.bytesMax)
  const more = isCut || body.isCut
  return (
    <article
      class={`card step theirs ${props.isThis ? "this" : ""}`}
      aria-label={`Message from ${spelledOut(fromEmail)}`}
    >
      <header>
        <h3>{subject === "" ? "(no subject)" : <Marked text={fitted(subject, 1_000).text} />}</h3>
        <span class="soft">
          From <Marked text={fromEmail} />, <Moment atMillis={receivedAtMillis} />{" "}
          <ClassificationBadge of={classification} />
        </span>
      </header>
      <p class="foreign">
        Written by somebody outside this service. Don’t trust links or instructions in it.
        {contentFlags(text.slice(0, READ_CHARS_MAX), props.of.html ?? null).map((flag) => ` ${FLAG_WORDS[flag]}`)}
      </p>
      <div class="mail">{body.text.trim() === "" ? "(no text)" : <Marked text={body.text} />}</div>
      {more || text.trim() === "" ? (
        <p class="rest">
          {more ? "This message is longer. " : ""}
          <a href={`/console/replies/${replyId}/text`}>Show the whole message as plain text</a>
        </p>
      ) : null}
    </article>
  )
}

/** Of a form that takes back the first status. */
const NO_STATUS = "none"

/** What became of the lead. */
const StatusSection = (props: { readonly replyId: string; readonly of: InterestStatus | null }) => (
  <Form class="card" action={`/console/replies/${props.replyId}/status`} button="Save status">
    <Select
      label="Status"
      name="status"
      value={props.of ?? NO_STATUS}
      options={[
        ...(props.of === null ? [[NO_STATUS, "Not set"] as const] : []),
        ...INTEREST_STATUSES.map((status) => [status, INTEREST_WORDS[status]] as const)
      ]}
    />
  </Form>
)

/** The replies beside this one, on a wide screen. */
const Others = (props: { readonly of: ReadonlyArray<Sorted>; readonly replyId: string }) => (
  <nav class="others" aria-label="Replies that wait">
    <LinkLine to="/console/replies" text="All replies" />
    <ul>
      {props.of.map(({ reply }) => (
        <li key={reply.replyId}>
          <a
            href={`/console/replies/${reply.replyId}`}
            aria-current={reply.replyId === props.replyId ? "page" : undefined}
          >
            <Marked text={reply.fromEmail} />
          </a>
          <ClassificationBadge of={reply.classification} />
          <span class="soft">
            <Marked text={fitted(reply.subject, 300).text} />
          </span>
        </li>
      ))}
    </ul>
  </nav>
)

/** A thread, newest first, with the form to answer below the reply. Messages from outside are shown as plain text. */
export const replyPage = (options: {
  readonly viewer: Viewer
  readonly of: ReplyWithLead
  readonly conversation: Conversation
  readonly handling: Handling
  readonly members: ReadonlyArray<Member>
  readonly referrals: ReadonlyArray<Referral>
  /** Replies that wait, what is to be done first. */
  readonly others: ReadonlyArray<Sorted>
  readonly done: Done | null
  readonly nowMillis: number
  /** Null: our answer was sent, or is on its way. */
  readonly formId: string | null
  readonly unsent?: Unsent
  readonly saved: ReadonlyArray<Pick<SavedAnswer, "savedAnswerId" | "title">>
  readonly edited?: Edited
}): Reply => {
  const { lead, reply } = options.of
  const { intent, referredEmail, returnsOn } = understand(reply)
  const { answers, campaign, ours, sent } = options.conversation
  const others = Math.max(1, answers.length + sent.length + ours.length - 1)
  const each = Math.floor(OTHERS_BYTES_MAX / others)
  const entries = [
    ...sent.map((of) => ({
      at: of.sentAtMillis,
      node: <Ours key={`step ${of.stepIndex}`} of={of} in={options.conversation} bytesMax={each} />
    })),
    ...ours.map((of) => ({ at: of.atMillis, node: <OurAnswer key={of.sentReplyId} of={of} bytesMax={each} /> })),
    ...answers
      .filter(({ replyId }) => replyId !== reply.replyId)
      .map((of) => ({
        at: of.receivedAtMillis,
        node: <Their key={of.replyId} of={of} isThis={false} bytesMax={each} />
      })),
    {
      at: reply.receivedAtMillis,
      node: (
        <Their
          key={reply.replyId}
          of={{ ...reply, text: reply.bodyText, html: reply.bodyHtml, isCut: reply.bodyTruncated }}
          isThis={true}
          bytesMax={REPLY_BYTES_MAX}
        />
      )
    }
  ].sort((a, b) => b.at - a.at)
  const upTo = entries.filter(({ at }) => at >= reply.receivedAtMillis)
  const before = entries.filter(({ at }) => at < reply.receivedAtMillis)
  const next =
    options.others.find((one) => one.triage !== "later" && one.reply.replyId !== reply.replyId)?.reply ?? null
  const name = [options.conversation.lead.firstName, options.conversation.lead.lastName].filter(Boolean).join(" ")
  return consolePage(
    {
      status: (options.unsent?.why ?? null) === null ? 200 : 409,
      title: `Reply from ${spelledOut(reply.fromEmail)}`,
      viewer: options.viewer,
      at: "replies",
      isWide: true
    },
    <div class="panes">
      <Others of={options.others} replyId={reply.replyId} />
      <div>
        <h1>
          <Marked text={name === "" ? reply.fromEmail : name} />
        </h1>
        <p class="lead">
          <Marked text={reply.fromEmail} />
          <Marked
            text={options.conversation.lead.companyName === null ? "" : ` · ${options.conversation.lead.companyName}`}
          />
        </p>
        <DoneNote
          of={options.done}
          path={`/console/replies/${reply.replyId}`}
          nowMillis={options.nowMillis}
          next={next}
          stands={standsOf(options.done, options.handling, lead.interestStatus)}
        />
        <HandlingSection replyId={reply.replyId} of={options.handling} members={options.members} />
        <ReferralsSection of={options.referrals} />
        <h2>Thread, newest first</h2>
        {upTo.map(({ node }) => node)}
        {options.formId !== null || options.unsent === undefined || options.unsent.why === null ? null : (
          <Note tone="bad" role="alert">
            {options.unsent.why}
          </Note>
        )}
        {options.formId === null ? null : (
          <AnswerSection
            of={reply}
            formId={options.formId}
            unsent={options.unsent}
            edited={options.edited}
            saved={options.saved}
          />
        )}
        {before.length === 0 ? null : <h2>Before</h2>}
        {before.map(({ node }) => node)}
      </div>
      <aside class="person" aria-label="The person">
        <StatusSection replyId={reply.replyId} of={lead.interestStatus} />
        <Facts
          of={[
            [
              "Campaign",
              <a href={`/console/campaigns/${campaign.campaignId}`}>
                <Marked text={campaign.name} />
              </a>
            ],
            ["We read it as", INTENT_WORDS[intent][0]],
            referredEmail === null ? null : ["Person named", <Marked text={referredEmail} />],
            returnsOn === null ? null : ["Back on", returnsOn],
            ["Lead state", LEAD_WORDS[lead.state]],
            ["Lead status", lead.interestStatus === null ? "Not set" : INTEREST_WORDS[lead.interestStatus]],
            [
              "More",
              <a href={`/console/trail?email=${encodeURIComponent(options.conversation.lead.email)}`}>
                Trail of this person
              </a>
            ]
          ]}
        />
      </aside>
    </div>
  )
}
