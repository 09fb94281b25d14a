import { Effect, Schema, SchemaTransformation } from "effect"
import { EMAIL_STATUSES } from "../sources/ports/EmailVerifier.js"
import { ROUTES } from "../sources/ports/Source.js"
import { INTEREST_STATUSES } from "../kernel/sequences/Sequence.js"
import { isUuid } from "../kernel/ports/Ids.js"
import { CreditsFromWire } from "../kernel/money/Credits.js"
import { flawed } from "../kernel/flawed.js"

/** Request and result fields that several verbs share. */

export const Uuid = Schema.String.check(
  Schema.makeFilter(isUuid, { message: "must be a UUID", jsonSchema: { format: "uuid" } })
).annotate({ description: "A UUID.", examples: ["018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"] })

/** RFC 3339 UTC with milliseconds. */
export const Timestamp = Schema.String.annotate({
  identifier: "Timestamp",
  description: "RFC 3339 UTC with milliseconds.",
  jsonSchema: {
    type: "string",
    format: "date-time",
    description: "RFC 3339 UTC with milliseconds.",
    examples: ["2026-01-02T03:04:05.678Z"]
  },
  examples: ["2026-01-02T03:04:05.678Z"]
})

/** The answer of a verb that a human has to approve first: the token, and what that human is shown. */
export const needsConfirmation = <Fields extends Schema.Struct.Fields>(preview: Fields) =>
  Schema.Struct({
    status: Schema.Literal("needs_confirmation"),
    confirmation_token: Schema.String,
    approval_url: Schema.String,
    expires_at: Timestamp,
    preview: Schema.Struct(preview)
  })

const RFC3339 = /^(\d{4}-\d{2})-(\d{2})[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** A timestamp from a caller, in any RFC 3339 form; decoded to epoch milliseconds. */
export const TimestampInput = Schema.String.annotate({
  description: "An RFC 3339 timestamp.",
  jsonSchema: { type: "string", format: "date-time", description: "An RFC 3339 timestamp." },
  examples: ["2026-01-02T03:04:05.678Z"]
}).pipe(
  Schema.decodeTo(
    Schema.Number,
    SchemaTransformation.transformEffect({
      decode: (text) => {
        const [, month, day] = RFC3339.exec(text) ?? []
        // `Date.parse` reads February 30 as March 2.
        const isDay =
          new Date(`${month}-01T00:00:00Z`).getUTCMonth() === new Date(`${month}-${day}T00:00:00Z`).getUTCMonth()
        const millis = isDay ? Date.parse(text) : Number.NaN
        return Number.isNaN(millis)
          ? flawed("must be an RFC 3339 timestamp, such as 2026-01-02T03:04:05Z")
          : Effect.succeed(millis)
      },
      encode: (millis) => Effect.succeed(new Date(millis).toISOString())
    })
  )
)

/** A text with a length from `min` to `max`, counted as JSON Schema counts: an emoji is one character. */
export const text = (min: number, max: number) =>
  Schema.String.check(Schema.isMinLength(min), Schema.isMaxCodePoints(max))

/** A text that is not blank. */
export const wordy = (min: number, max: number) =>
  text(min, max).check(Schema.isPattern(/\S/, { message: "must not be blank" }))

export const integer = (min: number, max: number) => Schema.Int.check(Schema.isBetween({ minimum: min, maximum: max }))

const numberText = /^\d{1,9}$/

/** A whole number: a number in a body, or digits in a query. `fallback` is the default. */
export const integerInput = (min: number, max: number, fallback: number) =>
  Schema.Union([Schema.Number, Schema.String])
    .annotate({
      jsonSchema: { type: "integer", minimum: min, maximum: max, default: fallback }
    })
    .pipe(
      Schema.decodeTo(
        integer(min, max),
        SchemaTransformation.transformEffect({
          decode: (value) =>
            typeof value === "number"
              ? Effect.succeed(value)
              : numberText.test(value)
                ? Effect.succeed(Number(value))
                : flawed(`must be a whole number from ${min} to ${max}`),
          encode: Effect.succeed
        })
      )
    )

/** The most that `budget_credits` may be (contract: limits, rates and sizes). */
export const BUDGET_CREDITS_MAX = 2000

export const BudgetCredits = Schema.Number.check(
  Schema.isGreaterThan(0),
  Schema.isLessThanOrEqualTo(BUDGET_CREDITS_MAX)
).annotate({
  description: "Spend ceiling for this call, in credits. It never allows a more expensive source.",
  examples: [10]
})

export const DryRun = Schema.Boolean.annotate({
  description: "Return a plan only: nothing is looked up, reserved, charged or sent."
})

export const Route = Schema.Literals(ROUTES).annotate({
  identifier: "Route",
  description: "The order in which sources are asked. Does not change the price."
})

export const CONFIRMATION_TOKEN_PREFIX = "svc_confirm_"
export const ConfirmationToken = Schema.String.check(
  Schema.isPattern(/^svc_confirm_[A-Za-z0-9_-]{43}$/, { message: "must be a confirmation token" })
).annotate({
  description: "The single-use token of the previous call, once a human has approved it."
})

export const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** Where a list goes on. */
export const Cursor = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(500)).annotate({
  description: "`next_cursor` of the previous page. Works only with the same filters."
})

