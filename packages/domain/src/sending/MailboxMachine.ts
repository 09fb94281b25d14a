import { defineMachine } from "../machine.js"

/** A sending mailbox: ordered, alive, paused (upkeep unpaid, health) or never delivered. */
export const MailboxMachine = defineMachine("mailbox", {
  states: ["provisioning", "active", "paused", "failed"],
  events: ["activate", "pause", "resume", "fail"],
  initial: "provisioning",
  table: {
    provisioning: { activate: "active", pause: "refuse", resume: "refuse", fail: "failed" },
    active: { activate: "same", pause: "paused", resume: "same", fail: "refuse" },
    paused: { activate: "refuse", pause: "same", resume: "active", fail: "refuse" },
    failed: { activate: "refuse", pause: "refuse", resume: "refuse", fail: "same" }
  }
})

/** Who provides a mailbox: the sending provider that it was bought from or taken over at, or the workspace itself. */
export const MAILBOX_KINDS = ["purchased", "own"] as const
export type MailboxKind = (typeof MAILBOX_KINDS)[number]

/**
 * Why a mailbox is paused: unpaid, by its owner, for its health, because its server no longer lets us in, or because the
 * server that it sends by has taken nothing for long.
 */
export const MAILBOX_PAUSE_REASONS = ["upkeep", "owner", "bounces", "complaints", "login", "unreachable"] as const
export type MailboxPauseReason = (typeof MAILBOX_PAUSE_REASONS)[number]

export type MailboxState = (typeof MailboxMachine.states)[number]
