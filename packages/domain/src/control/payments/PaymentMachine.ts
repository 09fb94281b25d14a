import { defineMachine } from "../../kernel/machine.js"

/**
 * The states of a top-up. `ask`: the provider waits for the owner; `lose`: the outcome is unknown until looked up.
 * Events may repeat and come in any order. Money that arrives is booked once, whatever came before. A payment whose money
 * goes back stays paid: how much went back, and how many of its credits were taken back, is counted beside it.
 */
export const PaymentMachine = defineMachine("payment", {
  states: ["created", "action_required", "unknown", "paid", "failed"],
  events: ["ask", "pay", "fail", "lose"],
  initial: "created",
  groups: {
    payable: ["action_required"],
    paid: ["paid"],
    awaited: ["created", "action_required", "unknown"],
    /** We stop waiting. If a failed payment's money arrives after all, it is booked. */
    over: ["paid", "failed"]
  },
  table: {
    created: { ask: "action_required", pay: "paid", fail: "failed", lose: "unknown" },
    action_required: { ask: "same", pay: "paid", fail: "failed", lose: "same" },
    unknown: { ask: "action_required", pay: "paid", fail: "failed", lose: "same" },
    paid: { ask: "refuse", pay: "same", fail: "refuse", lose: "refuse" },
    failed: { ask: "refuse", pay: "paid", fail: "same", lose: "refuse" }
  }
})

export type PaymentState = (typeof PaymentMachine.states)[number]
export type PaymentEvent = (typeof PaymentMachine.events)[number]
