import { ApprovalMachine, type ApprovalState } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import {
  CampaignMachine,
  type CampaignState,
  PAUSE_REASONS,
  type PauseReason
} from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { LeadMachine, type LeadState } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { OperationMachine, type OperationStatus } from "@outbound/domain/outreach/operations/OperationMachine.js"
import { MailboxMachine, type MailboxState } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { MessageMachine, type MessageState } from "@outbound/domain/outreach/sending/MessageMachine.js"

/** A set of people, mailboxes or approvers: one bit each. */
export type Mask = number

export const has = (mask: Mask, index: number): boolean => (mask & (1 << index)) !== 0
export const bit = (index: number): Mask => 1 << index
export const sizeOf = (mask: Mask): number => mask.toString(2).replaceAll("0", "").length

/** A kill's answer: whether every message in flight had ended. */
export const SUSPENSIONS = ["none", "suspended", "confirmed", "unconfirmed"] as const
export type Suspension = (typeof SUSPENSIONS)[number]

/** A person, and their lead once they are in the campaign. */
export interface Person {
  readonly lead: LeadState | "absent"
  /** The approval that covers the lead, from 1; 0: none. */
  readonly coveredBy: number
  /** The mailbox that writes to them, from 1; 0: none. */
  readonly mailbox: number
  readonly stepsSent: number
  /** The newest message of the step that is due. */
  readonly message: MessageState | "none"
  /** Tries that ended with proof that nothing was sent. */
  readonly failures: number
  /** The claim's checks are no longer valid. */
  readonly isClaimOld: boolean
  readonly isSuppressed: boolean
  /** How often the provider sent the step that is due: what really happened. */
  readonly delivered: number
}

/** What a person decides about a launch, or about one more recipient. */
export interface Approval {
  readonly verb: "launch" | "extend"
  readonly state: ApprovalState
  /** The campaign's recipients and text that the page showed. */
  readonly version: number
  readonly text: number
  readonly people: Mask
  readonly mailboxes: Mask
  /** Who approved. */
  readonly approvers: Mask
  readonly isOverdue: boolean
  readonly executions: number
  /** A kill came after it was asked for. */
  readonly isBeforeKill: boolean
  readonly wasDeclined: boolean
}

/** The purchase of the second mailbox. */
export interface Purchase {
  readonly state: ApprovalState
  readonly approvers: Mask
  readonly isOverdue: boolean
  readonly isBeforeKill: boolean
  readonly wasDeclined: boolean
  readonly executions: number
  readonly operation: OperationStatus | "none"
  readonly charges: number
  readonly refunds: number
}

/**
 * What a host is doing.
 *
 * - `confirming`: it read the approval `of` without a lock, and will lock it to act. 0: the purchase.
 * - `claimed`, `handed`: it holds a message for the person `of`, before and after the provider answered.
 */
export const PHASES = ["idle", "confirming", "claimed", "handed"] as const
export const OUTCOMES = ["none", "accepted", "refused", "unclear"] as const

export interface Host {
  readonly phase: (typeof PHASES)[number]
  readonly of: number
  readonly outcome: (typeof OUTCOMES)[number]
  /** Its lease is over: others act in its place, and it does not know. */
  readonly isLate: boolean
}

export interface State {
  readonly campaign: CampaignState
  readonly pauseReason: PauseReason | "none"
  /** A kill once stopped the campaign. */
  readonly wasKilled: boolean
  readonly version: number
  readonly text: number
  /** The mailboxes that the campaign may send from. */
  readonly bound: Mask
  /** Those that an owner added in the console. */
  readonly admitted: Mask
  readonly suspension: Suspension
  readonly people: ReadonlyArray<Person>
  readonly mailboxes: ReadonlyArray<MailboxState | "absent">
  readonly approvals: ReadonlyArray<Approval>
  readonly purchase: Purchase | null
  readonly hosts: ReadonlyArray<Host>
  /** Reservations whose host died. */
  readonly orphans: number
  readonly reserved: number
}

/** How large a world is searched. */
export interface Bounds {
  readonly people: number
  readonly approvals: number
  readonly steps: number
  readonly hosts: number
  /** People who must approve a launch. */
  readonly approversNeeded: number
  readonly hasPurchase: boolean
  /** Whether hand-overs may fail with proof, which makes more tries. */
  readonly failuresMax: number
}

/** How many purchases the workspace's balance pays for. */
export const PURCHASES_PAID = 2

export const IDLE: Host = { phase: "idle", of: 0, outcome: "none", isLate: false }

const absent: Person = {
  lead: "absent",
  coveredBy: 0,
  mailbox: 0,
  stepsSent: 0,
  message: "none",
  failures: 0,
  isClaimOld: false,
  isSuppressed: false,
  delivered: 0
}

