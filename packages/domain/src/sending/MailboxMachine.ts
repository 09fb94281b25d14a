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

export type MailboxState = (typeof MailboxMachine.states)[number]
