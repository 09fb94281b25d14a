import { defineMachine } from "../../kernel/machine.js"

/**
 * Our reply to one inbound message. It is recorded before it is sent, and sent at most once: an `unknown` one is looked
 * up at the provider and never resent. If it was provably not sent, another reply may take its place.
 */
export const SentReplyMachine = defineMachine("sent_reply", {
  states: ["pending", "sent", "failed", "unknown"],
  events: ["accept", "reject", "lose"],
  initial: "pending",
  groups: {
    pending: ["pending"],
    left: ["sent"],
    unsent: ["failed"]
  },
  table: {
    pending: { accept: "sent", reject: "failed", lose: "unknown" },
    sent: { accept: "same", reject: "refuse", lose: "same" },
    failed: { accept: "refuse", reject: "same", lose: "refuse" },
    unknown: { accept: "sent", reject: "failed", lose: "same" }
  }
})

export type SentReplyState = (typeof SentReplyMachine.states)[number]
