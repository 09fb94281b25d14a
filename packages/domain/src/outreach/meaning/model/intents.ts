import type { Intent } from "../../../verbs/Replies.js"

/** What the models tell apart, in the order of their weights. */
export const MODEL_INTENTS = [
  "unsubscribe",
  "out_of_office",
  "referral",
  "wrong_person",
  "meeting",
  "interested",
  "not_now",
  "not_interested",
  "question",
  "other"
] as const satisfies ReadonlyArray<Intent>
export type ModelIntent = (typeof MODEL_INTENTS)[number]
