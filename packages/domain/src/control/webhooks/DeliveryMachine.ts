import { defineMachine } from "../../kernel/machine.js"

/**
 * One event for one endpoint. `exhaust`: the last retry failed. Exhausted and delivered events are kept, and a person
 * may resend them.
 */
export const DeliveryMachine = defineMachine("webhook_delivery", {
  states: ["pending", "delivered", "failed"],
  events: ["deliver", "fail", "exhaust", "send_again"],
  initial: "pending",
  groups: {
    pending: ["pending"],
    delivered: ["delivered"],
    failed: ["failed"]
  },
  table: {
    pending: { deliver: "delivered", fail: "same", exhaust: "failed", send_again: "same" },
    delivered: { deliver: "refuse", fail: "refuse", exhaust: "refuse", send_again: "pending" },
    failed: { deliver: "refuse", fail: "refuse", exhaust: "refuse", send_again: "pending" }
  }
})
export type DeliveryState = (typeof DeliveryMachine.states)[number]
