import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { isSmall } from "@outbound/domain/control/risks/queue.js"
import type { ApprovalSummary } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { ChannelStanding } from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import type { Reply } from "../http/Reply.js"
import { count, Moment, timeLeft } from "../web/Words.js"
import { ChannelTrouble } from "./notices/ToldSection.js"
import { Cards, LinkLine, Pager } from "./Parts.js"
import { QUEUE_PATH } from "./approvals/sitting.js"
import { Marked } from "./approvals/Marked.js"
import type { WaitingApproval } from "./approvals/waiting.js"
import { askerWords, gistOf, STATE_WORDS, titleOf } from "./ApprovalWords.js"
import { titledPage } from "./Shell.js"
import type { Viewer } from "./Viewer.js"

const WAITING_WORDS = { true: "Waiting for others", false: "Waiting for you" } as const

export const ApprovalItem = (props: {
  readonly of: ApprovalSummary
  readonly isForOthers?: boolean
  readonly nowMillis: number
}) => {
  const { approval, decidedByEmail } = props.of
  const isPending = ApprovalMachine.is.undecided(approval.state)
  const words = isPending ? WAITING_WORDS[`${props.isForOthers === true}`] : STATE_WORDS[approval.state]
  return (
    <li class="card">
      <a href={`/console/approvals/${approval.approvalId}`}>
        <Marked text={titleOf(approval.snapshot)} />
      </a>
      <span class={`badge ${approval.state}`}>{words}</span>
      <p>
        <Marked text={gistOf(approval.snapshot)} />
      </p>
      <p class="soft">
        Requested by {askerWords(props.of)}, <Moment atMillis={approval.createdAtMillis} />
        {isPending ? ` · ${timeLeft(approval.expiresAtMillis - props.nowMillis)} left` : ""}
        {decidedByEmail === null || approval.decidedAtMillis === null ? null : (
          <>
            {" · decided by "}
            {decidedByEmail}, <Moment atMillis={approval.decidedAtMillis} />
          </>
        )}
      </p>
    </li>
  )
}

/** The way to a sitting, where several small requests wait for the viewer. */
export const OneAfterAnother = (props: { readonly of: ReadonlyArray<WaitingApproval> }) => {
  const small = props.of.filter(({ isForOthers, of }) => !isForOthers && isSmall(of.approval.snapshot)).length
  return small < 2 ? null : (
    <LinkLine to={QUEUE_PATH} text={`Decide ${count(small, "small request")} one after another`} />
  )
}

export const approvalsPage = (options: {
  readonly viewer: Viewer
  /** Null on later pages, which show decided requests only. */
  readonly pending: ReadonlyArray<WaitingApproval> | null
  readonly channels: ReadonlyArray<ChannelStanding>
  readonly shown: ReadonlyArray<ApprovalSummary>
  readonly next: string | null
  readonly nowMillis: number
}): Reply =>
  titledPage(
    {
      title: "Approvals",
      viewer: options.viewer,
      at: "approvals",
      isLive: true,
      lead: "Agents ask here before they buy sending capacity or send any email."
    },
    <>
      <ChannelTrouble of={options.channels} />
      {options.pending === null ? null : (
        <>
          <h2>Waiting</h2>
          <OneAfterAnother of={options.pending} />
          <Cards
            of={options.pending}
            none="No request is waiting."
            each={({ isForOthers, of }) => (
              <ApprovalItem of={of} isForOthers={isForOthers} nowMillis={options.nowMillis} />
            )}
          />
        </>
      )}
      {options.shown.length === 0 ? null : (
        <>
          <h2>Decided</h2>
          <Cards of={options.shown} each={(of) => <ApprovalItem of={of} nowMillis={options.nowMillis} />} />
        </>
      )}
      <Pager path="/console/approvals" of={{ isLater: options.pending === null, next: options.next }} />
    </>
  )
