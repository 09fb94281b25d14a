import { Data, Schema } from "effect"
import { CreditsFromWire, format, zero } from "../money/Credits.js"

/** What a caller may do after an error. `same_key`: repeat the call with the same Idempotency-Key. */
export type Retry = "never" | "same_key" | "poll"

interface Entry<Fields extends Schema.Struct.Fields> {
  readonly status: number
  readonly retry: Retry
  /** The public details. Anything else never leaves the service. */
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
const Count = Schema.Int.check(Schema.isGreaterThan(0))
const Percent = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))

/** A validation error: where it is, and how to correct it. */
export const Issue = Schema.Struct({ path: Text, message: Text })
export type Issue = typeof Issue.Type

/** Why a request is invalid, beyond its schema. */
export const INVALID_REASONS = [
  "idempotency_key_required",
  "dry_run_with_token",
  "dry_run_unsupported",
  "budget_too_low",
  "cursor_mismatch",
  "offer_invalid",
  "campaign_state",
  "campaign_full",
  "holdout_late",
  "list_not_verified",
  "model_not_allowed",
  "postal_address_missing",
  "unsubscribe_address_unreachable",
  "claims_without_evidence",
  "domain_not_authenticated",
  "malformed_json",
  "body_too_large",
  "unsupported_media_type",
  "method_not_allowed"
] as const

/** The limits that answer `rate_limited`. */
export const RATE_LIMITS = [
  "key_rate",
  "workspace_daily_replies",
  "mailbox_daily_replies",
  "service_capacity",
  "address_rate"
] as const

const approval = (message: string) => entry(409, { approval_url: Schema.optional(Text) }, () => message)

/** A value that a workspace refuses because its evidence is missing, or fails. At most 100 are named. */
const ValueWithoutProof = Schema.Struct({
  email: Text,
  variable: Text,
  mark: Text
})

/**
 * Every error code, with its HTTP status, its retry rule, its public details and its message (contract: calls, errors).
 * The only other statuses are those of `TRANSPORT_STATUS`.
 */
