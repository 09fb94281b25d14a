import { ApprovalMachine, type ApprovalState } from "../../calls/approvals/ApprovalMachine.js"
import { CampaignMachine, type CampaignState } from "../campaigns/CampaignMachine.js"
import { LeadMachine, type LeadState } from "../campaigns/LeadMachine.js"
import { allows } from "../../kernel/machine.js"
import type { Overlap } from "../../kernel/workspaces/WorkspaceStore.js"
import { type Barred, barredBy, type Bars, isKeptOut } from "../suppression/SuppressionStore.js"
import { MailboxMachine } from "./MailboxMachine.js"
import { MessageMachine } from "./MessageMachine.js"
import { leastOf, type Left } from "./planner.js"
import type { CampaignWindow, Mailbox, Message } from "./SendingStore.js"

/** Everything that decides whether a lead's next message may be sent. */
export interface SendFacts {
  readonly nowMillis: number
  readonly lead: { readonly state: LeadState; readonly stepsSent: number; readonly nextAtMillis: number | null }
  /** Number of steps in the campaign's sequence. */
  readonly steps: number
  /** The approval that covers the lead; null: none. */
  readonly approval: ApprovalState | null
  readonly campaign: CampaignState
  /** When the campaign sends to people with the lead's hours; null: always. */
  readonly window: Pick<CampaignWindow, "opensAtMillis" | "closesAtMillis"> | null
  readonly isSuspended: boolean
  readonly mailbox: Pick<Mailbox, "state" | "restsUntilMillis"> | null
  /** The campaign's approval showed the mailbox, or an owner added it. */
  readonly isBound: boolean
  /** The lead's own messages. */
  readonly messages: ReadonlyArray<Pick<Message, "state" | "stepIndex">>
  /** Messages of the workspace's other campaigns to the same person, within the contact history. */
  readonly elsewhere: ReadonlyArray<Pick<Message, "state">>
  /** What may forbid writing to the person. */
  readonly bars: Bars
  /** The workspace's CRM was last read too long ago to say whom it keeps out. */
  readonly isCrmUnread: boolean
  /** What becomes of those whom another campaign wrote to. */
  readonly overlap: Overlap
  /** What the campaign's rules about companies look at; null: it has none, or the person's company is not known. */
  readonly company: CompanyFacts | null
  /** Mail from this person has arrived but is not applied yet. */
  readonly hasWritten: boolean
  /** How many messages may still be sent today: by the workspace, the mailbox, its domain, and to the receiver. */
  readonly left: Left
}

interface CompanyFacts {
  /** Somebody of the company answered, and the campaign stops for that. */
  readonly isStopped: boolean
  /** The campaign stops for a company, and mail from it has arrived but is not applied yet. */
  readonly hasWritten: boolean
  /** How many messages the campaign may still send to the company today; null: as many as are due. */
  readonly left: number | null
}

/**
 * What ends a hindrance: nothing (`never`); a person, who has to act; work under way, within minutes (`work`); or a time: the
 * message is due, hours open, the mailbox has rested, the other campaign's message is long ago, a new day begins.
 */
export type EndedBy = "never" | "person" | "work" | "due" | "hours" | "rest" | "contact" | "day"

type Window = NonNullable<SendFacts["window"]>

/** It contains no time. */
const NEVER: Window = { opensAtMillis: 0, closesAtMillis: 0 }

/**
 * When a campaign sends to a lead: within its own window, or that of the lead's hours, which may not be known yet. A
 * campaign without a window of its own always sends.
 */
export const windowFor = (own: Window | null, hours: string | null, ofHours: Window | null): SendFacts["window"] =>
  own === null || hours === null ? own : (ofHours ?? NEVER)

type Facts<K extends keyof SendFacts> = Pick<SendFacts, K>

interface OfCompany<K extends keyof CompanyFacts> {
  readonly company: Pick<CompanyFacts, K> | null
}

const barOf = ({ bars, overlap }: Facts<"bars" | "overlap">): Barred | null => barredBy(bars, overlap === "queue")

