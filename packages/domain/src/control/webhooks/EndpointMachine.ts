import { defineMachine } from "../../kernel/machine.js"

/**
 * A webhook endpoint. Humans alone move it: however long it fails, the service goes on trying.
 *
 * `disabled`: nothing is sent, new events are not collected, and what waited is held until it is enabled again.
 */
export const EndpointMachine = defineMachine("webhook_endpoint", {
  states: ["enabled", "disabled", "removed"],
  events: ["enable", "disable", "remove"],
  initial: "enabled",
  groups: {
    on: ["enabled"],
    removed: ["removed"]
  },
  table: {
    enabled: { enable: "same", disable: "disabled", remove: "removed" },
    disabled: { enable: "enabled", disable: "same", remove: "removed" },
    removed: { enable: "refuse", disable: "refuse", remove: "same" }
  }
})
export type EndpointState = (typeof EndpointMachine.states)[number]
export type EndpointEvent = (typeof EndpointMachine.events)[number]
