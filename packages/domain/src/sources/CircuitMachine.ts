import { defineMachine } from "../kernel/machine.js"

/**
 * Whether a source is asked. A closed circuit admits everything. An open one admits nothing until its wait ends. Then
 * one request goes ahead, and its outcome decides for the rest.
 */
export const CircuitMachine = defineMachine("circuit", {
  states: ["closed", "open", "half_open"],
  events: ["trip", "probe", "recover", "relapse", "abandon"],
  initial: "closed",
  groups: {
    closed: ["closed"],
    open: ["open"],
    probing: ["half_open"]
  },
  table: {
    closed: { trip: "open", probe: "refuse", recover: "same", relapse: "same", abandon: "same" },
    // Requests from before it opened may still answer or fail. Neither is news.
    open: { trip: "same", probe: "half_open", recover: "same", relapse: "same", abandon: "same" },
    half_open: { trip: "same", probe: "refuse", recover: "closed", relapse: "open", abandon: "open" }
  }
})

export type CircuitState = (typeof CircuitMachine.states)[number]
