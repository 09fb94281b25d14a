import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { risksOf } from "@outbound/domain/control/risks/risks.js"
import { allows } from "@outbound/domain/kernel/machine.js"
import type { ComponentChildren } from "preact"
import type { Reply } from "../http/Reply.js"
import { Moment, timeLeft } from "../web/Words.js"
import { peopleChanged } from "./ApprovalChanges.js"
import { Decide } from "./approvals/Decide.js"
import { Glance } from "./approvals/Glance.js"
import { Marked, spelledOut } from "./approvals/Marked.js"
import { SittingNote } from "./approvals/SittingNote.js"
import { Outcome } from "./approvals/Outcome.js"
import type { ShownApproval } from "./approvals/Part.js"
import { PARTS } from "./approvalParts.js"
import { mayApprove, VotesNote } from "./approvals/WinnerRuleSection.js"
import { askerWords, titleOf } from "./ApprovalWords.js"
import { Form } from "./Parts.js"
import { titledPage } from "./Shell.js"
import { changesBetween } from "./snapshotChanges.js"

/** Why a decision was not recorded. */
export type Notice = "closed" | "digest_mismatch" | "same_person" | "excluded" | "unattended"

const NOTICES: Readonly<Record<Notice, string>> = {
  closed: "Your decision was not recorded: this request was already closed. Its outcome is below.",
  digest_mismatch:
    "Your decision was not recorded: the request is not the one you were shown. Review it and decide again.",
  same_person: "Nothing was changed: you have already approved. Another person has to approve as well.",
  unattended:
    "Nothing was approved yet: this workspace asks you to look at some of the messages before you approve so many. See “Look before you approve”.",
  excluded: "Nothing was changed: you made the key that asks, so others have to approve."
}

/** What can still be done with what was approved and not used. */
const Unused = (props: { readonly of: ShownApproval }) => {
  const { of, standing, viewer } = props.of
  const { approvalId, askedByUserId } = of.approval
  const at = `/console/approvals/${approvalId}`
  return (
    <>
      {askedByUserId === null ? null : (
        <Form class="note" action={`${at}/finish`} button="Do it now">
          <p>This is approved, and was not done yet.</p>
        </Form>
      )}
      {viewer.signedIn.user.userId === standing.excludedUserId ? null : (
        <Form class="note" action={`${at}/withdraw`} button="Withdraw the approval">
          <p>It was not used yet. Withdrawn, it can’t be used any more; the agent has to ask again.</p>
        </Form>
      )}
    </>
  )
}

/** They have to look at messages first. */
const isUnattended = ({ attention = null }: ShownApproval["facts"]): boolean =>
  attention !== null && attention.isAsked && attention.own?.found.isDone !== true

const changesIn = ({ content, earlier, of }: ShownApproval): number | null => {
  const changes = earlier === null ? null : changesBetween(earlier.approval.snapshot, of.approval.snapshot)
  if (changes === null) return null
  return changes.length + (peopleChanged(content?.difference ?? null) === null ? 0 : 1)
}

/** The card, with the decision always in sight, and beside it everything that the decision covers. */
export const approvalPage = (
  given: Omit<ShownApproval, "isPending"> & { readonly notice?: Notice; readonly said?: ComponentChildren }
): Reply => {
  const { facts, nowMillis, notice, of, said, sitting, standing, viewer } = given
  const { approval } = of
  const isUndecided = ApprovalMachine.is.undecided(approval.state)
  const isPending = isUndecided && approval.expiresAtMillis > nowMillis
  const isOver = isUndecided && !isPending
  const shown: ShownApproval = { ...given, isPending }
  const title = titleOf(approval.snapshot)
  const { userId } = viewer.signedIn.user
  return titledPage(
    {
      status: notice === undefined ? 200 : 409,
      title: spelledOut(title),
      viewer,
      at: "approvals",
      isWide: true,
      said,
      heading: <Marked text={title} />,
      lead: (
        <>
          Requested by {askerWords(of)}, <Moment atMillis={approval.createdAtMillis} />.{" "}
          {isPending ? (
            <>
              {timeLeft(approval.expiresAtMillis - nowMillis)} left, until{" "}
              <Moment atMillis={approval.expiresAtMillis} />.
            </>
          ) : null}
        </>
      )
    },
    <>
      {sitting === undefined ? null : <SittingNote of={sitting} />}
      {notice === undefined ? null : (
        <div class="note" role="alert">
          <p>{NOTICES[notice]}</p>
        </div>
      )}
      {isPending ? null : <Outcome of={isOver ? { ...of, approval: { ...approval, state: "expired" } } : of} />}
      {allows(ApprovalMachine, approval.state, "use") && !isOver ? <Unused of={shown} /> : null}
      <VotesNote of={standing} isPending={isPending} userId={userId} />
      <div class="desk">
        <div class="deciding">
          <Glance
            of={approval.snapshot}
            available={facts.available}
            forecast={facts.forecast}
            changes={changesIn(shown)}
            risks={risksOf(facts)}
          />
          {isPending ? (
            <Decide
              of={approval}
              mayApprove={mayApprove(standing, userId)}
              isUnattended={isUnattended(facts)}
              sitting={sitting}
            />
          ) : null}
        </div>
        <div class="parts">
          {PARTS.map((Shown, index) => (
            <Shown key={index} {...shown} />
          ))}
          <p class="soft request">Request {approval.requestId}</p>
        </div>
      </div>
    </>
  )
}
