import { defineMachine } from "../../kernel/machine.js"

/**
 * An answer of ours to one inbound message. It is recorded before it is sent, and goes out at most once: what is
 * `unknown` is looked up at the provider, once, and never sent again. One that provably did not leave gives its place
 * to the next.
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
