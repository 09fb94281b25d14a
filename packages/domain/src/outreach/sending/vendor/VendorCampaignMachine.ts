import { defineMachine } from "../../../kernel/machine.js"

/**
 * The proven state of a campaign at a vendor that schedules by itself. A campaign that may send counts as sending until
 * a look at the vendor says otherwise.
 *
 * - `create`, `activate`, `pause`: we are about to ask the vendor.
 * - `find`: it exists, by the vendor's answer or our marker. `miss`: we looked, and it doesn't exist.
 * - `confirm`, `stop`: a look shows that it sends, or doesn't. `stray`: it sends but must not.
 */
export const VendorCampaignMachine = defineMachine("vendor_campaign", {
  states: ["absent", "creating", "idle", "activating", "sending", "pausing"],
  events: ["create", "find", "miss", "activate", "confirm", "pause", "stop", "stray"],
  initial: "absent",
  groups: {
    absent: ["absent"],
    idle: ["idle"],
    activating: ["activating"],
    sending: ["sending"]
  },
  table: {
    absent: {
      create: "creating",
      find: "idle",
      miss: "same",
      activate: "refuse",
      confirm: "refuse",
      pause: "same",
      stop: "same",
      stray: "refuse"
    },
    creating: {
      create: "same",
      find: "idle",
      miss: "absent",
      activate: "refuse",
      confirm: "refuse",
      pause: "same",
      stop: "same",
      stray: "refuse"
    },
    idle: {
      create: "refuse",
      find: "same",
      miss: "refuse",
      activate: "activating",
      confirm: "refuse",
      pause: "same",
      stop: "same",
      stray: "pausing"
    },
    activating: {
      create: "refuse",
      find: "same",
      miss: "refuse",
      activate: "same",
      confirm: "sending",
      pause: "pausing",
      stop: "idle",
      stray: "pausing"
    },
    sending: {
      create: "refuse",
      find: "same",
      miss: "refuse",
      activate: "refuse",
      confirm: "same",
      pause: "pausing",
      stop: "idle",
      stray: "pausing"
    },
    pausing: {
      create: "refuse",
      find: "same",
      miss: "refuse",
      activate: "refuse",
      confirm: "refuse",
      pause: "same",
      stop: "idle",
      stray: "same"
    }
  }
})

export type VendorCampaignState = (typeof VendorCampaignMachine.states)[number]

/** States in which messages may be leaving. */
export const MAY_SEND = VendorCampaignMachine.states.filter(
  (state) => VendorCampaignMachine.table[state].stop === "idle"
)
