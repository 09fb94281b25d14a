import { defineMachine } from "../../kernel/machine.js"

/**
 * A canary: `planned` for a pair of own mailboxes; `sending` from its claim on, when it may have left; `sent` once the server
 * took it. Then it is found in the `inbox` or in `junk`, or it is `missing`. `unknown`: nobody can say, so it counts for
 * nothing: a host died while it sent and it never came, or the mailbox that got it is gone. `dropped`: it never left.
 */
export const CanaryMachine = defineMachine("canary", {
  states: ["planned", "sending", "sent", "inbox", "junk", "missing", "unknown", "dropped"],
  events: ["claim", "accept", "refuse", "find_inbox", "find_junk", "give_up", "lose", "drop"],
  initial: "planned",
  groups: {
    planned: ["planned"],
    /** It may have left, or did. It is looked for, and never sent again. */
    away: ["sending", "sent"],
    sent: ["sent"],
    open: ["planned", "sending", "sent"],
    found: ["inbox", "junk"],
    inbox: ["inbox"],
    junk: ["junk"],
    missing: ["missing"],
    /** It says something of where mail arrives. */
    measured: ["inbox", "junk", "missing"],
    elsewhere: ["junk", "missing"]
  },
  table: {
    planned: {
      claim: "sending",
      accept: "refuse",
      refuse: "refuse",
      find_inbox: "refuse",
      find_junk: "refuse",
      give_up: "dropped",
      lose: "dropped",
      drop: "dropped"
    },
    sending: {
      claim: "refuse",
      accept: "sent",
      refuse: "dropped",
      find_inbox: "inbox",
      find_junk: "junk",
      give_up: "unknown",
      lose: "unknown",
      drop: "refuse"
    },
    sent: {
      claim: "refuse",
      accept: "same",
      refuse: "refuse",
      find_inbox: "inbox",
      find_junk: "junk",
      give_up: "missing",
      lose: "unknown",
      drop: "refuse"
    },
    inbox: ended(),
    junk: ended(),
    missing: ended(),
    unknown: ended(),
    dropped: ended()
  }
})

/** Nothing changes what was found. */
function ended() {
  return {
    claim: "refuse",
    accept: "refuse",
    refuse: "refuse",
    find_inbox: "refuse",
    find_junk: "refuse",
    give_up: "refuse",
    lose: "refuse",
    drop: "refuse"
  } as const
}

export type CanaryState = (typeof CanaryMachine.states)[number]
