import { defineMachine } from "../../kernel/machine.js"

/** A key works until it is revoked; revoking is final. A pause stops it, and people resume it in the console. */
export const KeyMachine = defineMachine("key", {
  states: ["active", "paused", "revoked"],
  events: ["pause", "resume", "revoke"],
  initial: "active",
  groups: {
    active: ["active"],
    paused: ["paused"],
    revoked: ["revoked"]
  },
  table: {
    active: { pause: "paused", resume: "same", revoke: "revoked" },
    paused: { pause: "same", resume: "active", revoke: "revoked" },
    revoked: { pause: "refuse", resume: "refuse", revoke: "same" }
  }
})

export type KeyState = (typeof KeyMachine.states)[number]
