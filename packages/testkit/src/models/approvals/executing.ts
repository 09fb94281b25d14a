import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { allows } from "@outbound/domain/kernel/machine.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { OperationMachine } from "@outbound/domain/outreach/operations/OperationMachine.js"
import { type Config, isSuspended, next, type Steps, usableMailboxes, withApproval, withHost } from "./protocol.js"
import { type Approval, has, IDLE, type Mask, type Person, type Purchase, type State, PURCHASES_PAID } from "./State.js"

/** Which approval a confirming host is about: those of the campaign from 1, the purchase is 0. */
const PURCHASE = 0

const isUsable = (approval: Pick<Approval, "state" | "isOverdue">, { fault }: Config): boolean =>
  allows(ApprovalMachine, approval.state, "use") && (!approval.isOverdue || fault === "expiry_is_not_checked")

/** Whether the campaign is as it was shown: the same recipients and text, and no other mailbox. */
const isAsShown = (state: State, approval: Approval, { fault }: Config): boolean => {
  const hasSameContent = approval.version === state.version && approval.text === state.text
  const hasOtherMailbox = (usableMailboxes(state) & ~approval.mailboxes) !== 0
  return (
    (hasSameContent || fault === "recipients_are_not_bound") &&
    (!hasOtherMailbox || fault === "mailboxes_are_not_bound") &&
    usableMailboxes(state) !== 0
  )
}

const isReady = (state: State, approval: Approval, { fault }: Config): boolean => {
  if (isSuspended(state)) return false
  if (state.pauseReason === "killed" && fault !== "killed_campaign_relaunches") return false
  return allows(CampaignMachine, state.campaign, approval.verb === "launch" ? "launch" : "resume")
}

/** The mailbox of the person, from 1: people are dealt over the mailboxes in turn. */
const dealt = (mailboxes: Mask, index: number): number => {
  const list = [0, 1].filter((mailbox) => has(mailboxes, mailbox))
  return (list[index % list.length] as number) + 1
}

/** Covers the person, unless they may not be emailed any more. */
const covered = (person: Person, approvalNumber: number, mailbox: number): Person => {
  if (person.lead === "absent") return person
  if (person.isSuppressed) return { ...person, lead: next(LeadMachine, person.lead, "remove") }
  const isFirst = person.stepsSent === 0
  return {
    ...person,
    lead: next(LeadMachine, person.lead, "cover"),
    coveredBy: approvalNumber,
    mailbox: isFirst ? mailbox : person.mailbox
  }
}

const launched = (state: State, of: number, approval: Approval, { fault }: Config): State => {
  const mailboxes = usableMailboxes(state)
  return {
    ...state,
    campaign: next(CampaignMachine, state.campaign, "launch"),
    pauseReason: "none",
    bound: state.bound === 0 && fault !== "mailboxes_are_not_bound" ? approval.mailboxes : state.bound | mailboxes,
    people: state.people.map((person, index) =>
      person.lead !== "absent" && LeadMachine.is.open(person.lead)
        ? covered(person, of + 1, dealt(mailboxes, index))
        : person
    )
  }
}

const extended = (state: State, of: number, approval: Approval): State => {
  const mailboxes = usableMailboxes(state)
  return {
    ...state,
    campaign: next(CampaignMachine, state.campaign, "resume"),
    pauseReason: "none",
    version: state.version + 1,
    people: state.people.map((person, index) =>
      has(approval.people, index) && person.lead === "absent" && !person.isSuppressed
        ? covered({ ...person, lead: LeadMachine.initial }, of + 1, dealt(mailboxes, index))
        : person
    )
  }
}

/** The action's own transaction: it locks, checks everything again, acts, and spends the approval. */
const executed = (state: State, host: number, of: number, config: Config): State | null => {
  const approval = state.approvals[of] as Approval
  const trusts = config.fault === "confirm_trusts_its_first_look"
  if (!trusts && !isUsable(approval, config)) return null
  if (!isReady(state, approval, config) || !isAsShown(state, approval, config)) return null
  const acted = approval.verb === "launch" ? launched(state, of, approval, config) : extended(state, of, approval)
  const used = withApproval(acted, of, {
    state: trusts ? "used" : next(ApprovalMachine, approval.state, "use"),
    executions: approval.executions + 1
  })
  return withHost(used, host, IDLE)
}

