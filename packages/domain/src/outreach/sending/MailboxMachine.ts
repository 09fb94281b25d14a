import { defineMachine } from "../../kernel/machine.js"

/** A sending mailbox: ordered, active, paused, or gone: never delivered, or given back to its vendor's account. */
export const MailboxMachine = defineMachine("mailbox", {
  states: ["provisioning", "active", "paused", "failed"],
  events: ["activate", "pause", "resume", "fail", "release"],
  initial: "provisioning",
  groups: {
    sending: ["active"],
    paused: ["paused"],
    ordered: ["provisioning"],
    gone: ["failed"]
  },
  table: {
    provisioning: { activate: "active", pause: "refuse", resume: "refuse", fail: "failed", release: "refuse" },
    active: { activate: "same", pause: "paused", resume: "same", fail: "refuse", release: "failed" },
    paused: { activate: "refuse", pause: "same", resume: "active", fail: "refuse", release: "failed" },
    failed: { activate: "refuse", pause: "refuse", resume: "refuse", fail: "same", release: "same" }
  }
})

/** Who provides a mailbox: the sending provider that sold it or where it was adopted, or the workspace itself. */
export const MAILBOX_KINDS = ["purchased", "own"] as const
export type MailboxKind = (typeof MAILBOX_KINDS)[number]

/**
 * Why a mailbox is paused: upkeep unpaid, by its owner, its health, its server refuses our sign-in, its outgoing server
 * has accepted nothing for long, its domain's mail fails DMARC, its domain or server is on a
 * blocklist, or its domain is not authenticated.
 */
export const MAILBOX_PAUSE_REASONS = [
  "upkeep",
  "owner",
  "bounces",
  "complaints",
  "login",
  "unreachable",
  "dmarc",
  "blocklist",
  "authentication"
] as const
export type MailboxPauseReason = (typeof MAILBOX_PAUSE_REASONS)[number]

export type MailboxState = (typeof MailboxMachine.states)[number]
