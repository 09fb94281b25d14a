import { defineMachine } from "../../kernel/machine.js"

/**
 * The DNS records of a sending domain: `open` until somebody sets them; `applying` what an owner approved; `checking`
 * until every check is green; `good` then; `late` if that took too long.
 */
export const SendingDomainMachine = defineMachine("sending domain", {
  states: ["open", "applying", "checking", "good", "late"],
  events: ["approve", "check", "applied", "stop", "pass", "expire"],
  initial: "open",
  groups: {
    open: ["open"],
    applying: ["applying"],
    checking: ["checking"],
    good: ["good"],
    late: ["late"],
    underWay: ["applying", "checking"]
  },
  table: {
    open: { approve: "applying", check: "checking", applied: "refuse", stop: "same", pass: "refuse", expire: "refuse" },
    applying: {
      approve: "refuse",
      check: "refuse",
      applied: "checking",
      stop: "open",
      pass: "refuse",
      expire: "refuse"
    },
    checking: { approve: "applying", check: "same", applied: "same", stop: "refuse", pass: "good", expire: "late" },
    good: { approve: "applying", check: "checking", applied: "refuse", stop: "refuse", pass: "same", expire: "refuse" },
    late: { approve: "applying", check: "checking", applied: "refuse", stop: "refuse", pass: "good", expire: "same" }
  }
})

export type SendingDomainState = (typeof SendingDomainMachine.states)[number]
