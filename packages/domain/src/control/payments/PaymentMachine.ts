import { defineMachine } from "../../kernel/machine.js"

/**
 * What becomes of a top-up. `ask`: the provider waits for the owner to act; `lose`: its answer is uncertain, until it is
 * looked up. Events come in any order and any number of times: money that arrived is booked once whatever was told
 * before, and what was booked is never taken back by a late word.
 */
export const PaymentMachine = defineMachine("payment", {
  states: ["created", "action_required", "unknown", "paid", "failed"],
  events: ["ask", "pay", "fail", "lose"],
  initial: "created",
  groups: {
    payable: ["action_required"],
    paid: ["paid"],
    awaited: ["created", "action_required", "unknown"],
    /** We wait for nothing more. Should the money of a failed one arrive after all, it is booked. */
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
