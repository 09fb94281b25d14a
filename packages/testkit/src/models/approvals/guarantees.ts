import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import type { Action, Config } from "./protocol.js"
import { type Approval, has, type Host, type Person, sizeOf, type State, PURCHASES_PAID } from "./State.js"

/** The first guarantee that the execution of an approval breaks. */
const ofExecution = (approval: Approval, isNewest: boolean, config: Config): string | null => {
  if (approval.executions > 0) return "a token executes at most once"
  if (approval.wasDeclined) return "a declined approval never executes"
  if (sizeOf(approval.approvers) < config.bounds.approversNeeded)
    return "nothing executes without enough people's approval"
  if (ApprovalMachine.is.expired(approval.state) || approval.isOverdue) return "an expired approval never executes"
  if (ApprovalMachine.is.superseded(approval.state) || !isNewest) return "a superseded approval never executes"
  if (approval.isBeforeKill) return "an approval from before a kill never executes"
  return null
}

/** The first guarantee that a message breaks which leaves now. */
const ofDelivery = (before: State, person: Person, of: number): string | null => {
  const approval = before.approvals[person.coveredBy - 1]
  if (before.suspension === "confirmed") return "nothing leaves after a kill confirmed that nothing does"
  if (approval === undefined || approval.executions === 0) return "nothing is sent without an executed approval"
  if (!has(approval.people, of)) return "nothing is sent to a person who was not shown"
  if (approval.text !== before.text) return "no text is sent that was not shown"
  const shown = before.approvals.reduce(
    (mask, one) => (one.executions > 0 ? mask | one.mailboxes : mask),
    before.admitted
  )
  if (!has(shown, person.mailbox - 1))
    return "nothing is sent from a mailbox that was neither shown nor added by an owner"
  if (person.delivered > 0) return "no message is sent twice"
  return null
}

const ofClaim = (before: State, person: Person): string | null => {
  if (before.suspension !== "none") return "nothing is claimed while sending is suspended"
  if (before.wasKilled) return "a killed campaign never sends again"
  if (person.isSuppressed) return "nothing is claimed for a suppressed person"
  return before.campaign === "active" ? null : "only an active campaign claims"
}

const ofMoney = (before: State, after: State): string | null => {
  const { purchase } = after
  const holding = after.hosts.filter(({ isLate, of, phase }) => phase === "confirming" && of === 0 && !isLate).length
  if (after.reserved !== holding + after.orphans) return "what is reserved is held by one call, and released once"
  if (purchase === null) return null
  if (purchase.charges !== purchase.executions) return "each execution is charged once"
  if (purchase.charges > 1) return "a purchase is charged at most once"
  if (purchase.charges - purchase.refunds + after.reserved > PURCHASES_PAID) return "no more is spent than the balance"
  if (purchase.refunds > purchase.charges) return "no more is refunded than was charged"
  return before.purchase?.executions === 1 && purchase.executions === 2 ? "a token executes at most once" : null
}

/** What is said here is what is proven. It looks at what happened, and shares no rule with the protocol. */
export const violationOf = (before: State, action: Action, after: State, config: Config): string | null => {
  const money = ofMoney(before, after)
  if (money !== null) return money
  const of = action.of ?? 0
  switch (action.name) {
    case "execute": {
      const [was, is] = [before.approvals[of] as Approval, after.approvals[of] as Approval]
      if (is.executions === was.executions) return null
      return ofExecution(was, of === before.approvals.length - 1, config)
    }
    case "execute_purchase": {
      const [was, is] = [before.purchase, after.purchase]
      if (was === null || is === null || is.executions === was.executions) return null
      if ((before.hosts[action.host ?? 0] as Host).isLate) return "a late host spends nothing"
      return ofExecution({ ...was, verb: "launch", version: 0, text: 0, people: 0, mailboxes: 0 }, true, {
        ...config,
        bounds: { ...config.bounds, approversNeeded: 1 }
      })
    }
    case "claim":
      return ofClaim(before, before.people[of] as Person)
    case "hand_over":
      return action.left === true ? ofDelivery(before, before.people[of] as Person, of) : null
    default:
      return null
  }
}
