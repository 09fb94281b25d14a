import { after, allows, type Machine } from "@outbound/domain/kernel/machine.js"
import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import type { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import type { OUTCOMES, Approval, Bounds, Host, Mask, Person, State } from "./State.js"

/** Something that happens: `host` does it, `of` names the person, approval or mailbox. */
export interface Action {
  readonly name:
    | "ask_launch"
    | "ask_extend"
    | "ask_purchase"
    | "add_to_draft"
    | "edit_draft"
    | "approve"
    | "approve_purchase"
    | "decline"
    | "decline_purchase"
    | "overdue"
    | "purchase_overdue"
    | "expire"
    | "expire_purchase"
    | "kill"
    | "kill_answers"
    | "clear"
    | "pause"
    | "pause_mailbox"
    | "resume_mailbox"
    | "admit_mailbox"
    | "confirm"
    | "confirm_purchase"
    | "execute"
    | "execute_purchase"
    | "host_late"
    | "crash"
    | "release_call"
    | "provision"
    | "provision_fails"
    | "claim"
    | "hand_over"
    | "record"
    | "claim_ages"
    | "claim_lost"
    | "found_sent"
    | "reply"
    | "unsubscribe"
    | "suppress"
    | "take_out"
    | "finish"
    | "complete"
  readonly host?: number
  readonly of?: number
  readonly by?: number
  readonly outcome?: (typeof OUTCOMES)[number]
  /** Whether the message left, where the provider's answer does not say. */
  readonly left?: boolean
}

/** Mistakes that can be planted in the protocol, to see that the search finds them. */
export const FAULTS = [
  "confirm_trusts_its_first_look",
  "expiry_is_not_checked",
  "newer_does_not_supersede",
  "kill_spares_approvals",
  "kill_spares_campaigns",
  "killed_campaign_relaunches",
  "recipients_are_not_bound",
  "mailboxes_are_not_bound",
  "new_mailbox_joins_campaigns",
  "one_approver_is_enough",
  "suppression_is_forgotten",
  "kill_stops_nothing",
  "unknown_counts_as_unsent",
  "old_claim_is_handed_over",
  "late_host_settles",
  "declined_can_be_approved"
] as const
export type Fault = (typeof FAULTS)[number]

export interface Config {
  readonly bounds: Bounds
  readonly fault: Fault | null
}

export type Tell = (action: Action, next: State) => void

export type Steps = (state: State, config: Config, tell: Tell) => void

/** As `after`, without an error object for every event that is refused. */
export const next = <S extends string, V extends string>(
  machine: Machine<S, V>,
  state: NoInfer<S>,
  event: NoInfer<V>
): S => (allows(machine, state, event) ? after(machine, state, event) : state)

const replaced = <A>(list: ReadonlyArray<A>, index: number, value: A): ReadonlyArray<A> => {
  const copy = list.slice()
  copy[index] = value
  return copy
}

export const withPerson = (state: State, index: number, change: Partial<Person>): State => ({
  ...state,
  people: replaced(state.people, index, { ...(state.people[index] as Person), ...change })
})

export const withApproval = (state: State, index: number, change: Partial<Approval>): State => ({
  ...state,
  approvals: replaced(state.approvals, index, { ...(state.approvals[index] as Approval), ...change })
})

export const withHost = (state: State, index: number, host: Host): State => ({
  ...state,
  hosts: replaced(state.hosts, index, host)
})

export const isSuspended = (state: State): boolean => state.suspension !== "none"

export const isOpen = ({ state }: Pick<Approval, "state">): boolean => ApprovalMachine.is.open(state)

export const isLeadIn = (person: Person, states: ReadonlyArray<(typeof LeadMachine.states)[number]>): boolean =>
  person.lead !== "absent" && states.includes(person.lead)

export const masked = <A>(list: ReadonlyArray<A>, holds: (one: A) => boolean): number =>
  list.reduce((mask, one, index) => (holds(one) ? mask | (1 << index) : mask), 0)

export const activeMailboxes = (state: State): number => masked(state.mailboxes, (mailbox) => mailbox === "active")

/** The mailboxes that a launch or an addition would send from now: any before the first launch, then those bound to it. */
export const usableMailboxes = (state: State): Mask =>
  state.bound === 0 ? activeMailboxes(state) : activeMailboxes(state) & state.bound

/** Cancels what is open, and remembers for all that a kill came after them. */
export const cancelled = <A extends Pick<Approval, "state" | "isBeforeKill">>(approval: A, spares: boolean): A => ({
  ...approval,
  state: spares ? approval.state : next(ApprovalMachine, approval.state, "cancel"),
  isBeforeKill: true
})