/** A draft with one person, and a workspace with one mailbox. */
export const initialOf = (bounds: Bounds): State => ({
  campaign: CampaignMachine.initial,
  pauseReason: "none",
  wasKilled: false,
  version: 0,
  text: 0,
  bound: 0,
  admitted: 0,
  suspension: "none",
  people: Array.from({ length: bounds.people }, (_none, index) =>
    index === 0 ? { ...absent, lead: LeadMachine.initial } : absent
  ),
  mailboxes: ["active", "absent"],
  approvals: [],
  purchase: null,
  hosts: Array.from({ length: bounds.hosts }, () => IDLE),
  orphans: 0,
  reserved: 0
})

const NAMES = {
  campaign: CampaignMachine.states,
  pauseReason: ["none", ...PAUSE_REASONS],
  suspension: SUSPENSIONS,
  lead: ["absent", ...LeadMachine.states],
  message: ["none", ...MessageMachine.states],
  approval: ApprovalMachine.states,
  mailbox: ["absent", ...MailboxMachine.states],
  operation: ["none", ...OperationMachine.states],
  phase: PHASES,
  outcome: OUTCOMES
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

type Named = keyof typeof NAMES

const NUMBERS = Object.fromEntries(
  Object.entries(NAMES).map(([kind, names]) => [kind, new Map(names.map((name, index) => [name as string, index]))])
) as Record<Named, Map<string, number>>

const numberOf = (kind: Named, name: string): number => NUMBERS[kind].get(name) as number
const nameOf = <K extends Named>(kind: K, value: number) => NAMES[kind][value] as (typeof NAMES)[K][number]

const [PERSON, APPROVAL, PURCHASE, HOST, REST] = [5, 6, 5, 2, 7] as const

export const widthOf = (bounds: Bounds): number =>
  REST + PERSON * bounds.people + APPROVAL * bounds.approvals + PURCHASE + HOST * bounds.hosts

const flag = (value: boolean, shift: number): number => (value ? 1 << shift : 0)

/** Swaps the first two bits. Names of people are interchangeable. */
const swapped = (mask: Mask): Mask => ((mask & 1) << 1) | ((mask >> 1) & 1) | (mask & ~3)

/** `order`: which person and which host is written where. */
const write = (state: State, into: Uint8Array, swapPeople: boolean, swapHosts: boolean, bounds: Bounds): void => {
  let at = 0
  const put = (value: number) => {
    into[at] = value
    at += 1
  }
  const maskOf = (mask: Mask) => (swapPeople ? swapped(mask) : mask)
  put(numberOf("campaign", state.campaign) | (numberOf("pauseReason", state.pauseReason) << 4))
  put(numberOf("suspension", state.suspension) | flag(state.wasKilled, 4))
  put(state.version | (state.text << 4))
  put(state.bound | (state.admitted << 4))
  put(numberOf("mailbox", state.mailboxes[0] as string) | (numberOf("mailbox", state.mailboxes[1] as string) << 4))
  put(state.orphans | (state.reserved << 4))
  put(state.approvals.length)
  for (let index = 0; index < bounds.people; index += 1) {
    const person = state.people[swapPeople ? 1 - index : index] as Person
    put(numberOf("lead", person.lead))
    put(person.coveredBy | (person.mailbox << 4))
    put(person.stepsSent | (person.failures << 4))
    put(numberOf("message", person.message) | flag(person.isClaimOld, 4) | flag(person.isSuppressed, 5))
    put(person.delivered)
  }
  for (let index = 0; index < bounds.approvals; index += 1) {
    const approval = state.approvals[index]
    if (approval === undefined) {
      for (let none = 0; none < APPROVAL; none += 1) put(0)
      continue
    }
    put(numberOf("approval", approval.state) | flag(approval.verb === "extend", 4))
    put(approval.version | (approval.text << 4))
    put(maskOf(approval.people))
    put(approval.mailboxes | (approval.approvers << 4))
    put(flag(approval.isOverdue, 0) | flag(approval.isBeforeKill, 1) | flag(approval.wasDeclined, 2))
    put(approval.executions)
  }
  const { purchase } = state
  put(purchase === null ? 0 : 1 + numberOf("approval", purchase.state))
  put(purchase === null ? 0 : purchase.approvers)
  put(
    purchase === null
      ? 0
      : flag(purchase.isOverdue, 0) |
          flag(purchase.isBeforeKill, 1) |
          flag(purchase.wasDeclined, 2) |
          (purchase.executions << 4)
  )
  put(purchase === null ? 0 : numberOf("operation", purchase.operation))
  put(purchase === null ? 0 : purchase.charges | (purchase.refunds << 4))
  for (let index = 0; index < bounds.hosts; index += 1) {
    const host = state.hosts[swapHosts ? 1 - index : index] as Host
    const isAboutPerson = host.phase === "claimed" || host.phase === "handed"
    put(numberOf("phase", host.phase) | (numberOf("outcome", host.outcome) << 4))
    put((isAboutPerson && swapPeople ? 1 - host.of : host.of) | flag(host.isLate, 4))
  }
}

const isBefore = (one: Uint8Array, other: Uint8Array): boolean => {
  for (let at = 0; at < one.length; at += 1) {
    const difference = (one[at] as number) - (other[at] as number)
    if (difference !== 0) return difference < 0
  }
  return false
}

const comparePeople = (one: Person, other: Person): number =>
  numberOf("lead", one.lead) - numberOf("lead", other.lead) ||
  numberOf("message", one.message) - numberOf("message", other.message) ||
  one.coveredBy - other.coveredBy ||
  one.mailbox - other.mailbox ||
  one.stepsSent - other.stepsSent ||
  one.failures - other.failures ||
  one.delivered - other.delivered ||
  Number(one.isSuppressed) - Number(other.isSuppressed) ||
  Number(one.isClaimOld) - Number(other.isClaimOld)

/**
 * Writes one encoding for all states that differ only in the names of people and hosts: those that are less come first,
 * and equal ones in the order whose bytes are less.
 */
export const encoderOf = (bounds: Bounds): ((state: State, into: Uint8Array) => void) => {
  const scratch = new Uint8Array(widthOf(bounds))
  return (state, into) => {
    const { hosts, people } = state
    const order = bounds.people === 2 ? comparePeople(people[0] as Person, people[1] as Person) : -1
    const isBusy = bounds.hosts === 2 && hosts.some(({ phase }) => phase !== "idle")
    write(state, into, order > 0, false, bounds)
    const others: ReadonlyArray<readonly [boolean, boolean]> = [
      ...(isBusy ? [[order > 0, true] as const] : []),
      ...(order === 0 ? [[true, false] as const] : []),
      ...(order === 0 && isBusy ? [[true, true] as const] : [])
    ]
    for (const [swapPeople, swapHosts] of others) {
      write(state, scratch, swapPeople, swapHosts, bounds)
      if (isBefore(scratch, into)) into.set(scratch)
    }
  }
}

export const decoderOf =
  (bounds: Bounds) =>
  (bytes: Uint8Array): State => {
    let at = 0
    const take = (): number => {
      at += 1
      return bytes[at - 1] as number
    }
    const [campaign, suspension, version, bound, mailboxes, money, asked] = [
      take(),
      take(),
      take(),
      take(),
      take(),
      take(),
      take()
    ]
    const people = Array.from({ length: bounds.people }, (): Person => {
      const [lead, cover, steps, message, delivered] = [take(), take(), take(), take(), take()]
      return {
        lead: nameOf("lead", lead),
        coveredBy: cover & 15,
        mailbox: cover >> 4,
        stepsSent: steps & 15,
        failures: steps >> 4,
        message: nameOf("message", message & 15),
        isClaimOld: has(message, 4),
        isSuppressed: has(message, 5),
        delivered
      }
    })
    const approvals = Array.from({ length: bounds.approvals }, (): Approval => {
      const [state, shown, recipients, masks, flags, executions] = [take(), take(), take(), take(), take(), take()]
      return {
        verb: has(state, 4) ? "extend" : "launch",
        state: nameOf("approval", state & 15),
        version: shown & 15,
        text: shown >> 4,
        people: recipients,
        mailboxes: masks & 15,
        approvers: masks >> 4,
        isOverdue: has(flags, 0),
        isBeforeKill: has(flags, 1),
        wasDeclined: has(flags, 2),
        executions
      }
    })
    const [bought, approvers, flags, operation, charges] = [take(), take(), take(), take(), take()]
    const hosts = Array.from({ length: bounds.hosts }, (): Host => {
      const [phase, of] = [take(), take()]
      return {
        phase: nameOf("phase", phase & 15),
        outcome: nameOf("outcome", phase >> 4),
        of: of & 15,
        isLate: has(of, 4)
      }
    })
    return {
      campaign: nameOf("campaign", campaign & 15),
      pauseReason: nameOf("pauseReason", campaign >> 4),
      suspension: nameOf("suspension", suspension & 15),
      wasKilled: has(suspension, 4),
      version: version & 15,
      text: version >> 4,
      bound: bound & 15,
      admitted: bound >> 4,
      mailboxes: [nameOf("mailbox", mailboxes & 15), nameOf("mailbox", mailboxes >> 4)],
      orphans: money & 15,
      reserved: money >> 4,
      people,
      approvals: approvals.slice(0, asked),
      purchase:
        bought === 0
          ? null
          : {
              state: nameOf("approval", bought - 1),
              approvers,
              isOverdue: has(flags, 0),
              isBeforeKill: has(flags, 1),
              wasDeclined: has(flags, 2),
              executions: flags >> 4,
              operation: nameOf("operation", operation),
              charges: charges & 15,
              refunds: charges >> 4
            },
      hosts
    }
  }
