import { Schema, SchemaTransformation } from "effect"
import { WIRE_CODES, type WireCode } from "../kernel/errors/Wire.js"
import { Capability, Scope } from "./Policy.js"
import { CreditsFromWire } from "../kernel/money/Credits.js"
import { TRAIL_KINDS, TRAIL_SOURCES, TrailKind } from "../kernel/trail/TrailEvent.js"
import { Count, Cursor, integerInput, Timestamp, TimestampInput, Uuid } from "./fields.js"
import { defineVerb, READ_HINTS, READS } from "./Verb.js"
import { IN_PLACE } from "./keywords.js"

const ErrorCode = Schema.Literals(WIRE_CODES as ReadonlyArray<WireCode> as readonly [WireCode, ...Array<WireCode>])

export const GetMe = defineVerb({
  name: "get_me",
  route: { method: "GET", path: "/v1/me" },
  summary: "Show what this key can do and what is left today.",
  description: "Free, with any key, even a paused one. Call it first.",
  ...READS,
  scope: null,
  answersPausedKeys: true,
  request: Schema.Struct({}),
  result: Schema.Struct({
    key: Schema.Struct({ id: Uuid, name: Schema.String, prefix: Schema.String, created_at: Timestamp }),
    workspace: Schema.Struct({
      id: Uuid,
      name: Schema.String,
      kind: Schema.Literals(["sandbox", "live"]),
      sending_suspended: Schema.Boolean
    }),
    scopes: Schema.Array(Scope),
    capabilities: Schema.Record(Capability, Schema.Boolean),
    autonomous_external_actions: Schema.Boolean,
    monthly_spend_cap: Schema.NullOr(CreditsFromWire),
    spent_this_month: CreditsFromWire,
    daily_spend_cap: Schema.NullOr(CreditsFromWire),
    spent_today: CreditsFromWire,
    premium_allowance: CreditsFromWire,
    credits_available: CreditsFromWire,
    daily_send_cap: Count,
    sends_today: Count,
    launches_today: Count,
    replies: Schema.Struct({ workspace_daily_cap: Count, workspace_sent_today: Count, mailbox_daily_cap: Count }),
    rate_limit: Schema.Struct({ requests_per_minute: Count, remaining: Count }),
    verbs: Schema.Array(
      Schema.Struct({ verb: Schema.String, allowed: Schema.Boolean, reason: Schema.NullOr(Schema.String) })
    ),
    retry_codes: Schema.Array(ErrorCode)
  }),
  errors: [],
  tool: { title: "What this key can do", ...READ_HINTS }
})

export const GetUsage = defineVerb({
  name: "get_usage",
  route: { method: "GET", path: "/v1/usage" },
  summary: "Show the balance and the usage of the last 30 days.",
  description: "Free, with any key.",
  ...READS,
  scope: null,
  request: Schema.Struct({}),
  result: Schema.Struct({
    credits_balance: CreditsFromWire,
    credits_reserved: CreditsFromWire,
    credits_available: CreditsFromWire,
    last_30_days: Schema.Array(Schema.Struct({ verb: Schema.String, calls: Count, credits_charged: CreditsFromWire }))
  }),
  errors: [],
  tool: { title: "Balance and usage", ...READ_HINTS }
})

export const GetRequest = defineVerb({
  name: "get_request",
  route: { method: "GET", path: "/v1/requests/:request_id" },
  summary: "Show the status and billing of a call.",
  description: "Free, with any key.",
  ...READS,
  scope: null,
  request: Schema.Struct({ request_id: Uuid }),
  result: Schema.Struct({
    request_id: Uuid,
    verb: Schema.String,
    mode: Schema.Literals(["read", "act", "dry_run"]),
    status: Schema.Literals(["pending", "succeeded", "failed", "unknown"]),
    http_status: Schema.NullOr(Schema.Int),
    error_code: Schema.NullOr(Schema.String),
    credits_reserved: CreditsFromWire,
    credits_charged: CreditsFromWire,
    replayed_count: Count,
    interrupted: Schema.Boolean,
    created_at: Timestamp,
    finished_at: Schema.NullOr(Timestamp)
  }),
  errors: ["not_found"],
  tool: { title: "Status of a call", ...READ_HINTS }
})

