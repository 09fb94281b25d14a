import { defineMachine } from "../../../kernel/machine.js"

/**
 * A campaign at a vendor that schedules by itself, as far as is proven. Whatever may send counts as sending until a look
 * at the vendor says otherwise.
 *
 * - `create`, `activate`, `pause`: the vendor is about to be asked.
 * - `find`: it stands there, by its answer or by our marker. `miss`: it was looked for, and does not.
 * - `confirm`, `stop`: a look says that it sends, or that it does not. `stray`: it sends, and was not to.
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

/** Something of the campaign may be leaving. */
export const MAY_SEND = VendorCampaignMachine.states.filter(
  (state) => VendorCampaignMachine.table[state].stop === "idle"
)
