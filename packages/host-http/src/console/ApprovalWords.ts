import type { ApprovalState } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import type { ApprovalSnapshot } from "@outbound/domain/calls/approvals/Snapshot.js"
import { count, creditWords } from "../web/Words.js"

export const STATE_WORDS: Readonly<Record<ApprovalState, string>> = {
  pending: "Waiting for you",
  approved: "Approved",
  declined: "Declined",
  expired: "Expired",
  superseded: "Replaced",
  cancelled: "Cancelled",
  used: "Approved and done"
}

/** What the state means for whoever asked. */
export const STATE_MEANING: Readonly<Record<ApprovalState, string>> = {
  pending: "Nothing happens until you decide.",
  approved: "The agent may now repeat its call, once. Until it does, nothing has happened.",
  declined: "The agent is told so. Nothing was bought or sent.",
  expired: "Nobody decided, or nobody acted, in time. Nothing was bought or sent under this request.",
  superseded: "A newer request took its place. Decide on that one.",
  cancelled: "It was withdrawn: sending was stopped, or what it is about is gone.",
  used: "The agent has acted on it. It cannot be used again."
}

export const titleOf = (snapshot: ApprovalSnapshot): string => {
  switch (snapshot.kind) {
    case "launch":
      return `Launch “${snapshot.campaign_name}”`
    case "add_leads":
      return `Add ${count(snapshot.leads, "person", "people")} to “${snapshot.campaign_name}”`
    case "purchase":
      return `Buy sending capacity for “${snapshot.brand}”`
    case "reply":
      return `CallResponse ${snapshot.to_email}`
  }
}

/** One line that says what approving sets off. */
export const gistOf = (snapshot: ApprovalSnapshot): string => {
  switch (snapshot.kind) {
    case "launch":
      return `Email to ${count(snapshot.leads, "person", "people")}, ${count(snapshot.steps.length, "message")} each at most`
    case "add_leads":
      return `Email to ${count(snapshot.leads, "more person", "more people")}, ${count(snapshot.steps.length, "message")} each at most; the paused campaign goes on`
    case "purchase": {
      const mailboxes = snapshot.domains.reduce((sum, domain) => sum + domain.mailboxes.length, 0)
      return `${count(snapshot.domains.length, "domain")} with ${count(mailboxes, "mailbox", "mailboxes")} for ${creditWords(snapshot.setup_credits)}`
    }
    case "reply":
      return `One email from ${snapshot.from_email}, “${snapshot.subject}”`
  }
}
