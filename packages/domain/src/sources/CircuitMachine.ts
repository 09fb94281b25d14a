import { defineMachine } from "../kernel/machine.js"

/**
 * Whether a source is asked. A closed circuit lets everything through. An open one lets nothing through until its wait
 * is over; then one request goes ahead, and what becomes of it decides for the others.
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
    // What was asked before it opened may still answer, or fail: neither says anything new.
    open: { trip: "same", probe: "half_open", recover: "same", relapse: "same", abandon: "same" },
    half_open: { trip: "same", probe: "refuse", recover: "closed", relapse: "open", abandon: "open" }
  }
})

export type CircuitState = (typeof CircuitMachine.states)[number]
