import type { CampaignState, PauseReason } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import type { LeadState } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import type { Hindrance } from "@outbound/domain/control/console/whyNotSending.js"
import { count, momentWords } from "../../web/Words.js"

type Tone = "good" | "bad" | "wait" | undefined

export const STATE_WORDS: Readonly<Record<CampaignState, readonly [words: string, tone: Tone]>> = {
  draft: ["Draft", undefined],
  incomplete: ["Incomplete", "wait"],
  active: ["Active", "good"],
  paused: ["Paused", "wait"],
  completed: ["Completed", undefined]
}

export const PAUSE_WORDS: Readonly<Record<PauseReason, string>> = {
  awaiting_approval: "More people were added, and nobody has approved writing to them yet.",
  killed: "It was stopped together with all other sending, and never goes on. Rebuild it as a new draft.",
  owner: "An owner paused it. Launching it again, with an approval, lets it go on.",
  capacity: "Its mailboxes are not paid for or not in order. Once they are, it can be launched again."
}

export const LEAD_WORDS: Readonly<Record<LeadState, string>> = {
  pending: "Imported",
  ready: "Ready",
  active: "Being written to",
  replied: "Replied",
  bounced: "Bounced",
  unsubscribed: "Unsubscribed",
  removed: "Taken out",
  finished: "Sequence done",
  failed: "Failed"
}

/** What keeps a campaign from sending, and where something can be done about it. */
export const hindranceWords = (
  of: Hindrance
): { readonly text: string; readonly href?: string; readonly link?: string } => {
  switch (of.kind) {
    case "draft":
      return {
        text: "It is a draft. An agent launches it, and a human approves the launch.",
        href: "/console/approvals",
        link: "Approvals"
      }
    case "incomplete":
      return { text: "The sending provider has not confirmed everybody yet. An agent finalises it." }
    case "completed":
      return { text: "It is done: everybody in it has reached an end." }
    case "paused":
      return { text: `It is paused. ${PAUSE_WORDS[of.reason]}` }
    case "suspended":
      return {
        text: `All sending of the workspace is stopped${of.reason === null ? "" : `: ${of.reason}`}`,
        href: "/console/settings#sending",
        link: "Settings"
      }
    case "no_postal_address":
      return {
        text: "The workspace has no postal address, which every message must carry.",
        href: "/console/settings#address",
        link: "Settings"
      }
    case "no_active_mailbox":
      return {
        text:
          of.provisioning > 0
            ? `No mailbox is active yet: ${count(of.provisioning, "is", "are")} being set up.`
            : of.paused > 0
              ? `No mailbox is active: ${count(of.paused, "is", "are")} paused.`
              : "There is no mailbox to send from.",
        href: "/console/sending",
        link: "Sending"
      }
    case "workspace_cap":
      return {
        text: `The workspace has sent all it may send today (${count(of.cap, "message")}). It goes on at midnight UTC.`
      }
    case "mailbox_caps":
      return {
        text: `Every mailbox has sent all it may send today (at most ${count(of.cap, "message")} each, and fewer while they are new). It goes on at midnight UTC.`
      }
    case "mailboxes_off":
      return {
        text: `${count(of.leads, "person is", "people are")} written to from a mailbox that is not active.`,
        href: "/console/sending",
        link: "Sending"
      }
    case "awaiting_approval":
      return {
        text: `Nobody has approved writing to ${count(of.leads, "person", "people")} in it.`,
        href: "/console/approvals",
        link: "Approvals"
      }
    case "window_closed":
      return {
        text:
          of.opensAtMillis === null
            ? "Its schedule never opens."
            : `It is outside its hours. They open ${momentWords(of.opensAtMillis)}.`
      }
    case "not_due":
      return { text: `Nothing is due before ${momentWords(of.nextAtMillis)}.` }
    case "nobody_left":
      return { text: "Everybody has had every message. It is done once the wait for answers is over." }
  }
}
