import { defineMachine } from "../../kernel/machine.js"

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
    /** A person may still decide it, or a call use it. */
    open: ["pending", "approved"]
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
    declined: {
      approve: "refuse",
      decline: "same",
      expire: "refuse",
      supersede: "refuse",
      cancel: "refuse",
      use: "refuse",
      release: "refuse"
    },
    expired: {
      approve: "refuse",
      decline: "refuse",
      expire: "same",
      supersede: "refuse",
      cancel: "refuse",
      use: "refuse",
      release: "refuse"
    },
    superseded: {
      approve: "refuse",
      decline: "refuse",
      expire: "refuse",
      supersede: "same",
      cancel: "refuse",
      use: "refuse",
      release: "refuse"
    },
    cancelled: {
      approve: "refuse",
      decline: "refuse",
      expire: "refuse",
      supersede: "refuse",
      cancel: "same",
      use: "refuse",
      release: "refuse"
    },
    used: {
      approve: "refuse",
      decline: "refuse",
      expire: "refuse",
      supersede: "refuse",
      cancel: "refuse",
      use: "refuse",
      release: "approved"
    }
  }
})

export type ApprovalState = (typeof ApprovalMachine.states)[number]
