import { defineMachine } from "../../kernel/machine.js"

/**
 * A webhook endpoint. Only people change its state: the service keeps trying however long it fails.
 *
 * `disabled`: nothing is sent and new events are not collected. Waiting events are held until it is enabled.
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
