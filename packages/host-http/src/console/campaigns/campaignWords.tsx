import type { CampaignState, PauseReason } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import type { LeadState } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import type { InterestStatus } from "@outbound/domain/kernel/sequences/Sequence.js"
import type { Hindrance } from "@outbound/domain/control/console/whyNotSending.js"
import type { ComponentChildren } from "preact"
import { count, Moment, nextDayStartOf } from "../../web/Words.js"
import type { StateWords } from "../Parts.js"

export const STATE_WORDS: Readonly<Record<CampaignState, StateWords>> = {
  draft: ["Draft", undefined],
  incomplete: ["Incomplete", "wait"],
  active: ["Active", "good"],
  paused: ["Paused", "wait"],
  completed: ["Completed", undefined]
}

export const PAUSE_WORDS: Readonly<Record<PauseReason, string>> = {
  awaiting_approval: "Leads were added, and nobody has approved emailing them yet.",
  killed: "It was stopped with all other sending and can’t be resumed. Rebuild it as a new draft.",
  owner: "It was paused by hand. An owner resumes it here; nothing needs another approval.",
  capacity: "None of its mailboxes could send. Fix or pay for a mailbox, then resume it, or launch it again."
}

export const LEAD_WORDS: Readonly<Record<LeadState, string>> = {
  pending: "Imported",
  ready: "Ready",
  active: "In sequence",
  replied: "Replied",
  bounced: "Bounced",
  unsubscribed: "Unsubscribed",
  removed: "Removed",
  finished: "Sequence finished",
  failed: "Failed"
}

export const INTEREST_WORDS: Readonly<Record<InterestStatus, string>> = {
  interested: "Interested",
  meeting_booked: "Meeting booked",
  won: "Won",
  not_interested: "Not interested",
  out_of_office: "Out of office",
  neutral: "Neutral"
}

/** Why a campaign is not sending, and where to fix it. */
export const hindranceWords = (
  of: Hindrance,
  nowMillis: number
): { readonly text: ComponentChildren; readonly href?: string; readonly link?: string } => {
  switch (of.kind) {
    case "draft":
      return {
        text: "This campaign is a draft. An agent launches it; a human approves the launch.",
        href: "/console/approvals",
        link: "Approvals"
      }
    case "incomplete":
      return { text: "The sending provider has not confirmed every lead yet. An agent can finalize the campaign." }
    case "completed":
      return { text: "The campaign is completed: every lead has finished or left the sequence." }
    case "paused":
      return { text: `The campaign is paused. ${PAUSE_WORDS[of.reason]}` }
    case "suspended":
      return {
        text: `All sending in this workspace is stopped${of.reason === null ? "." : `: ${of.reason}`}`,
        href: "/console/settings#sending",
        link: "Settings"
      }
    case "no_postal_address":
      return {
        text: "The workspace has no postal address. Every message must show one.",
        href: "/console/settings#address",
        link: "Settings"
      }
    case "crm_unread":
      return {
        text: "The CRM was not read within the last day, so nobody knows whom it leaves out.",
        href: "/console/settings/crm",
        link: "CRM"
      }
    case "no_active_mailbox":
      return {
        text:
          of.provisioning > 0
            ? `No mailbox is active yet. ${count(of.provisioning, "mailbox is", "mailboxes are")} being set up.`
            : of.paused > 0
              ? `No mailbox is active. ${count(of.paused, "mailbox is", "mailboxes are")} paused.`
              : "The workspace has no mailbox to send from.",
        href: "/console/sending",
        link: "Sending"
      }
    case "workspace_cap":
      return {
        text: (
          <>
            The workspace has reached its daily cap ({count(of.cap, "message")}). Sending resumes{" "}
            <Moment atMillis={nextDayStartOf(nowMillis)} />.
          </>
        )
      }
    case "mailbox_caps":
      return {
        text: (
          <>
            Every mailbox has reached its daily cap ({count(of.cap, "message")}, fewer while a mailbox is new). Sending
            resumes <Moment atMillis={nextDayStartOf(nowMillis)} />.
          </>
        )
      }
    case "mailboxes_off":
      return {
        text: `${count(of.leads, "lead is", "leads are")} assigned to a mailbox that is not active.`,
        href: "/console/sending",
        link: "Sending"
      }
    case "awaiting_approval":
      return {
        text: `Nobody has approved emailing ${count(of.leads, "lead")} of this campaign.`,
        href: "/console/approvals",
        link: "Approvals"
      }
    case "window_closed":
      return {
        text:
          of.opensAtMillis === null ? (
            "The schedule has no sending hours."
          ) : (
            <>
              It is outside the sending hours. They start <Moment atMillis={of.opensAtMillis} />.
            </>
          )
      }
    case "not_due":
      return {
        text: (
          <>
            The next message is due <Moment atMillis={of.nextAtMillis} />.
          </>
        )
      }
    case "limits":
      return {
        text: (
          <>
            People are due, and a limit lets the next message leave <Moment atMillis={of.nextAtMillis} />: of messages
            to one company or receiver a day, or of what its mailboxes may send today.
          </>
        )
      }
    case "nobody_left":
      return { text: "Every message was sent. The campaign completes when the wait for replies ends." }
  }
}
