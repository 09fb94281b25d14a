import { defineMachine } from "../../kernel/machine.js"

/**
 * One message to one person. It is claimed once, by one host, and goes out at most once: a claim is never taken up
 * again. Without proof either way it ends `unknown` and is left to a human.
 */
export const MessageMachine = defineMachine("message", {
  states: ["claimed", "sent", "failed", "unknown"],
  events: ["accept", "reject", "lose"],
  initial: "claimed",
  groups: {
    inFlight: ["claimed"],
    left: ["sent"],
    unsent: ["failed"],
    /** Nothing proves that it did not leave, or is not about to. */
    unproven: ["claimed", "unknown"]
  },
  table: {
    claimed: { accept: "sent", reject: "failed", lose: "unknown" },
    sent: { accept: "same", reject: "refuse", lose: "same" },
    failed: { accept: "refuse", reject: "same", lose: "same" },
    unknown: { accept: "sent", reject: "failed", lose: "same" }
  }
})

/** What became of a message that left, as far as it weighs on its mailbox. */
export const MESSAGE_OUTCOMES = ["hard_bounce", "complaint"] as const
export type MessageOutcome = (typeof MESSAGE_OUTCOMES)[number]

export type MessageState = (typeof MessageMachine.states)[number]
