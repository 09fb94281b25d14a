import { defineMachine } from "../../../kernel/machine.js"

/**
 * A person in a campaign at a vendor. `present` and `gone` are proven; in other states they may be there.
 *
 * - `push`: we are about to ask the vendor to add them. `withhold`: it said that it did nothing.
 * - `confirm`: they are there. `miss`: we looked and they are not there yet. `refuse`: the vendor rejects them.
 * - `leave`: they must get no more messages. `prove`: a look at the vendor shows that they won't.
 */
export const VendorLeadMachine = defineMachine("vendor_lead", {
  states: ["waiting", "asked", "missing", "present", "leaving", "gone", "refused"],
  events: ["push", "withhold", "confirm", "miss", "refuse", "leave", "prove"],
  initial: "waiting",
  groups: {
    waiting: ["waiting"],
    missing: ["missing"],
    present: ["present"],
    leaving: ["leaving"],
    gone: ["gone"],
    /** Nothing is settled: they may come to be there, or have to leave. */
    unresolved: ["waiting", "asked", "missing", "present", "leaving"],
    /** They were given to the vendor once, which did not refuse them. */
    given: ["asked", "missing", "present", "leaving", "gone"],
    /** The vendor may write to them. */
    there: ["asked", "missing", "present", "leaving"]
  },
  table: {
    waiting: {
      push: "asked",
      withhold: "same",
      confirm: "present",
      miss: "same",
      refuse: "refused",
      leave: "gone",
      prove: "gone"
    },
    asked: {
      push: "refuse",
      withhold: "waiting",
      confirm: "present",
      miss: "missing",
      refuse: "refused",
      leave: "leaving",
      prove: "refuse"
    },
    missing: {
      push: "asked",
      withhold: "same",
      confirm: "present",
      miss: "same",
      refuse: "refused",
      leave: "leaving",
      prove: "refuse"
    },
    present: {
      push: "refuse",
      withhold: "refuse",
      confirm: "same",
      miss: "refuse",
      refuse: "refuse",
      leave: "leaving",
      prove: "refuse"
    },
    leaving: {
      push: "refuse",
      withhold: "refuse",
      confirm: "same",
      miss: "same",
      refuse: "same",
      leave: "same",
      prove: "gone"
    },
    gone: {
      push: "refuse",
      withhold: "refuse",
      confirm: "leaving",
      miss: "same",
      refuse: "same",
      leave: "leaving",
      prove: "same"
    },
    refused: {
      push: "refuse",
      withhold: "refuse",
      confirm: "leaving",
      miss: "same",
      refuse: "same",
      leave: "leaving",
      prove: "refuse"
    }
  }
})

export type VendorLeadState = (typeof VendorLeadMachine.states)[number]

/** The vendor has not confirmed or refused them yet. */
export const UNSETTLED = VendorLeadMachine.states.filter(
  (state) => VendorLeadMachine.table[state].push === "asked" || state === "asked"
)
