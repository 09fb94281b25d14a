import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { allows } from "@outbound/domain/kernel/machine.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import {
  cancelled,
  type Config,
  isOpen,
  isSuspended,
  next,
  masked,
  type Steps,
  usableMailboxes,
  withApproval,
  withPerson
} from "./protocol.js"
import { type Approval, bit, has, type Mask, type Person, sizeOf, type State } from "./State.js"

/** The people that a launch emails if nothing forbids it. */
const launchable = (state: State): Mask =>
  masked(state.people, ({ isSuppressed, lead }) => lead !== "absent" && LeadMachine.is.open(lead) && !isSuppressed)

/** An older approval of the same campaign ends, as expired if its time is over. */
const superseded = (approval: Approval, { fault }: Config): Approval => {
  if (!isOpen(approval) || (fault === "newer_does_not_supersede" && !approval.isOverdue)) return approval
  return { ...approval, state: next(ApprovalMachine, approval.state, approval.isOverdue ? "expire" : "supersede") }
}

const asked = (state: State, config: Config, shown: Pick<Approval, "verb" | "people" | "mailboxes">): State => ({
  ...state,
  approvals: [
    ...state.approvals.map((approval) => superseded(approval, config)),
    {
      ...shown,
      state: ApprovalMachine.initial,
      version: state.version,
      text: state.text,
      approvers: 0,
      isOverdue: false,
      executions: 0,
      isBeforeKill: false,
      wasDeclined: false
    }
  ]
})

const isKilled = (state: State, { fault }: Config): boolean =>
  state.pauseReason === "killed" && fault !== "killed_campaign_relaunches"

/** What an agent does: it drafts, and asks. */
export const agentSteps: Steps = (state, config, tell) => {
  const { bounds } = config
  const isDraft = state.campaign === CampaignMachine.initial
  const mailboxes = usableMailboxes(state)
  const mayAsk = !isSuspended(state) && state.approvals.length < bounds.approvals && !isKilled(state, config)
  if (mayAsk && mailboxes !== 0 && allows(CampaignMachine, state.campaign, "launch")) {
    tell({ name: "ask_launch" }, asked(state, config, { verb: "launch", people: launchable(state), mailboxes }))
  }
  state.people.forEach((person, of) => {
    if (person.lead !== "absent") return
    if (isDraft && !person.isSuppressed) {
      const added = withPerson(state, of, { lead: LeadMachine.initial })
      tell({ name: "add_to_draft", of }, { ...added, version: state.version + 1 })
    }
    if (!mayAsk || !CampaignMachine.is.launched(state.campaign)) return
    if (mailboxes === 0) return
    const shown = { verb: "extend", people: person.isSuppressed ? 0 : bit(of), mailboxes } as const
    const campaign = next(CampaignMachine, state.campaign, "extend")
    const pauses = campaign !== state.campaign
    const pauseReason = pauses || state.pauseReason === "none" ? "awaiting_approval" : state.pauseReason
    tell({ name: "ask_extend", of }, { ...asked(state, config, shown), campaign, pauseReason })
  })
  if (isDraft && state.text === 0) tell({ name: "edit_draft" }, { ...state, text: 1 })
  if (bounds.hasPurchase && state.purchase === null && !isSuspended(state)) {
    const purchase = {
      state: ApprovalMachine.initial,
      approvers: 0,
      isOverdue: false,
      isBeforeKill: false,
      wasDeclined: false,
      executions: 0,
      operation: "none",
      charges: 0,
      refunds: 0
    } as const
    tell({ name: "ask_purchase" }, { ...state, purchase })
  }
}

/** One more person approves. The approval changes its state with the last whose word is needed. */
const approvedBy = <A extends Pick<Approval, "state" | "approvers">>(
  approval: A,
  by: number,
  needed: number
): A | null => {
  if (!allows(ApprovalMachine, approval.state, "approve") || has(approval.approvers, by)) return null
  const approvers = approval.approvers | bit(by)
  if (sizeOf(approvers) < needed) return { ...approval, approvers }
  return { ...approval, approvers, state: next(ApprovalMachine, approval.state, "approve") }
}

