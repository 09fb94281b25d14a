import { defineMachine } from "../../kernel/machine.js"

/**
 * A link host: `waiting` for its proof in the name system; `proven`, so that a certificate may be issued for it; `used` in new
 * mail once it answers; `failing` after it stopped answering; `retired` when its owner removed it, or somebody else proved
 * that the name is theirs. Old links are good in every state.
 */
export const LinkHostMachine = defineMachine("link host", {
  states: ["waiting", "proven", "used", "failing", "retired"],
  events: ["add", "prove", "answer", "fail", "retire"],
  initial: "waiting",
  groups: {
    waiting: ["waiting"],
    proven: ["proven"],
    used: ["used"],
    failing: ["failing"],
    retired: ["retired"],
    /** Its workspace has it, and no other one can. */
    held: ["proven", "used", "failing"],
    /** It is looked at again and again. */
    watched: ["waiting", "proven", "used", "failing"]
  },
  table: {
    waiting: { add: "same", prove: "proven", answer: "refuse", fail: "same", retire: "retired" },
    proven: { add: "same", prove: "same", answer: "used", fail: "same", retire: "retired" },
    used: { add: "same", prove: "same", answer: "same", fail: "failing", retire: "retired" },
    failing: { add: "same", prove: "same", answer: "used", fail: "same", retire: "retired" },
    retired: { add: "waiting", prove: "refuse", answer: "refuse", fail: "refuse", retire: "same" }
  }
})

export type LinkHostState = (typeof LinkHostMachine.states)[number]
