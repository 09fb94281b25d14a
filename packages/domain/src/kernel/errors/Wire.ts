import { Data, Schema } from "effect"
import { CreditsFromWire, format } from "../money/Credits.js"

/** What a caller may do after an error. `same_key`: send it again with the same Idempotency-Key. */
export type Retry = "never" | "same_key" | "poll"

interface Entry<Fields extends Schema.Struct.Fields> {
  readonly status: number
  readonly retry: Retry
  /** The public details. What is not named here never leaves the service. */
  readonly details: Schema.Struct<Fields>
  readonly message: (details: Schema.Struct.Type<Fields>) => string
}

const entry = <Fields extends Schema.Struct.Fields>(
  status: number,
  details: Fields,
  message: (details: Schema.Struct.Type<Fields>) => string,
  retry: Retry = "never"
): Entry<Fields> => ({ status, retry, details: Schema.Struct(details), message })

const plain = (status: number, message: string) => entry(status, {}, () => message)

const Text = Schema.String
const Uuid = Schema.String
const Count = Schema.Int.pipe(Schema.positive())

/** One mistake in a request: where, and what to mend. */
export const Issue = Schema.Struct({ path: Text, message: Text })
export type Issue = typeof Issue.Type

/** Why a request is invalid where no schema says so. */
export const INVALID_REASONS = [
  "idempotency_key_required",
  "dry_run_with_token",
  "dry_run_unsupported",
  "budget_too_low",
  "cursor_mismatch",
  "offer_invalid",
  "campaign_state",
  "campaign_full",
  "model_not_allowed",
  "postal_address_missing",
  "malformed_json",
  "body_too_large",
  "unsupported_media_type",
  "method_not_allowed"
] as const

/** The limits that answer `rate_limited`. */
export const RATE_LIMITS = ["key_rate", "workspace_daily_replies", "mailbox_daily_replies", "service_capacity"] as const

const approval = (message: string) => entry(409, { approval_url: Schema.optional(Text) }, () => message)

/**
 * Every error code, with its HTTP status, its retry rule, its public details and its message (contract: calls, errors).
 * The only other statuses are those of `TRANSPORT_STATUS`.
 */
