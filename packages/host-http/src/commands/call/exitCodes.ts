import { type WireCode, WIRE_CODES } from "@outbound/domain/kernel/errors/Wire.js"

/** What the exit code of a call says: 0 is done, and 1 that the command was misused or nothing answered. */
export const EXIT = {
  /** Refused: change the request. */
  refused: 2,
  /** A person has to decide or set something first. */
  human: 3,
  /** Not enough credits or budget. */
  credits: 4,
  /** Try again later, with the same --idempotency-key. */
  later: 5,
  /** The key may not. */
  key: 6
} as const

const CLASS: Readonly<Record<WireCode, keyof typeof EXIT>> = {
  unauthorized: "key",
  forbidden: "key",
  owner_required: "human",
  self_modification: "key",
  agent_suspended: "human",
  agent_paused: "human",
  confirmation_required: "human",
  approval_declined: "human",
  approval_expired: "human",
  approval_superseded: "human",
  approval_cancelled: "human",
  approval_changed: "human",
  payment_required: "credits",
  insufficient_credits: "credits",
  card_required: "credits",
  payment_action_required: "credits",
  billing_unknown: "later",
  rate_limited: "later",
  idempotency_conflict: "refused",
  invalid_request: "refused",
  suppressed_recipient: "refused",
  not_found: "refused",
  operation_unknown_state: "later",
  provider_unavailable: "later",
  contact_history_unavailable: "later",
  internal: "later",
  reply_intent_pending: "later",
  reply_already_sent: "refused",
  reply_content_unavailable: "refused",
  reply_send_disabled: "human",
  mailbox_unavailable: "later",
  stream_consumed: "refused",
  run_required: "refused",
  run_unavailable: "refused",
  run_budget_exceeded: "credits",
  own_key_failed: "human",
  tool_key_invalid: "human",
  tool_unavailable: "human",
  change_request_closed: "refused"
}

const isWireCode = (code: string): code is WireCode => WIRE_CODES.some((one) => one === code)

/** The exit code of an answer, by its error; by its status where no service of ours wrote it. */
export const exitOf = (status: number, code: string): number =>
  isWireCode(code) ? EXIT[CLASS[code]] : status >= 500 || status === 429 ? EXIT.later : EXIT.refused
