import { ApprovalMachine, type ApprovalState } from "../../calls/approvals/ApprovalMachine.js"
import { CampaignMachine, type CampaignState } from "../campaigns/CampaignMachine.js"
import { LeadMachine, type LeadState } from "../campaigns/LeadMachine.js"
import { allows } from "../../kernel/machine.js"
import type { Overlap } from "../../kernel/workspaces/WorkspaceStore.js"
import type { KeptOut, RemovalReason } from "../suppression/SuppressionStore.js"
import { MailboxMachine } from "./MailboxMachine.js"
import { MessageMachine } from "./MessageMachine.js"
import type { CampaignWindow, Mailbox, Message } from "./SendingStore.js"

/** Why the campaign may never email a person again. */
export type Forbidden = Extract<RemovalReason, "opted_out" | "platform_blocked" | "capped">

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
  readonly forbidden: Forbidden | null
  /** Why the workspace's CRM keeps the person out; null: it doesn't. */
  readonly keptOut: KeptOut | null
  /** The CRM keeps people out, and was last read too long ago to say whom. */
  readonly isCrmUnread: boolean
  /** What becomes of those who are `capped`. */
  readonly overlap: Overlap
  /** What the campaign's rules about companies look at; null: it has none, or the person's company is not known. */
  readonly company: {
    /** Somebody of the company answered, and the campaign stops for that. */
    readonly isStopped: boolean
    /** The campaign stops for a company, and mail from it has arrived but is not applied yet. */
    readonly hasWritten: boolean
    /** How many messages the campaign may still send to the company today; null: as many as are due. */
    readonly left: number | null
  } | null
  /** Mail from this person has arrived but is not applied yet. */
  readonly hasWritten: boolean
  /** How many messages both the workspace and the mailbox may still send today. */
  readonly left: number
}

/** The rules in order, each with its effect. The first that applies decides. */
const RULES = [
  [
    "never",
    "ended",
    ({ lead, steps }) =>
      lead.stepsSent >= steps || !(allows(LeadMachine, lead.state, "send") || LeadMachine.is.uncovered(lead.state))
  ],
  [
    "later",
    "not_approved",
    ({ approval, lead }) => LeadMachine.is.uncovered(lead.state) || !ApprovalMachine.is.used(approval ?? undefined)
  ],
  ["later", "campaign_not_running", ({ campaign }) => !CampaignMachine.is.running(campaign)],
  ["later", "not_due", ({ lead, nowMillis }) => lead.nextAtMillis === null || lead.nextAtMillis > nowMillis],
  ["later", "in_flight", ({ messages }) => messages.some(({ state }) => MessageMachine.is.inFlight(state))],
  ["never", "opted_out", ({ forbidden }) => forbidden === "opted_out"],
  ["never", "platform_blocked", ({ forbidden }) => forbidden === "platform_blocked"],
  ["never", "capped", ({ forbidden, overlap }) => forbidden === "capped" && overlap === "refuse"],
  ["never", "kept_out", ({ keptOut }) => keptOut !== null],
  ["never", "company_answered", ({ company }) => company?.isStopped === true],
  // Sent or unknown: the lead's next state is decided where the message's end is recorded.
  [
    "later",
    "already_tried",
    ({ lead, messages }) =>
      messages.some(({ state, stepIndex }) => stepIndex === lead.stepsSent && !MessageMachine.is.unsent(state))
  ],
  ["later", "suspended", ({ isSuspended }) => isSuspended],
  ["later", "crm_unread", ({ isCrmUnread }) => isCrmUnread],
  [
    "later",
    "window_closed",
    ({ nowMillis, window }) =>
      window !== null && (nowMillis < window.opensAtMillis || window.closesAtMillis <= nowMillis)
  ],
  ["later", "mailbox_not_sending", ({ mailbox }) => !MailboxMachine.is.sending(mailbox?.state)],
  ["later", "mailbox_not_shown", ({ isBound }) => !isBound],
  ["later", "mailbox_rests", ({ mailbox, nowMillis }) => (mailbox?.restsUntilMillis ?? nowMillis) > nowMillis],
  ["later", "contacted_elsewhere", ({ forbidden }) => forbidden === "capped"],
  // A claim or an unknown outcome doesn't prove that nothing was sent.
  [
    "later",
    "another_campaign_writes",
    ({ elsewhere }) => elsewhere.some(({ state }) => MessageMachine.is.unproven(state))
  ],
  ["later", "they_wrote", ({ hasWritten }) => hasWritten],
  ["later", "company_wrote", ({ company }) => company?.hasWritten === true],
  ["later", "company_limit_reached", ({ company }) => (company?.left ?? 1) <= 0],
  ["later", "cap_reached", ({ left }) => left <= 0]
] as const satisfies ReadonlyArray<readonly ["later" | "never", string, (facts: SendFacts) => boolean]>

/** What is looked at before each message, in order (`decideSend`). */
export const SEND_CHECKS = RULES.map(([, why]) => why)

/** `later`: not now. `never`: the lead can't be emailed any more and is removed unless it has ended. */
export type SendDecision =
  | { readonly may: "send" }
  | { readonly may: "later" | "never"; readonly why: (typeof RULES)[number][1] }

/**
 * Whether a lead's next message may be sent. The in-memory store decides with it; tests check the claiming SQL against
 * it.
 */
export const decideSend = (facts: SendFacts): SendDecision => {
  const rule = RULES.find(([, , applies]) => applies(facts))
  return rule === undefined ? { may: "send" } : { may: rule[0], why: rule[1] }
}