export const WIRE = {
  unauthorized: plain(401, "The API key is missing or invalid. Send it as `Authorization: Bearer <API_KEY>`."),
  forbidden: entry(
    403,
    {
      required_scope: Schema.optional(Text),
      reason: Schema.optional(Schema.Literals(["autonomy_off", "capability_not_enabled"])),
      capability: Schema.optional(Text)
    },
    (d) =>
      d.required_scope !== undefined
        ? `This key lacks the scope ${d.required_scope}. An owner can grant it in the console.`
        : d.reason === "autonomy_off"
          ? "This key can draft and preview but can't ask for or use approvals: autonomous_external_actions is off. An owner can turn it on in the console."
          : d.capability === undefined
            ? "This key is not allowed to do this."
            : `The capability ${d.capability} is not enabled for this key. Leave out the fields that need it, or ask the operator to enable it.`
  ),
  owner_required: entry(
    403,
    { change_request_id: Schema.optional(Uuid), console_url: Schema.optional(Text) },
    () => "Only an owner can loosen a policy. Nothing was changed; your request waits for an owner in the console."
  ),
  self_modification: plain(
    403,
    "A key can't change its own policy. Use another key with the scope control:manage, or the console."
  ),
  agent_suspended: entry(
    403,
    { suspended_at: Text, reason: Schema.NullOr(Text) },
    () => "All sending in this workspace is stopped. An owner can clear the suspension in the console."
  ),
  agent_paused: entry(
    403,
    { paused_at: Text },
    () => "This key is paused. An owner can resume it in the console. Only get_me still works."
  ),
  confirmation_required: entry(
    428,
    { approval_url: Text, expires_at: Text },
    (d) => `No human has decided on this yet. Ask one to open ${d.approval_url}, then repeat the same call.`
  ),
  approval_declined: entry(
    409,
    { approval_url: Schema.optional(Text), reason: Schema.optional(Text) },
    () =>
      "A human declined this request; details.reason says why, if they did. Change the request and make a new call without the token."
  ),
  approval_expired: approval("The approval expired before it was used. Make a new call without the token."),
  approval_superseded: approval("This token was already used, or a newer request replaced it. Use the newest token."),
  approval_cancelled: approval("The approval was cancelled. Make a new call without the token."),
  approval_changed: approval(
    "This call differs from the one that the token was issued for. Send exactly the same call, or make a new call without the token."
  ),
  payment_required: entry(
    402,
    {
      required: CreditsFromWire,
      monthly_spend_cap: Schema.optional(CreditsFromWire),
      spent_this_month: Schema.optional(CreditsFromWire),
      daily_spend_cap: Schema.optional(CreditsFromWire),
      spent_today: Schema.optional(CreditsFromWire),
      resets_at: Schema.optional(Text)
    },
    (d) =>
      `This call needs up to ${format(d.required)} credits. The key has spent or reserved ` +
      (d.daily_spend_cap === undefined
        ? `${format(d.spent_this_month ?? zero)} of its monthly cap of ${format(d.monthly_spend_cap ?? zero)}. `
        : `${format(d.spent_today ?? zero)} of its daily cap of ${format(d.daily_spend_cap)}; ` +
          `the next day begins at ${d.resets_at ?? "midnight (UTC)"}. `) +
      "An owner can raise the cap in the console."
  ),
  insufficient_credits: entry(
    402,
    { required: CreditsFromWire, credits_available: CreditsFromWire },
    (d) => `This call needs up to ${format(d.required)} credits, but only ${format(d.credits_available)} are available.`
  ),
  card_required: entry(
    402,
    { console_url: Text },
    (d) => `This purchase needs a payment method. An owner can add one at ${d.console_url}.`
  ),
  payment_action_required: entry(
    402,
    { console_url: Text },
    (d) => `The payment provider needs an owner to act, at ${d.console_url}.`
  ),
  billing_unknown: plain(
    503,
    "The payment's outcome is not known yet. The service keeps checking and does nothing more until it is known."
  ),
  rate_limited: entry(
    429,
    { retry_after_seconds: Count, limit: Schema.Literals(RATE_LIMITS) },
    (d) =>
      `${LIMIT_MESSAGES[d.limit]} (${d.limit}). Try again in ${d.retry_after_seconds} s with the same Idempotency-Key.`,
    "same_key"
  ),
  idempotency_conflict: entry(409, { reason: Schema.Literals(["different_request", "in_progress"]) }, (d) =>
    d.reason === "different_request"
      ? "This Idempotency-Key was already used for a different request. Use a new key."
      : "The first call with this Idempotency-Key is still running. Repeat the call later with the same key."
  ),
  invalid_request: entry(
    400,
    {
      issues: Schema.optional(Schema.Array(Issue)),
      reason: Schema.optional(Schema.Literals(INVALID_REASONS)),
      minimum_credits: Schema.optional(CreditsFromWire),
      state: Schema.optional(Text),
      max_bytes: Schema.optional(Count),
      values: Schema.optional(Schema.Array(ValueWithoutProof)),
      values_total: Schema.optional(Count),
      unverified: Schema.optional(Count),
      of: Schema.optional(Count),
      max_percent: Schema.optional(Percent),
      domains: Schema.optional(Schema.Array(Schema.Struct({ domain: Text, failing: Schema.Array(Text) })))
    },
    (d) =>
      d.reason === undefined ? "The request is invalid. details.issues lists each error." : INVALID_MESSAGES[d.reason]
  ),
  suppressed_recipient: entry(
    409,
    { suppressed_reason: Text },
    () => "This person is permanently suppressed and must not be contacted."
  ),
  not_found: plain(404, "Not found in this workspace. Check the id."),
  operation_unknown_state: entry(
    502,
    { operation_id: Uuid },
    () => "We don't know yet whether the provider did this. Do not retry; poll the operation.",
    "poll"
  ),
  provider_unavailable: entry(
    503,
    { retry_after_seconds: Count, reason: Schema.optional(Schema.Literal("store_unavailable")) },
    (d) =>
      `${d.reason === undefined ? "No provider could answer. Nothing was charged." : "The service's database is unavailable. Nothing was done."} ` +
      `Try again in ${d.retry_after_seconds} s with the same Idempotency-Key.`,
    "same_key"
  ),
  contact_history_unavailable: plain(
    503,
    "The suppression list or contact history can't be checked right now. Nothing was sent or changed."
  ),
  internal: entry(
    500,
    {},
    () =>
      "The service failed. Repeat the call with the same Idempotency-Key; if it fails again, give the operator the request id.",
    "same_key"
  ),
  reply_intent_pending: plain(
    409,
    "A reply to this message is already being sent. See its status in our_replies of get_reply."
  ),
  reply_already_sent: entry(409, { sent_reply_id: Uuid }, () => "A reply to this message was already sent."),
  reply_content_unavailable: plain(409, "This thread's content is no longer available, so you can't reply to it."),
  reply_send_disabled: plain(
    403,
    "Outgoing replies are off in this workspace. An owner can turn them on in the console."
  ),
  mailbox_unavailable: plain(
    409,
    "There is no active mailbox to send from. Call setup_sending, or wait until a mailbox is active."
  ),
  stream_consumed: entry(
    409,
    { request_id: Uuid },
    () => "This stream already ran and can't be replayed. Its billing is at GET /v1/requests/:id."
  ),
  run_required: entry(
    403,
    { run_id: Schema.optional(Text) },
    () => "This key must name a run in the header Svc-Run-Id."
  ),
  run_unavailable: entry(409, { run_id: Text }, () => "The run is unknown, expired or closed. Name an open run."),
  run_budget_exceeded: entry(
    402,
    { run_id: Text, remaining: CreditsFromWire, required: CreditsFromWire },
    (d) => `This call needs up to ${format(d.required)} credits, but the run has only ${format(d.remaining)} left.`
  ),
  own_key_failed: entry(
    424,
    { provider: Text },
    (d) => `The provider ${d.provider} refused the workspace's own key. An owner can replace it in the console.`
  ),
  tool_key_invalid: entry(
    424,
    { provider: Text },
    (d) => `The workspace's own key for ${d.provider} can't be read. An owner can add it again in the console.`
  ),
  tool_unavailable: entry(503, { tool: Text, reason: Text }, (d) => `${d.tool} is not available: ${d.reason}.`),
  change_request_closed: entry(409, { change_request_id: Uuid }, () => "This change request was already decided.")
  // oxlint-disable-next-line typescript/no-explicit-any -- each entry keeps its own details
} as const satisfies Record<string, Entry<any>>