/** Whether the balance pays for one more purchase beside what is reserved. */
const isAffordable = ({ purchase, reserved }: State): boolean =>
  PURCHASES_PAID - (purchase?.charges ?? 0) + (purchase?.refunds ?? 0) > reserved

const bought = (state: State, host: number, config: Config): State | null => {
  const purchase = state.purchase as Purchase
  const trusts = config.fault === "confirm_trusts_its_first_look"
  if (isSuspended(state) || (!trusts && !isUsable(purchase, config))) return null
  const now: Purchase = {
    ...purchase,
    state: trusts ? "used" : next(ApprovalMachine, purchase.state, "use"),
    executions: purchase.executions + 1,
    charges: purchase.charges + 1,
    operation: OperationMachine.initial
  }
  return withHost({ ...state, purchase: now, reserved: state.reserved - 1 }, host, IDLE)
}

/** What hosts do with approved calls. A call reads without a lock, and then acts under one; in between it may be late. */
export const executingSteps: Steps = (state, config, tell) => {
  state.hosts.forEach((one, host) => {
    if (one.phase === "idle") {
      state.approvals.forEach((approval, of) => {
        if (!isUsable(approval, config) || !isReady(state, approval, config)) return
        tell({ name: "confirm", host, of }, withHost(state, host, { ...IDLE, phase: "confirming", of: of + 1 }))
      })
      const { purchase } = state
      if (purchase !== null && isUsable(purchase, config) && !isSuspended(state) && isAffordable(state)) {
        const reserving = withHost(state, host, { ...IDLE, phase: "confirming", of: PURCHASE })
        tell({ name: "confirm_purchase", host }, { ...reserving, reserved: state.reserved + 1 })
      }
      return
    }
    if (one.phase !== "confirming") return
    const holdsCredits = one.of === PURCHASE && !one.isLate
    const ended = withHost(state, host, IDLE)
    // A settlement is fenced by its attempt, so a late host's transaction fails as a whole.
    if (!one.isLate || config.fault === "late_host_settles") {
      if (one.of === PURCHASE) {
        // Refused: the call ends, and its reservation is released.
        const afterwards = bought(state, host, config) ?? { ...ended, reserved: state.reserved - 1 }
        tell({ name: "execute_purchase", host }, afterwards)
      } else tell({ name: "execute", host, of: one.of - 1 }, executed(state, host, one.of - 1, config) ?? ended)
    }
    if (!one.isLate) {
      const late = withHost(state, host, { ...one, isLate: true })
      tell({ name: "host_late", host }, holdsCredits ? { ...late, orphans: state.orphans + 1 } : late)
    }
    tell({ name: "crash", host }, holdsCredits ? { ...ended, orphans: state.orphans + 1 } : ended)
  })
  if (state.orphans > 0) {
    tell({ name: "release_call" }, { ...state, orphans: state.orphans - 1, reserved: state.reserved - 1 })
  }
  const { purchase } = state
  if (
    purchase === null ||
    !allows(OperationMachine, purchase.operation === "none" ? "failed" : purchase.operation, "begin")
  )
    return
  if (purchase.operation !== "queued" && purchase.operation !== "running") return
  const begun = next(OperationMachine, purchase.operation, "begin")
  if (begun !== purchase.operation) {
    tell({ name: "provision" }, { ...state, purchase: { ...purchase, operation: begun } })
    return
  }
  const delivered = { ...purchase, operation: next(OperationMachine, begun, "succeed") }
  const joins = config.fault === "new_mailbox_joins_campaigns" && CampaignMachine.is.launched(state.campaign)
  tell(
    { name: "provision" },
    {
      ...state,
      purchase: delivered,
      mailboxes: [state.mailboxes[0] ?? "absent", "active"],
      bound: joins ? state.bound | 2 : state.bound,
      people: joins
        ? state.people.map((person) => (person.stepsSent === 0 ? { ...person, mailbox: 2 } : person))
        : state.people
    }
  )
  const failed = { ...purchase, operation: next(OperationMachine, begun, "fail"), refunds: purchase.refunds + 1 }
  tell({ name: "provision_fails" }, { ...state, purchase: failed })
}
