import { defineMachine } from "../../kernel/machine.js"

/** The campaign writes to the person no more: what comes later is recorded, and changes nothing. */
const KEPT_OUT = {
  cover: "refuse",
  send: "refuse",
  reply: "same",
  bounce: "same",
  unsubscribe: "same",
  leave: "same",
  remove: "same",
  finish: "same",
  fail: "same"
} as const

/** What ends a person's part in the campaign. */
const ENDINGS = {
  reply: "replied",
  bounce: "bounced",
  unsubscribe: "unsubscribed",
  leave: "removed",
  remove: "removed"
} as const

/** Nothing more is due, but what comes of the messages still counts. */
const THROUGH = { ...ENDINGS, cover: "refuse", send: "refuse", finish: "same", fail: "same" } as const

/**
 * The states of a person within one campaign (contract: campaigns, leads). A reply always stops the sequence. Later
 * events are recorded but never make the person contactable again.
 *
 * - `leave`: an opt-out removes them from running campaigns. A `pending` lead stays: no approval covers it yet.
 * - `remove`: a launch or the last check before a message removes them.
 */
export const LeadMachine = defineMachine("campaign_lead", {
  states: ["pending", "ready", "active", "replied", "bounced", "unsubscribed", "removed", "finished", "failed"],
  events: ["cover", "send", "reply", "bounce", "unsubscribe", "leave", "remove", "finish", "fail"],
  initial: "pending",
  groups: {
    uncovered: ["pending"],
    ready: ["ready"],
    writtenTo: ["active"],
    replied: ["replied"],
    bounced: ["bounced"],
    finished: ["finished"],
    /** The person is written to, or may be once they are covered. */
    open: ["pending", "ready", "active"],
    /** Nothing was sent to them. */
    unwritten: ["pending", "ready"],
    /** A message is due, or will be. */
    covered: ["ready", "active"],
    /** They don't want to be written to. */
    refusing: ["replied", "unsubscribed"],
    /** Something came back from their side. */
    heardFrom: ["replied", "bounced"],
    /** Nothing is sent to the person any more. */
    ended: ["replied", "bounced", "unsubscribed", "removed", "finished", "failed"]
  },
  table: {
    pending: {
      cover: "ready",
      send: "refuse",
      reply: "refuse",
      bounce: "refuse",
      unsubscribe: "unsubscribed",
      leave: "same",
      remove: "removed",
      finish: "refuse",
      fail: "failed"
    },
    ready: { ...ENDINGS, cover: "same", send: "active", finish: "refuse", fail: "failed" },
    active: { ...ENDINGS, cover: "same", send: "same", finish: "finished", fail: "failed" },
    replied: { ...KEPT_OUT, unsubscribe: "unsubscribed" },
    bounced: KEPT_OUT,
    unsubscribed: KEPT_OUT,
    removed: KEPT_OUT,
    finished: THROUGH,
    failed: THROUGH
  }
})

export type LeadState = (typeof LeadMachine.states)[number]

/** Whether the sending provider has the interest status; `unsupported`: the campaign never reached the provider. */
export const PROVIDER_SYNC_STATUSES = ["pending", "synced", "failed", "unsupported"] as const
export type ProviderSyncStatus = (typeof PROVIDER_SYNC_STATUSES)[number]