const LIMIT_MESSAGES: Record<(typeof RATE_LIMITS)[number], string> = {
  key_rate: "This key makes too many requests",
  workspace_daily_replies: "The workspace has reached its daily cap on replies",
  mailbox_daily_replies: "The mailbox has reached its daily cap on replies",
  service_capacity: "The service's queue is full",
  address_rate: "Your network address makes too many requests without a valid key"
}

const INVALID_MESSAGES: Record<(typeof INVALID_REASONS)[number], string> = {
  idempotency_key_required: "This call needs the header Idempotency-Key (1 to 200 characters).",
  dry_run_with_token: "A dry run can't take a confirmation_token or offer_token. Remove the token or dry_run.",
  dry_run_unsupported: "This call has no dry run. Remove dry_run.",
  budget_too_low:
    "The ceiling is below the least that this call can cost. Nothing was charged. Raise it to details.minimum_credits.",
  cursor_mismatch: "The cursor belongs to other filters or another workspace. Start again without it.",
  offer_invalid:
    "The offer is unknown, used, expired, or made for another call. Repeat the call without offer_token for a new offer.",
  campaign_state: "The campaign's state does not allow this. See details.state.",
  list_not_verified:
    "Too many of the people have no verification that counts. See details; verify_emails verifies them.",
  campaign_full: "A campaign can have at most 5,000 leads.",
  holdout_late:
    "A holdout is drawn at the first launch; this campaign was launched already. Leave holdout_percent out.",
  model_not_allowed: "This model is not allowed. GET /v1/llm/models lists the allowed ones.",
  postal_address_missing: "The workspace has no postal address. An owner can set it in the console.",
  unsubscribe_address_unreachable:
    "Recipients could not unsubscribe: the service's address must use https and be reachable from other machines. The operator sets it (OUTBOUND_BASE_URL).",
  claims_without_evidence:
    "The workspace requires evidence of what its messages state, and these values have none that holds. details.values names them (at most 100). Add evidence to each, or leave the value out.",
  domain_not_authenticated:
    "The workspace requires that every domain it sends from is authenticated. details.domains says what fails; get_sending_health says which record to publish.",
  malformed_json: "The body is not valid JSON.",
  body_too_large: "The body is too large.",
  unsupported_media_type: "Send the body as application/json.",
  method_not_allowed: "Method not allowed. The header Allow lists the allowed methods."
}

