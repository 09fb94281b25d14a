import { defineMachine } from "../../kernel/machine.js"

/** Nobody decides it any more, and no call may use it. */
const CLOSED = {
  approve: "refuse",
  decline: "refuse",
  expire: "refuse",
  supersede: "refuse",
  cancel: "refuse",
  use: "refuse",
  release: "refuse"
} as const

/**
 * The states of an approval (contract: approvals, states). `release` makes a used one approved again if the call ended
 * with proof that nothing happened outside.
 */
export const ApprovalMachine = defineMachine("approval", {
  states: ["pending", "approved", "declined", "expired", "superseded", "cancelled", "used"],
  events: ["approve", "decline", "expire", "supersede", "cancel", "use", "release"],
  initial: "pending",
  groups: {
    undecided: ["pending"],
    used: ["used"],
    cancelled: ["cancelled"],
    expired: ["expired"],
    superseded: ["superseded"],
    /** A person's decision stands. */
    decided: ["approved", "declined", "used"],
    /** A person may still decide it, or a call use it. */
    open: ["pending", "approved"],
    /** Enough people said yes. */
    granted: ["approved", "used"]
  },
  table: {
    pending: {
      approve: "approved",
      decline: "declined",
      expire: "expired",
      supersede: "superseded",
      cancel: "cancelled",
      use: "refuse",
      release: "refuse"
    },
    approved: {
      approve: "same",
      decline: "refuse",
      expire: "expired",
      supersede: "superseded",
      cancel: "cancelled",
      use: "used",
      release: "refuse"
    },
    declined: { ...CLOSED, decline: "same" },
    expired: { ...CLOSED, expire: "same" },
    superseded: { ...CLOSED, supersede: "same" },
    cancelled: { ...CLOSED, cancel: "same" },
    used: { ...CLOSED, release: "approved" }
  }
})

export type ApprovalState = (typeof ApprovalMachine.states)[number]
