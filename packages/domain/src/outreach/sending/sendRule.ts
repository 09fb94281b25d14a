import { ApprovalMachine, type ApprovalState } from "../../calls/approvals/ApprovalMachine.js"
import { CampaignMachine, type CampaignState } from "../campaigns/CampaignMachine.js"
import { LeadMachine, type LeadState } from "../campaigns/LeadMachine.js"
import { allows } from "../../kernel/machine.js"
import type { RemovalReason } from "../suppression/SuppressionStore.js"
import { MailboxMachine } from "./MailboxMachine.js"
import { MessageMachine } from "./MessageMachine.js"
import type { CampaignWindow, Mailbox, Message } from "./SendingStore.js"

/** Why a person may never be written to by the campaign again. */
export type Forbidden = Extract<RemovalReason, "opted_out" | "platform_blocked" | "capped">

/** All that decides whether the next message of a lead may be sent. */
export interface SendFacts {
  readonly nowMillis: number
  readonly lead: { readonly state: LeadState; readonly stepsSent: number; readonly nextAtMillis: number | null }
  /** How many steps the campaign's sequence has. */
  readonly steps: number
  /** The approval that covers the lead; null: none does. */
  readonly approval: ApprovalState | null
  readonly campaign: CampaignState
  /** When the campaign sends; null: always. */
  readonly window: Pick<CampaignWindow, "opensAtMillis" | "closesAtMillis"> | null
  readonly isSuspended: boolean
  readonly mailbox: Pick<Mailbox, "state" | "restsUntilMillis"> | null
  /** The lead's own messages. */
  readonly messages: ReadonlyArray<Pick<Message, "state" | "stepIndex">>
  /** The messages of the workspace's other campaigns to the same person since the contact history began. */
  readonly elsewhere: ReadonlyArray<Pick<Message, "state">>
  readonly forbidden: Forbidden | null
  /** Mail from this person has arrived that was not applied yet. */
  readonly hasWritten: boolean
  /** How many messages workspace and mailbox may still send today. */
  readonly left: number
}

/** The rules in their order, each with what it means for the message: the first that applies gives the decision. */
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
  ["never", "capped", ({ forbidden }) => forbidden === "capped"],
  // Sent, or nobody knows: what becomes of the lead is decided where the message's end is recorded.
  [
    "later",
    "already_tried",
    ({ lead, messages }) =>
      messages.some(({ state, stepIndex }) => stepIndex === lead.stepsSent && !MessageMachine.is.unsent(state))
  ],
  ["later", "suspended", ({ isSuspended }) => isSuspended],
  [
    "later",
    "window_closed",
    ({ nowMillis, window }) =>
      window !== null && (nowMillis < window.opensAtMillis || window.closesAtMillis <= nowMillis)
  ],
  ["later", "mailbox_not_sending", ({ mailbox }) => !MailboxMachine.is.sending(mailbox?.state)],
  ["later", "mailbox_rests", ({ mailbox, nowMillis }) => (mailbox?.restsUntilMillis ?? nowMillis) > nowMillis],
  // A claim or an unknown outcome does not prove that nothing was sent.
  [
    "later",
    "another_campaign_writes",
    ({ elsewhere }) => elsewhere.some(({ state }) => MessageMachine.is.unproven(state))
  ],
  ["later", "they_wrote", ({ hasWritten }) => hasWritten],
  ["later", "cap_reached", ({ left }) => left <= 0]
] as const satisfies ReadonlyArray<readonly ["later" | "never", string, (facts: SendFacts) => boolean]>

/** `later`: not now. `never`: the lead can't be written to any more, and is to be taken out unless it has ended. */
export type SendDecision =
  { readonly may: "send" } | { readonly may: "later" | "never"; readonly why: (typeof RULES)[number][1] }

/**
 * Whether a lead's next message may be sent. The store in memory decides by it; the SQL that claims messages is tested
 * against it.
 */
export const decideSend = (facts: SendFacts): SendDecision => {
  const rule = RULES.find(([, , applies]) => applies(facts))
  return rule === undefined ? { may: "send" } : { may: rule[0], why: rule[1] }
}
