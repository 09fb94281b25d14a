import type { ApprovalState } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import type { ApprovalSummary } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { ApprovalSnapshot } from "@outbound/domain/calls/approvals/Snapshot.js"
import { count, creditWords } from "../web/Words.js"

export const STATE_WORDS: Readonly<Record<ApprovalState, string>> = {
  pending: "Waiting for a decision",
  approved: "Approved",
  declined: "Declined",
  expired: "Expired",
  superseded: "Replaced",
  cancelled: "Cancelled",
  used: "Approved and carried out"
}

/** What the state means for the agent's request. */
export const STATE_MEANING: Readonly<Record<ApprovalState, string>> = {
  pending: "Nothing happens until you decide.",
  approved: "The agent can now repeat its call once. Nothing happens until it does.",
  declined: "The agent sees that you declined. Nothing was bought or sent.",
  expired: "Nobody decided, or the agent did not act, in time. Nothing was bought or sent.",
  superseded: "A newer request replaced this one. Decide on the newer one.",
  cancelled:
    "Its approval was withdrawn, sending was stopped, or what it asked for no longer exists. It can’t be used.",
  used: "The agent has used this approval. It can’t be used again."
}

export const titleOf = (snapshot: ApprovalSnapshot): string => {
  switch (snapshot.kind) {
    case "launch":
      return `Launch “${snapshot.campaign_name}”`
    case "add_leads":
      return `Add ${count(snapshot.leads, "lead")} to “${snapshot.campaign_name}”`
    case "purchase":
      return `Buy sending capacity for “${snapshot.brand}”`
    case "reply":
      return `Reply to ${snapshot.to_email}`
  }
}

/** What approving does, in one line. */
export const gistOf = (snapshot: ApprovalSnapshot): string => {
  switch (snapshot.kind) {
    case "launch":
      return `Email ${count(snapshot.leads, "lead")}, at most ${count(snapshot.steps.length, "message")} each`
    case "add_leads":
      return `Email ${count(snapshot.leads, "more lead")}, at most ${count(snapshot.steps.length, "message")} each, and resume the campaign`
    case "purchase": {
      const mailboxes = snapshot.domains.reduce((sum, domain) => sum + domain.mailboxes.length, 0)
      return `${count(snapshot.domains.length, "domain")} with ${count(mailboxes, "mailbox", "mailboxes")} for ${creditWords(snapshot.setup_credits)}`
    }
    case "reply":
      return `One email from ${snapshot.from_email}, “${snapshot.subject}”`
  }
}

/** Who asks: the person, where they ask in their own name, or the key. */
export const askerWords = ({ askedByEmail, keyName }: ApprovalSummary): string => askedByEmail ?? `the key “${keyName}”`
