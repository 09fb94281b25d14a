import { defineMachine } from "../../../kernel/machine.js"

/**
 * One message about an approval to one person or one chat channel (contract: approvals, who is told). A host that dies
 * while it sends leaves the outcome unknown: it is not repeated, since the message may have arrived.
 */
export const NoticeMachine = defineMachine("notice", {
  states: ["waiting", "sending", "sent", "unknown", "failed", "cancelled"],
  events: ["claim", "deliver", "retry", "fail", "lose", "cancel"],
  initial: "waiting",
  groups: {
    waiting: ["waiting"],
    sending: ["sending"],
    open: ["waiting", "sending"],
    /** Nobody knows, or everybody knows that it did not arrive. */
    trouble: ["unknown", "failed"]
  },
  table: {
    waiting: {
      claim: "sending",
      deliver: "refuse",
      retry: "refuse",
      fail: "refuse",
      lose: "refuse",
      cancel: "cancelled"
    },
    sending: { claim: "refuse", deliver: "sent", retry: "waiting", fail: "failed", lose: "unknown", cancel: "refuse" },
    sent: { claim: "refuse", deliver: "same", retry: "refuse", fail: "refuse", lose: "refuse", cancel: "refuse" },
    unknown: { claim: "refuse", deliver: "refuse", retry: "refuse", fail: "refuse", lose: "same", cancel: "refuse" },
    failed: { claim: "refuse", deliver: "refuse", retry: "refuse", fail: "same", lose: "refuse", cancel: "refuse" },
    cancelled: { claim: "refuse", deliver: "refuse", retry: "refuse", fail: "refuse", lose: "refuse", cancel: "same" }
  }
})
export type NoticeState = (typeof NoticeMachine.states)[number]
