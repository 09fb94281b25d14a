import { defineMachine } from "../../kernel/machine.js"

/**
 * One message to one person. One host claims it once and sends it at most once: a claim is never reused. If we can't
 * tell whether it was sent, it ends `unknown` and a person decides.
 */
export const MessageMachine = defineMachine("message", {
  states: ["claimed", "sent", "failed", "unknown"],
  events: ["accept", "reject", "lose"],
  initial: "claimed",
  groups: {
    inFlight: ["claimed"],
    left: ["sent"],
    unsent: ["failed"],
    /** States without proof that it was not sent and won't be. */
    unproven: ["claimed", "unknown"]
  },
  table: {
    claimed: { accept: "sent", reject: "failed", lose: "unknown" },
    sent: { accept: "same", reject: "refuse", lose: "same" },
    failed: { accept: "refuse", reject: "same", lose: "same" },
    unknown: { accept: "sent", reject: "failed", lose: "same" }
  }
})

/** Outcomes of a message that count against its mailbox. `refused`: a server refused the sender by policy. */
export const MESSAGE_OUTCOMES = ["hard_bounce", "complaint", "refused"] as const
export type MessageOutcome = (typeof MESSAGE_OUTCOMES)[number]

export type MessageState = (typeof MessageMachine.states)[number]