/** The rules in order, each with what ends it and the facts it looks at. The first that applies decides. */
const RULES = {
  ended: [
    "never",
    ({ lead, steps }: Facts<"lead" | "steps">) =>
      lead.stepsSent >= steps || !(allows(LeadMachine, lead.state, "send") || LeadMachine.is.uncovered(lead.state))
  ],
  not_approved: [
    "person",
    ({ approval, lead }: Facts<"approval" | "lead">) =>
      LeadMachine.is.uncovered(lead.state) || !ApprovalMachine.is.used(approval ?? undefined)
  ],
  campaign_not_running: ["person", ({ campaign }: Facts<"campaign">) => !CampaignMachine.is.running(campaign)],
  not_due: [
    "due",
    ({ lead, nowMillis }: Facts<"lead" | "nowMillis">) => lead.nextAtMillis === null || lead.nextAtMillis > nowMillis
  ],
  in_flight: [
    "work",
    ({ messages }: Facts<"messages">) => messages.some(({ state }) => MessageMachine.is.inFlight(state))
  ],
  opted_out: ["never", (facts: Facts<"bars" | "overlap">) => barOf(facts) === "opted_out"],
  platform_blocked: ["never", (facts: Facts<"bars" | "overlap">) => barOf(facts) === "platform_blocked"],
  capped: ["never", (facts: Facts<"bars" | "overlap">) => barOf(facts) === "capped"],
  kept_out: ["never", (facts: Facts<"bars" | "overlap">) => isKeptOut(barOf(facts) ?? "")],
  company_answered: ["never", ({ company }: OfCompany<"isStopped">) => company?.isStopped === true],
  // Sent or unknown: the lead's next state is decided where the message's end is recorded.
  already_tried: [
    "work",
    ({ lead, messages }: Facts<"lead" | "messages">) =>
      messages.some(({ state, stepIndex }) => stepIndex === lead.stepsSent && !MessageMachine.is.unsent(state))
  ],
  suspended: ["person", ({ isSuspended }: Facts<"isSuspended">) => isSuspended],
  crm_unread: ["person", ({ isCrmUnread }: Facts<"isCrmUnread">) => isCrmUnread],
  window_closed: [
    "hours",
    ({ nowMillis, window }: Facts<"nowMillis" | "window">) =>
      window !== null && (nowMillis < window.opensAtMillis || window.closesAtMillis <= nowMillis)
  ],
  mailbox_not_sending: ["person", ({ mailbox }: Facts<"mailbox">) => !MailboxMachine.is.sending(mailbox?.state)],
  mailbox_not_shown: ["person", ({ isBound }: Facts<"isBound">) => !isBound],
  mailbox_rests: [
    "rest",
    ({ mailbox, nowMillis }: Facts<"mailbox" | "nowMillis">) => (mailbox?.restsUntilMillis ?? nowMillis) > nowMillis
  ],
  contacted_elsewhere: ["contact", ({ bars }: Facts<"bars">) => bars.isContacted],
  // A claim or an unknown outcome doesn't prove that nothing was sent.
  another_campaign_writes: [
    "work",
    ({ elsewhere }: Facts<"elsewhere">) => elsewhere.some(({ state }) => MessageMachine.is.unproven(state))
  ],
  they_wrote: ["work", ({ hasWritten }: Facts<"hasWritten">) => hasWritten],
  company_wrote: ["work", ({ company }: OfCompany<"hasWritten">) => company?.hasWritten === true],
  company_limit_reached: ["day", ({ company }: OfCompany<"left">) => (company?.left ?? 1) <= 0],
  receiver_limit_reached: ["day", ({ left }: Facts<"left">) => (left.receiver ?? 1) <= 0],
  cap_reached: ["day", ({ left }: Facts<"left">) => leastOf(left) <= 0]
} as const satisfies Readonly<Record<string, readonly [EndedBy, (facts: SendFacts) => boolean]>>

export type SendRule = keyof typeof RULES

/** What is looked at before each message, in order. */
export const SEND_CHECKS = Object.keys(RULES) as ReadonlyArray<SendRule>

/** The rules that this ends. */
export type RuleEndedBy<E extends EndedBy> = {
  readonly [R in SendRule]: (typeof RULES)[R][0] extends E ? R : never
}[SendRule]

export const endOf = (rule: SendRule): EndedBy => RULES[rule][0]

export const rulesEndedBy = <E extends EndedBy>(end: E): ReadonlyArray<RuleEndedBy<E>> =>
  SEND_CHECKS.filter((rule): rule is RuleEndedBy<E> => endOf(rule) === end)

/** The facts that these rules look at. */
export type FactsOf<R extends SendRule> = UnionToIntersection<Parameters<(typeof RULES)[R][1]>[0]>

type UnionToIntersection<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void ? I : never

export const applies = <R extends SendRule>(rule: R, facts: FactsOf<R>): boolean =>
  (RULES[rule][1] as (facts: FactsOf<R>) => boolean)(facts)

/** Which of these rules apply, in the order given. */
export const hindrances = <R extends SendRule>(rules: ReadonlyArray<R>, facts: FactsOf<R>): ReadonlyArray<R> =>
  rules.filter((rule) => applies<R>(rule, facts))

/** `later`: not now. `never`: the lead can't be emailed any more and is removed unless it has ended. */
export type SendDecision = { readonly may: "send" } | { readonly may: "later" | "never"; readonly why: SendRule }

/**
 * Whether a lead's next message may be sent. Pure, and the only place that defines what hinders a message and in which
 * order. Every store reads the facts under its own locks and asks it (contract: campaigns, sending).
 */
export const decideSend = (facts: SendFacts): SendDecision => {
  const why = SEND_CHECKS.find((rule) => applies<SendRule>(rule, facts))
  return why === undefined ? { may: "send" } : { may: endOf(why) === "never" ? "never" : "later", why }
}

/** Why a due lead is removed; null: it isn't. */
export const removalOf = (facts: SendFacts): Barred | "company_answered" | null => {
  const decision = decideSend(facts)
  if (decision.may !== "never" || decision.why === "ended") return null
  return decision.why === "company_answered" ? decision.why : barOf(facts)
}
