import { defineMachine } from "../../kernel/machine.js"

/**
 * The states of a campaign (contract: campaigns, campaigns).
 *
 * - `import_unconfirmed` / `import_confirmed`: the sending provider has not yet confirmed, or has confirmed, every
 *   lead.
 * - `extend`: leads are added, which needs an approval while it is active; `resume`: that approval executed.
 * - `stop`: a kill, an owner or missing capacity pauses it. `paused` has a reason; killed ones never launch again.
 */
export const CampaignMachine = defineMachine("campaign", {
  states: ["draft", "incomplete", "active", "paused", "completed"],
  events: ["import_unconfirmed", "import_confirmed", "extend", "resume", "launch", "stop", "complete"],
  initial: "draft",
  groups: {
    running: ["active"],
    paused: ["paused"],
    launched: ["active", "paused"],
    awaiting: ["incomplete"],
    over: ["completed"]
  },
  table: {
    draft: {
      import_unconfirmed: "incomplete",
      import_confirmed: "same",
      extend: "same",
      resume: "refuse",
      launch: "active",
      stop: "refuse",
      complete: "refuse"
    },
    incomplete: {
      import_unconfirmed: "same",
      import_confirmed: "draft",
      extend: "same",
      resume: "refuse",
      launch: "refuse",
      stop: "refuse",
      complete: "refuse"
    },
    active: {
      import_unconfirmed: "refuse",
      import_confirmed: "refuse",
      extend: "paused",
      resume: "same",
      launch: "refuse",
      stop: "paused",
      complete: "completed"
    },
    paused: {
      import_unconfirmed: "refuse",
      import_confirmed: "refuse",
      extend: "same",
      resume: "active",
      launch: "active",
      stop: "same",
      complete: "completed"
    },
    completed: {
      import_unconfirmed: "refuse",
      import_confirmed: "refuse",
      extend: "refuse",
      resume: "refuse",
      launch: "refuse",
      stop: "same",
      complete: "same"
    }
  }
})

export type CampaignState = (typeof CampaignMachine.states)[number]

/** Why a campaign is paused. */
export const PAUSE_REASONS = ["awaiting_approval", "killed", "owner", "capacity"] as const
export type PauseReason = (typeof PAUSE_REASONS)[number]