export const WIRE = {
  unauthorized: plain(401, "Send a valid API key as `Authorization: Bearer <API_KEY>`."),
  forbidden: entry(
    403,
    {
      required_scope: Schema.optional(Text),
      reason: Schema.optional(Schema.Literal("autonomy_off", "capability_not_enabled")),
      capability: Schema.optional(Text)
    },
    (d) =>
      d.required_scope !== undefined
        ? `This key lacks the scope ${d.required_scope}. An owner can grant it in the console.`
        : d.reason === "autonomy_off"
          ? "This key may draft and preview, not ask for or use approvals: its autonomous_external_actions is off."
          : `The capability ${d.capability ?? ""} is not enabled for this key. Leave out what needs it, or ask the operator.`
  ),
  owner_required: entry(
    403,
    { change_request_id: Schema.optional(Uuid), console_url: Schema.optional(Text) },
    () => "Only a signed-in owner can loosen this. The request waits for an owner in the console."
  ),
  self_modification: plain(
    403,
    "A key cannot edit its own policy. Use another key with control:manage, or the console."
  ),
  agent_suspended: entry(
    403,
    { suspended_at: Text, reason: Schema.NullOr(Text) },
    () => "All sending of this workspace is stopped. A signed-in owner can clear the suspension in the console."
  ),
  agent_paused: entry(
    403,
    { paused_at: Text },
    () => "This key is paused. An owner can resume it in the console; GET /v1/me still answers."
  ),
  confirmation_required: entry(
    428,
    { approval_url: Text, expires_at: Text },
    (d) => `No human has decided on this yet. Ask one to open ${d.approval_url}, then send the same call again.`
  ),
  approval_declined: approval("A human declined this. Change what was asked for, and ask again with a new call."),
  approval_expired: approval("The approval expired before it was used. Ask again with a new call."),
  approval_superseded: approval(
    "A newer request, or another use, has taken the place of this token. Use the newest one."
  ),
  approval_cancelled: approval("The approval was cancelled. Ask again with a new call."),
  approval_changed: approval(
    "The call differs from what the token was issued for. Send exactly the same call, or ask again for the new one."
  ),
  payment_required: entry(
    402,
    {
      monthly_spend_cap: CreditsFromWire,
      spent_this_month: CreditsFromWire,
      required: CreditsFromWire
    },
    (d) =>
      `Needs up to ${format(d.required)} credits; this key has spent or reserved ${format(d.spent_this_month)} ` +
      `of its monthly cap of ${format(d.monthly_spend_cap)}.`
  ),
  insufficient_credits: entry(
    402,
    { required: CreditsFromWire, credits_available: CreditsFromWire },
    (d) => `Needs up to ${format(d.required)} credits; ${format(d.credits_available)} are available.`
  ),
  card_required: entry(
    402,
    { console_url: Text },
    (d) => `A purchase needs a payment method. An owner can add one at ${d.console_url}.`
  ),
  payment_action_required: entry(
    402,
    { console_url: Text },
    (d) => `The payment provider asks the owner to act. See ${d.console_url}.`
  ),
  billing_unknown: plain(503, "The payment provider's answer is uncertain. Nothing more is done until it is known."),
  rate_limited: entry(
    429,
    { retry_after_seconds: Count, limit: Schema.Literal(...RATE_LIMITS) },
    (d) =>
      `${LIMIT_MESSAGES[d.limit]} (${d.limit}). Try again in ${d.retry_after_seconds} s with the same Idempotency-Key.`,
    "same_key"
  ),
  idempotency_conflict: entry(409, { reason: Schema.Literal("different_request", "in_progress") }, (d) =>
    d.reason === "different_request"
      ? "This Idempotency-Key was used for another request. Use a new key for a new request."
      : "The first call with this Idempotency-Key still runs. Ask again later with the same key."
  ),
  invalid_request: entry(
    400,
    {
      issues: Schema.optional(Schema.Array(Issue)),
      reason: Schema.optional(Schema.Literal(...INVALID_REASONS)),
      minimum_credits: Schema.optional(CreditsFromWire),
      state: Schema.optional(Text),
      max_bytes: Schema.optional(Count)
    },
    (d) => (d.reason === undefined ? "The request is invalid; details.issues says where." : INVALID_MESSAGES[d.reason])
  ),
  suppressed_recipient: entry(
    409,
    { suppressed_reason: Text },
    () => "This person must not be contacted: they are suppressed, for good."
  ),
  not_found: plain(404, "There is no such thing in this workspace."),
  operation_unknown_state: entry(
    502,
    { operation_id: Uuid },
    () => "Whether this happened at the provider is uncertain. Do not retry; poll the operation.",
    "poll"
  ),
  provider_unavailable: entry(
    503,
    { retry_after_seconds: Count },
    (d) => `No provider could answer; nothing was charged. Try again in ${d.retry_after_seconds} s with the same key.`,
    "same_key"
  ),
  contact_history_unavailable: plain(
    503,
    "Suppression or contact history could not be confirmed. Nothing was sent and nothing was changed."
  ),
  internal: entry(500, {}, () => "The service could not complete the request.", "same_key"),
  reply_intent_pending: plain(
    409,
    "A reply to this message is being sent right now. What becomes of it stands in our_replies of get_reply."
  ),
  reply_already_sent: entry(409, { sent_reply_id: Uuid }, () => "This message has been answered already."),
  reply_content_unavailable: plain(
    409,
    "The content of this thread cannot be read any more, so it cannot be answered."
  ),
  reply_send_disabled: plain(
    403,
    "Replying is switched off for this workspace. An owner can switch it on in the console."
  ),
  mailbox_unavailable: plain(
    409,
    "There is no active mailbox to send from. Set up sending, or wait until it is active."
  ),
  stream_consumed: entry(
    409,
    { request_id: Uuid },
    () => "This stream ran already and cannot be replayed. Read GET /v1/requests/:id for its billing."
  ),
  run_required: entry(
    403,
    { run_id: Schema.optional(Text) },
    () => "This key must name a run with the header Svc-Run-Id."
  ),
  run_unavailable: entry(409, { run_id: Text }, () => "The run is unknown, expired or closed."),
  run_budget_exceeded: entry(
    402,
    { run_id: Text, remaining: CreditsFromWire, required: CreditsFromWire },
    (d) => `Needs up to ${format(d.required)} credits; the run has ${format(d.remaining)} left.`
  ),
  own_key_failed: entry(
    424,
    { provider: Text },
    (d) => `The provider ${d.provider} refused the workspace's own credential.`
  ),
  tool_key_invalid: entry(424, { provider: Text }, (d) => `The stored credential for ${d.provider} cannot be used.`),
  tool_unavailable: entry(503, { tool: Text, reason: Text }, (d) => `${d.tool} is not available: ${d.reason}.`),
  change_request_closed: entry(409, { change_request_id: Uuid }, () => "This change request was decided already.")
  // oxlint-disable-next-line typescript/no-explicit-any -- each entry keeps its own details
} as const satisfies Record<string, Entry<any>>

