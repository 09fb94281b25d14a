import { defineMachine } from "../../kernel/machine.js"

/** Asynchronous work such as a purchase of sending capacity. */
export const OperationMachine = defineMachine("operation", {
  states: ["queued", "running", "waiting_external", "succeeded", "partially_succeeded", "failed"],
  events: ["begin", "wait", "succeed", "succeed_partially", "fail"],
  initial: "queued",
  groups: { over: ["succeeded", "partially_succeeded", "failed"] },
  table: {
    queued: {
      begin: "running",
      wait: "refuse",
      succeed: "refuse",
      succeed_partially: "refuse",
      fail: "failed"
    },
    running: {
      begin: "same",
      wait: "waiting_external",
      succeed: "succeeded",
      succeed_partially: "partially_succeeded",
      fail: "failed"
    },
    waiting_external: {
      begin: "same",
      wait: "same",
      succeed: "succeeded",
      succeed_partially: "partially_succeeded",
      fail: "failed"
    },
    succeeded: { begin: "same", wait: "same", succeed: "same", succeed_partially: "refuse", fail: "refuse" },
    partially_succeeded: { begin: "same", wait: "same", succeed: "refuse", succeed_partially: "same", fail: "refuse" },
    failed: { begin: "same", wait: "same", succeed: "refuse", succeed_partially: "refuse", fail: "same" }
  }
})

export type OperationStatus = (typeof OperationMachine.states)[number]