/** The mailboxes that a campaign would send from. Its approval is bound to them. */
export const SenderAddresses = Schema.Array(Schema.String).annotate({
  description: "The addresses that it would be sent from. No other mailbox ever sends for it, unless an owner adds it."
})

/** Reports that a ceiling lowered `limit`. */
export const BudgetApplied = Schema.Struct({
  limit_requested: Schema.Int.check(Schema.isGreaterThan(0)),
  limit_used: Schema.Int.check(Schema.isGreaterThan(0))
}).annotate({ identifier: "BudgetApplied" })

/** The price in a data verb's dry run. */
export const pricedWould = {
  candidate_sources: Count.annotate({ description: "Number of sources that could be asked." }),
  maximum_credits: CreditsFromWire,
  budget_credits: Schema.NullOr(CreditsFromWire)
} as const

export const PricedWould = Schema.Struct(pricedWould).annotate({ identifier: "PricedWould" })

/** For a list, which a ceiling may shorten. */
export const PricedListWould = Schema.Struct({
  limit: Schema.Int,
  budget_applied: Schema.NullOr(BudgetApplied),
  ...pricedWould
}).annotate({ identifier: "PricedListWould" })

/** How much of a source was searched. */
export const SourceStatus = Schema.Literals(["complete", "partial", "unavailable"]).annotate({
  identifier: "SourceStatus"
})

export const EmailStatus = Schema.Literals(EMAIL_STATUSES).annotate({ identifier: "EmailStatus" })

/** A person. Every member is always present. */
export const Contact = Schema.Struct({
  fingerprint: Schema.String.annotate({ description: "A stable id of this person." }),
  full_name: Schema.NullOr(Schema.String),
  title: Schema.NullOr(Schema.String),
  company_name: Schema.NullOr(Schema.String),
  company_domain: Schema.NullOr(Schema.String),
  work_email: Schema.NullOr(Schema.String).annotate({ description: "Masked (null) in find_leads." }),
  work_email_status: Schema.NullOr(Schema.Literals(["valid", "catch_all", "unknown", "not_found"])),
  email_verdict: Schema.NullOr(
    Schema.Literals(["valid", "invalid", "catch_all_valid", "catch_all_unknown", "unknown", "risky"])
  ),
  mobile_phone: Schema.NullOr(Schema.String),
  social_url: Schema.NullOr(Schema.String),
  location: Schema.NullOr(Schema.String),
  observed_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Contact" })
export type Contact = typeof Contact.Type

export const MatchCheck = Schema.Struct({
  status: Schema.Literals(["checked", "partial", "unchecked"]),
  kept: Count,
  withheld: Count,
  not_checked: Count,
  unsure: Schema.optional(Count),
  charged: Schema.optional(Count)
}).annotate({ identifier: "MatchCheck" })

export const InterpretedIndustry = Schema.Struct({
  phrase: text(0, 400),
  how: Schema.Literals(["exact", "alias", "none"]),
  industries: Schema.Array(Schema.String).check(Schema.isMaxLength(25)),
  coarse: Schema.optional(Schema.Literal("niche not applied")),
  candidates: Schema.optional(Schema.Array(Schema.String).check(Schema.isMaxLength(5)))
}).annotate({ identifier: "InterpretedIndustry" })

/** Counts by reason; only reasons that occur. */
export const ReasonCounts = Schema.Record(Schema.String, Count).annotate({
  identifier: "ReasonCounts",
  description: "Counts by reason: opted_out, platform_blocked, invalid, capped, other."
})

export const InterestStatus = Schema.Literals(INTEREST_STATUSES).annotate({ identifier: "InterestStatus" })

export const ProviderSyncStatus = Schema.Literals(["pending", "synced", "failed", "unsupported"]).annotate({
  identifier: "ProviderSyncStatus"
})

export const CampaignStateField = Schema.Literals(["draft", "incomplete", "active", "paused", "completed"]).annotate({
  identifier: "CampaignState"
})

export const MailboxStateField = Schema.Literals(["provisioning", "active", "paused", "failed"]).annotate({
  identifier: "MailboxState"
})
export const LeadStateField = Schema.Literals([
  "pending",
  "ready",
  "active",
  "replied",
  "bounced",
  "unsubscribed",
  "removed",
  "finished",
  "failed"
]).annotate({ identifier: "LeadState" })

export const Classification = Schema.Literals([
  "interested",
  "not_interested",
  "out_of_office",
  "unsubscribe",
  "bounce",
  "other"
]).annotate({ identifier: "Classification" })