export type WireCode = keyof typeof WIRE

export const WIRE_CODES = Object.keys(WIRE) as ReadonlyArray<WireCode>

export type WireDetails<C extends WireCode> = (typeof WIRE)[C]["details"]["Type"]

/** Reasons whose status differs from the table's. */
export const TRANSPORT_STATUS = {
  body_too_large: 413,
  unsupported_media_type: 415,
  method_not_allowed: 405
} as const

/** A public error, typed by its code: `catchTag("not_found", …)`. */
export class WireError<C extends WireCode = WireCode> extends Data.Error<{
  readonly code: C
  readonly details: WireDetails<C>
  readonly message: string
}> {
  get _tag(): C {
    return this.code
  }
}

/** Any error of the table. */
export type AnyWireError = { readonly [C in WireCode]: WireError<C> }[WireCode]

/** Makes the error of a code. `message` replaces the table's message with a more specific one. */
export const refuse = <C extends WireCode>(code: C, details: WireDetails<C>, message?: string): WireError<C> =>
  new WireError({
    code,
    details,
    message: message ?? (WIRE[code].message as (details: WireDetails<C>) => string)(details)
  })

export const invalid = (issues: ReadonlyArray<Issue>): WireError<"invalid_request"> =>
  refuse("invalid_request", { issues: issues.slice(0, ISSUES_MAX) })

/** The most issues in one answer. */
export const ISSUES_MAX = 20

/** How long a caller waits before it asks again while the service's own database is unavailable. */
const STORE_RETRY_SECONDS = 2

/** The service's own database can't be reached, is full or answers too late, and nothing was done. */
export const storeUnavailable = (): WireError<"provider_unavailable"> =>
  refuse("provider_unavailable", { retry_after_seconds: STORE_RETRY_SECONDS, reason: "store_unavailable" })

export const isWireError = (u: unknown): u is AnyWireError => u instanceof WireError

const encoders = Object.fromEntries(
  WIRE_CODES.map((code) => [code, Schema.encodeSync(WIRE[code].details as Schema.Codec<unknown, unknown>)])
) as Record<WireCode, (details: unknown) => Readonly<Record<string, unknown>>>

/** The envelope's `error`, without the request id. */
export const encodeError = (
  error: AnyWireError
): { readonly code: WireCode; readonly message: string; readonly details?: Readonly<Record<string, unknown>> } => {
  const details = encoders[error.code](error.details)
  return Object.keys(details).length === 0
    ? { code: error.code, message: error.message }
    : { code: error.code, message: error.message, details }
}

/** What a row of a list says instead of an error that invites the same key: that key replays the list, with this row. */
const OF_A_ROW: Partial<Record<WireCode, string>> = {
  provider_unavailable: "No provider could answer for this row. Nothing was charged for it. Ask for it in a new call.",
  internal:
    "The service failed on this row. Ask for it in a new call; if it fails again, give the operator the request id."
}

/** As `encodeError`, for a row of a list. */
export const encodeRowError = (error: AnyWireError): ReturnType<typeof encodeError> => {
  const message = OF_A_ROW[error.code]
  return message === undefined ? encodeError(error) : { ...encodeError(error), message }
}

export const statusOf = (error: AnyWireError): number => {
  if (error.code === "invalid_request" && error.details.reason !== undefined) {
    const transport: Partial<Record<string, number>> = TRANSPORT_STATUS
    return transport[error.details.reason] ?? WIRE.invalid_request.status
  }
  return WIRE[error.code].status
}

/** Whether an outcome is not stored, so that the same key runs again (contract: credits, idempotency). */
export const isRetryable = (code: WireCode): boolean => WIRE[code].retry === "same_key"