export const OperationStatus = Schema.Literals([
  "queued",
  "running",
  "waiting_external",
  "succeeded",
  "partially_succeeded",
  "failed"
]).annotate({ identifier: "OperationStatus" })

export const GetOperation = defineVerb({
  name: "get_operation",
  route: { method: "GET", path: "/v1/operations/:operation_id" },
  summary: "Show the progress of an asynchronous operation.",
  description: "Free, with any key.",
  ...READS,
  scope: null,
  request: Schema.Struct({ operation_id: Uuid }),
  result: Schema.Struct({
    operation_id: Uuid,
    kind: Schema.String,
    status: OperationStatus,
    progress: Schema.Struct({
      done: Count,
      failed: Schema.optional(Count).annotate({ description: "Of a list: rows that failed. Not among `done`." }),
      total: Count
    }),
    items: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        kind: Schema.String,
        status: Schema.String,
        detail: Schema.NullOr(Schema.String)
      })
    ),
    error: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String })),
    created_at: Timestamp,
    updated_at: Timestamp,
    finished_at: Schema.NullOr(Timestamp)
  }),
  errors: ["not_found"],
  tool: { title: "Progress of an operation", ...READ_HINTS }
})

/** `kind` can be repeated or contain several kinds separated by commas. */
const Kinds = Schema.Union([Schema.String, Schema.Array(Schema.String)])
  .annotate({
    jsonSchema: { type: "array", items: { type: "string", enum: [...TRAIL_KINDS] } }
  })
  .pipe(
    Schema.decodeTo(
      Schema.Array(Schema.String),
      SchemaTransformation.transform({
        decode: (given: string | ReadonlyArray<string>): ReadonlyArray<string> =>
          (typeof given === "string" ? [given] : given).flatMap((part) => part.split(",")),
        encode: (kinds: ReadonlyArray<string>): string | ReadonlyArray<string> => kinds
      })
    ),
    Schema.decodeTo(Schema.Array(TrailKind), SchemaTransformation.passthrough({ strict: false }))
  )

export const TRAIL_PAGE_MAX = 200
export const TRAIL_PAGE_DEFAULT = 50

export const GetTrail = defineVerb({
  name: "get_trail",
  route: { method: "GET", path: "/v1/trail" },
  summary: "Read the audit trail: every contact with a person on the workspace's behalf, and every human decision.",
  description: "Free. Newest first. A cursor works only with the same filters.",
  ...READS,
  scope: "trail:read",
  request: Schema.Struct({
    campaign_id: Schema.optional(Uuid),
    email: Schema.optional(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(320))),
    kind: Schema.optional(Kinds),
    since: Schema.optional(TimestampInput),
    until: Schema.optional(TimestampInput),
    limit: Schema.optional(integerInput(1, TRAIL_PAGE_MAX, TRAIL_PAGE_DEFAULT)),
    cursor: Schema.optional(Cursor)
  }),
  result: Schema.Struct({
    events: Schema.Array(
      Schema.Struct({
        id: Uuid,
        kind: TrailKind,
        observed_at: Timestamp,
        source: Schema.Literals(TRAIL_SOURCES),
        campaign_id: Schema.NullOr(Uuid),
        campaign_lead_id: Schema.NullOr(Uuid),
        reply_id: Schema.NullOr(Uuid),
        request_id: Schema.NullOr(Uuid),
        operation_id: Schema.NullOr(Uuid),
        email: Schema.optional(Schema.String),
        detail: Schema.Record(Schema.String, Schema.Unknown)
      }).annotate({ identifier: "TrailEvent" })
    ),
    next_cursor: Schema.NullOr(Schema.String),
    archived_until: Schema.optional(
      Timestamp.annotate({
        [IN_PLACE]: {
          description: "On the last page: events up to this time may be in the operator's archive, and on no page."
        }
      })
    ),
    evaluated_at: Timestamp
  }),
  errors: [],
  tool: null
})
