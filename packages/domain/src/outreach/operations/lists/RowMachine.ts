import { defineMachine } from "../../../kernel/machine.js"

/** A row of a list. `begin` opens its call; it may be made again after a crash, and ends once. */
export const RowMachine = defineMachine("list_row", {
  states: ["pending", "running", "done", "failed", "cancelled"],
  events: ["begin", "succeed", "fail", "cancel"],
  initial: "pending",
  groups: { underWay: ["running"], done: ["done"], failed: ["failed"], carriedOut: ["done", "failed"] },
  table: {
    pending: { begin: "running", succeed: "refuse", fail: "failed", cancel: "cancelled" },
    running: { begin: "same", succeed: "done", fail: "failed", cancel: "refuse" },
    done: { begin: "refuse", succeed: "same", fail: "refuse", cancel: "same" },
    failed: { begin: "refuse", succeed: "refuse", fail: "same", cancel: "same" },
    cancelled: { begin: "refuse", succeed: "refuse", fail: "refuse", cancel: "same" }
  }
})

export type RowState = (typeof RowMachine.states)[number]
