import { defineMachine } from "../../../kernel/machine.js"

/**
 * A person in a campaign at a vendor. `present` and `gone` are proven; in between they may be there.
 *
 * - `push`: the vendor is about to be asked to take them. `withhold`: it said that it did nothing.
 * - `confirm`: they are there. `miss`: they were looked for, and are not, yet. `refuse`: it does not take them.
 * - `leave`: nothing may be sent to them any more. `prove`: a look at the vendor says that nothing will be.
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
    gone: ["gone"]
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

/** The vendor has not said yet whether it has them. */
export const UNSETTLED = VendorLeadMachine.states.filter(
  (state) => VendorLeadMachine.table[state].push === "asked" || state === "asked"
)
