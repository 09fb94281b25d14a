import { defineMachine } from "../kernel/machine.js"

/**
 * The states of a loosening that a key asked for. `supersede`: the same key asks for another change of the same key.
 * `cancel`: the key to change is revoked. A decision is final (`change_request_closed`).
 */
export const ChangeRequestMachine = defineMachine("change request", {
  states: ["open", "approved", "declined", "superseded", "cancelled"],
  events: ["approve", "decline", "supersede", "cancel"],
  initial: "open",
  groups: {
    open: ["open"]
  },
  table: {
    open: { approve: "approved", decline: "declined", supersede: "superseded", cancel: "cancelled" },
    approved: { approve: "refuse", decline: "refuse", supersede: "refuse", cancel: "refuse" },
    declined: { approve: "refuse", decline: "refuse", supersede: "refuse", cancel: "refuse" },
    superseded: { approve: "refuse", decline: "refuse", supersede: "same", cancel: "refuse" },
    cancelled: { approve: "refuse", decline: "refuse", supersede: "refuse", cancel: "same" }
  }
})

export type ChangeRequestState = (typeof ChangeRequestMachine.states)[number]