/** What signed-in people do: they decide. Nobody decides what is overdue. */
export const approverSteps: Steps = (state, config, tell) => {
  const { bounds, fault } = config
  const needed = fault === "one_approver_is_enough" ? 1 : bounds.approversNeeded
  state.approvals.forEach((approval, of) => {
    if (approval.isOverdue) return
    for (let by = 0; by < bounds.approversNeeded; by += 1) {
      const isReopened = fault === "declined_can_be_approved" && approval.wasDeclined
      const approved = approvedBy(isReopened ? { ...approval, state: "pending" } : approval, by, needed)
      if (approved !== null) tell({ name: "approve", of, by }, withApproval(state, of, approved))
    }
    if (!approval.wasDeclined && allows(ApprovalMachine, approval.state, "decline")) {
      const declined = next(ApprovalMachine, approval.state, "decline")
      tell({ name: "decline", of }, withApproval(state, of, { state: declined, wasDeclined: true }))
    }
  })
  const { purchase } = state
  if (purchase === null || purchase.isOverdue) return
  const bought = approvedBy(purchase, 0, 1)
  if (bought !== null) tell({ name: "approve_purchase" }, { ...state, purchase: bought })
  if (purchase.state === ApprovalMachine.initial) {
    const declined = next(ApprovalMachine, purchase.state, "decline")
    tell({ name: "decline_purchase" }, { ...state, purchase: { ...purchase, state: declined, wasDeclined: true } })
  }
}

/** Time passes, and a sweep of any host marks what is over. */
export const timeSteps: Steps = (state, _config, tell) => {
  state.approvals.forEach((approval, of) => {
    if (!isOpen(approval)) return
    if (!approval.isOverdue) tell({ name: "overdue", of }, withApproval(state, of, { isOverdue: true }))
    else {
      const expired = next(ApprovalMachine, approval.state, "expire")
      tell({ name: "expire", of }, withApproval(state, of, { state: expired }))
    }
  })
  const { purchase } = state
  if (purchase === null || !isOpen(purchase)) return
  if (!purchase.isOverdue) tell({ name: "purchase_overdue" }, { ...state, purchase: { ...purchase, isOverdue: true } })
  else {
    const expired = next(ApprovalMachine, purchase.state, "expire")
    tell({ name: "expire_purchase" }, { ...state, purchase: { ...purchase, state: expired } })
  }
}

const killed = (state: State, { fault }: Config): State => {
  const isHit = CampaignMachine.is.running(state.campaign)
  const stops = isHit && fault !== "kill_spares_campaigns" && fault !== "kill_stops_nothing"
  const spares = fault === "kill_spares_approvals"
  return {
    ...state,
    suspension: "suspended",
    campaign: stops ? next(CampaignMachine, state.campaign, "stop") : state.campaign,
    pauseReason: stops ? "killed" : state.pauseReason,
    wasKilled: state.wasKilled || isHit,
    approvals: state.approvals.map((approval) => cancelled(approval, spares)),
    purchase: state.purchase === null ? null : cancelled(state.purchase, spares)
  }
}

/** A mailbox that an owner adds takes over people who were sent nothing, and about whom no host is busy. */
const movedTo = (person: Person, mailbox: number): Person =>
  person.coveredBy > 0 && person.stepsSent === 0 && person.message === "none" ? { ...person, mailbox } : person

/** What stops and restricts: kill and clear, pauses, mailboxes, people who want no more mail. */
export const stoppingSteps: Steps = (state, config, tell) => {
  if (state.suspension === "none") tell({ name: "kill" }, killed(state, config))
  else tell({ name: "clear" }, { ...state, suspension: "none" })
  if (state.suspension === "suspended") {
    const isLeaving = state.people.some(({ message }) => message === "claimed")
    tell({ name: "kill_answers" }, { ...state, suspension: isLeaving ? "unconfirmed" : "confirmed" })
  }
  if (CampaignMachine.is.running(state.campaign)) {
    tell({ name: "pause" }, { ...state, campaign: next(CampaignMachine, state.campaign, "stop"), pauseReason: "owner" })
  }
  state.mailboxes.forEach((mailbox, of) => {
    if (mailbox === "absent") return
    const change = (event: "pause" | "resume") => {
      const mailboxes = state.mailboxes.slice()
      mailboxes[of] = next(MailboxMachine, mailbox, event)
      return { ...state, mailboxes }
    }
    if (mailbox === "active") tell({ name: "pause_mailbox", of }, change("pause"))
    if (mailbox === "paused") tell({ name: "resume_mailbox", of }, change("resume"))
    if (mailbox === "active" && CampaignMachine.is.launched(state.campaign) && !has(state.bound, of)) {
      const mask = bit(of)
      const now = { ...state, bound: state.bound | mask, admitted: state.admitted | mask }
      tell({ name: "admit_mailbox", of }, { ...now, people: state.people.map((person) => movedTo(person, of + 1)) })
    }
  })
}
