import { defineMachine } from "../../kernel/machine.js"

/** Nothing is to be done any more. */
const ENDED = {
  claim: "refuse",
  deliver: "refuse",
  retry: "refuse",
  lose: "refuse",
  absent: "refuse",
  fail: "refuse",
  cancel: "refuse"
} as const

/**
 * One note for a CRM. A host that dies while it writes leaves the outcome unknown: we then look for the note's marker
 * there, and write again only if it is absent.
 */
export const CrmWriteMachine = defineMachine("crm_write", {
  states: ["waiting", "writing", "unknown", "written", "failed", "cancelled"],
  events: ["claim", "deliver", "retry", "lose", "absent", "fail", "cancel"],
  initial: "waiting",
  groups: {
    waiting: ["waiting"],
    writing: ["writing"],
    unknown: ["unknown"],
    /** Something is still to be done. */
    open: ["waiting", "writing", "unknown"],
    /** Nobody is at it: it is tried when it is due. */
    due: ["waiting", "unknown"],
    written: ["written"],
    failed: ["failed"]
  },
  table: {
    waiting: {
      claim: "writing",
      deliver: "refuse",
      retry: "refuse",
      lose: "refuse",
      absent: "refuse",
      fail: "refuse",
      cancel: "cancelled"
    },
    writing: {
      claim: "refuse",
      deliver: "written",
      retry: "waiting",
      lose: "unknown",
      absent: "refuse",
      fail: "failed",
      cancel: "cancelled"
    },
    unknown: {
      claim: "refuse",
      deliver: "written",
      retry: "refuse",
      lose: "same",
      absent: "waiting",
      fail: "failed",
      cancel: "cancelled"
    },
    written: { ...ENDED, deliver: "same" },
    failed: { ...ENDED, fail: "same" },
    cancelled: { ...ENDED, cancel: "same" }
  }
})
export type CrmWriteState = (typeof CrmWriteMachine.states)[number]