const LIMIT_MESSAGES: Record<(typeof RATE_LIMITS)[number], string> = {
  key_rate: "This key makes too many requests",
  workspace_daily_replies: "The workspace has sent as many answers today as it may",
  mailbox_daily_replies: "The mailbox has sent as many answers today as it may",
  service_capacity: "The service has too much to do"
}

const INVALID_MESSAGES: Record<(typeof INVALID_REASONS)[number], string> = {
  idempotency_key_required:
    "This call needs the header Idempotency-Key (1 to 200 characters); a tool call, the argument idempotency_key.",
  dry_run_with_token: "A dry run takes no confirmation_token or offer_token. Leave the token or dry_run out.",
  dry_run_unsupported: "This call has no dry run.",
  budget_too_low: "The ceiling is below the least that this call can cost; nothing was charged.",
  cursor_mismatch: "The cursor belongs to other filters or another workspace. Start again without a cursor.",
  offer_invalid: "The offer is unknown, used, expired, or made for another call.",
  campaign_state: "The campaign is in a state that does not allow this; details.state names it.",
  campaign_full: "A campaign holds at most 5,000 people.",
  model_not_allowed: "This model is not on the allowlist. GET /v1/llm/models lists those that are.",
  postal_address_missing: "A campaign needs the workspace's postal address. An owner can set it in the console.",
  malformed_json: "The body is not valid JSON.",
  body_too_large: "The body is too large.",
  unsupported_media_type: "Send the body as application/json.",
  method_not_allowed: "This path does not know the method; the header Allow names those it knows."
}

export type WireCode = keyof typeof WIRE

export const WIRE_CODES = Object.keys(WIRE) as ReadonlyArray<WireCode>

export type WireDetails<C extends WireCode> = (typeof WIRE)[C]["details"]["Type"]

/** The four cases in which a code has another status than the table's. */
export const TRANSPORT_STATUS = {
  body_too_large: 413,
  unsupported_media_type: 415,
  method_not_allowed: 405
} as const

/**
 * An error that may leave the domain, typed by its code: `catchTag("not_found", …)`. Everything in it is public.
 */
export class WireError<C extends WireCode = WireCode> extends Data.Error<{
  readonly code: C
  readonly details: WireDetails<C>
  readonly message: string
}> {
  get _tag(): C {
    return this.code
  }
}

/** Any error of the table: the union over its codes. */
export type AnyWireError = { readonly [C in WireCode]: WireError<C> }[WireCode]

/** Makes the error of a code. `message` replaces the table's words where more can be said. */
export const refuse = <C extends WireCode>(code: C, details: WireDetails<C>, message?: string): WireError<C> =>
  new WireError({
    code,
    details,
    message: message ?? (WIRE[code].message as (details: WireDetails<C>) => string)(details)
  })

export const invalid = (issues: ReadonlyArray<Issue>): WireError<"invalid_request"> =>
  refuse("invalid_request", { issues: issues.slice(0, ISSUES_MAX) })

/** The most issues that one answer names. */
export const ISSUES_MAX = 20

export const isWireError = (u: unknown): u is AnyWireError => u instanceof WireError

const encoders = Object.fromEntries(
  WIRE_CODES.map((code) => [code, Schema.encodeSync(WIRE[code].details as Schema.Schema<unknown, unknown>)])
) as Record<WireCode, (details: unknown) => Readonly<Record<string, unknown>>>

/** The public form of an error: what the envelope's `error` holds, without the request id. */
export const encodeError = (
  error: AnyWireError
): { readonly code: WireCode; readonly message: string; readonly details?: Readonly<Record<string, unknown>> } => {
  const details = encoders[error.code](error.details)
  return Object.keys(details).length === 0
    ? { code: error.code, message: error.message }
    : { code: error.code, message: error.message, details }
}

/** The HTTP status of an error. */
export const statusOf = (error: AnyWireError): number => {
  if (error.code === "invalid_request" && error.details.reason !== undefined) {
    const transport: Partial<Record<string, number>> = TRANSPORT_STATUS
    return transport[error.details.reason] ?? WIRE.invalid_request.status
  }
  return WIRE[error.code].status
}

/** Whether an outcome is not stored, so that the same key runs again (contract: credits, idempotency). */
export const isRetryable = (code: WireCode): boolean => WIRE[code].retry === "same_key"
