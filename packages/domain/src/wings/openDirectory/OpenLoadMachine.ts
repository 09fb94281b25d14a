import { defineMachine } from "../../kernel/machine.js"

/**
 * The load of one published file. `reading`: its records are taken. `sweeping`: what an earlier file of the same part held
 * and this one doesn't is removed. `naming`: companies without a website are looked for among places. A load that a death
 * cut off goes on where it was; one that another file replaces begins anew.
 */
export const OpenLoadMachine = defineMachine("open_load", {
  states: ["reading", "sweeping", "naming", "ended"],
  events: ["begin", "read", "swept", "named"],
  initial: "reading",
  groups: {
    reading: ["reading"],
    sweeping: ["sweeping"],
    naming: ["naming"],
    ended: ["ended"]
  },
  table: {
    reading: { begin: "same", read: "sweeping", swept: "refuse", named: "refuse" },
    sweeping: { begin: "reading", read: "refuse", swept: "naming", named: "refuse" },
    naming: { begin: "reading", read: "refuse", swept: "refuse", named: "ended" },
    ended: { begin: "reading", read: "refuse", swept: "refuse", named: "refuse" }
  }
})
export type OpenLoadState = (typeof OpenLoadMachine.states)[number]
