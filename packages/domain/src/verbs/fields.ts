import { ParseResult, Schema } from "effect"
import { EMAIL_STATUSES } from "../sources/ports/EmailVerifier.js"
import { ROUTES } from "../sources/ports/Source.js"
import { INTEREST_STATUSES } from "../kernel/sequences/Sequence.js"
import { isUuid } from "../kernel/ports/Ids.js"
import { CreditsFromWire } from "../kernel/money/Credits.js"

/** Request and result fields that several verbs share. */

export const Uuid = Schema.String.pipe(
  Schema.filter(isUuid, { message: () => "must be a UUID", jsonSchema: { format: "uuid" } })
).annotations({ description: "A UUID.", examples: ["018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"] })

/** RFC 3339 UTC with milliseconds. */
export const Timestamp = Schema.String.annotations({
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
export const TimestampInput = Schema.transformOrFail(
  Schema.String.annotations({
    description: "An RFC 3339 timestamp.",
    jsonSchema: { type: "string", format: "date-time", description: "An RFC 3339 timestamp." },
    examples: ["2026-01-02T03:04:05.678Z"]
  }),
  Schema.Number,
  {
    strict: true,
    decode: (text, _options, ast) => {
      const [, month, day] = RFC3339.exec(text) ?? []
      // `Date.parse` reads February 30 as March 2.
      const isDay =
        new Date(`${month}-01T00:00:00Z`).getUTCMonth() === new Date(`${month}-${day}T00:00:00Z`).getUTCMonth()
      const millis = isDay ? Date.parse(text) : Number.NaN
      return Number.isNaN(millis)
        ? ParseResult.fail(
            new ParseResult.Type(ast, text, "must be an RFC 3339 timestamp, such as 2026-01-02T03:04:05Z")
          )
        : ParseResult.succeed(millis)
    },
    encode: (millis) => ParseResult.succeed(new Date(millis).toISOString())
  }
)

/**
 * Marks a filter of Effect's schemas that also runs when fields are invalid, so that all errors are reported together.
 * `SchemaAST` does not export it.
 */
export const STABLE_FILTER = Symbol.for("effect/annotation/StableFilter")

/** Counts characters by code point: an emoji counts as one. */
const isWithin = (text: string, charsMax: number): boolean =>
  text.length <= charsMax || (text.length <= 2 * charsMax && [...text].length <= charsMax)

/** A text with a length from `min` to `max`, counted as JSON Schema counts. */
export const text = (min: number, max: number) =>
  Schema.String.pipe(
    Schema.minLength(min),
    Schema.filter((value) => isWithin(value, max), {
      schemaId: Schema.MaxLengthSchemaId,
      jsonSchema: { maxLength: max }
    })
  )

/** A text that is not blank. */
export const wordy = (min: number, max: number) =>
  text(min, max).pipe(Schema.pattern(/\S/, { message: () => "must not be blank" }))

export const integer = (min: number, max: number) => Schema.Int.pipe(Schema.between(min, max))

const numberText = /^\d{1,9}$/

/** A whole number: a number in a body, or digits in a query. `fallback` is the default. */
export const integerInput = (min: number, max: number, fallback: number) =>
  Schema.transformOrFail(
    Schema.Union(Schema.Number, Schema.String).annotations({
      jsonSchema: { type: "integer", minimum: min, maximum: max, default: fallback }
    }),
    integer(min, max),
    {
      strict: true,
      decode: (value, _options, ast) =>
        typeof value === "number"
          ? ParseResult.succeed(value)
          : numberText.test(value)
            ? ParseResult.succeed(Number(value))
            : ParseResult.fail(new ParseResult.Type(ast, value, `must be a whole number from ${min} to ${max}`)),
      encode: ParseResult.succeed
    }
  )

/** The most that `budget_credits` may be (contract: limits, rates and sizes). */
export const BUDGET_CREDITS_MAX = 2000

export const BudgetCredits = Schema.Number.pipe(
  Schema.greaterThan(0),
  Schema.lessThanOrEqualTo(BUDGET_CREDITS_MAX)
).annotations({
  description: "Spend ceiling for this call, in credits. It never allows a more expensive source.",
  examples: [10]
})

export const DryRun = Schema.Boolean.annotations({
  description: "Return a plan only: nothing is looked up, reserved, charged or sent."
})

export const Route = Schema.Literal(...ROUTES).annotations({
  identifier: "Route",
  description: "The order in which sources are asked. Does not change the price."
})

export const CONFIRMATION_TOKEN_PREFIX = "svc_confirm_"
export const ConfirmationToken = Schema.String.pipe(
  Schema.pattern(/^svc_confirm_[A-Za-z0-9_-]{43}$/, { message: () => "must be a confirmation token" })
).annotations({
  description: "The single-use token of the previous call, once a human has approved it."
})

export const Count = Schema.NonNegativeInt

/** Where a list goes on. */
export const Cursor = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(500)).annotations({
  description: "`next_cursor` of the previous page. Works only with the same filters."
})

/** The mailboxes that a campaign would send from. Its approval is bound to them. */
export const SenderAddresses = Schema.Array(Schema.String).annotations({
  description: "The addresses that it would be sent from. No other mailbox ever sends for it, unless an owner adds it."
})

/** Reports that a ceiling lowered `limit`. */
export const BudgetApplied = Schema.Struct({
  limit_requested: Schema.Int.pipe(Schema.positive()),
  limit_used: Schema.Int.pipe(Schema.positive())
}).annotations({ identifier: "BudgetApplied" })

/** The price in a data verb's dry run. */
export const pricedWould = {
  candidate_sources: Count.annotations({ description: "Number of sources that could be asked." }),
  maximum_credits: CreditsFromWire,
  budget_credits: Schema.NullOr(CreditsFromWire)
} as const

export const PricedWould = Schema.Struct(pricedWould).annotations({ identifier: "PricedWould" })

/** For a list, which a ceiling may shorten. */
export const PricedListWould = Schema.Struct({
  limit: Schema.Int,
  budget_applied: Schema.NullOr(BudgetApplied),
  ...pricedWould
}).annotations({ identifier: "PricedListWould" })

/** How much of a source was searched. */
export const SourceStatus = Schema.Literal("complete", "partial", "unavailable").annotations({
  identifier: "SourceStatus"
})

export const EmailStatus = Schema.Literal(...EMAIL_STATUSES).annotations({ identifier: "EmailStatus" })

/** A person. Every member is always present. */
export const Contact = Schema.Struct({
  fingerprint: Schema.String.annotations({ description: "A stable id of this person." }),
  full_name: Schema.NullOr(Schema.String),
  title: Schema.NullOr(Schema.String),
  company_name: Schema.NullOr(Schema.String),
  company_domain: Schema.NullOr(Schema.String),
  work_email: Schema.NullOr(Schema.String).annotations({ description: "Masked (null) in find_leads." }),
  work_email_status: Schema.NullOr(Schema.Literal("valid", "catch_all", "unknown", "not_found")),
  email_verdict: Schema.NullOr(
    Schema.Literal("valid", "invalid", "catch_all_valid", "catch_all_unknown", "unknown", "risky")
  ),
  mobile_phone: Schema.NullOr(Schema.String),
  social_url: Schema.NullOr(Schema.String),
  location: Schema.NullOr(Schema.String),
  observed_at: Schema.NullOr(Schema.String)
}).annotations({ identifier: "Contact" })
export type Contact = typeof Contact.Type

export const MatchCheck = Schema.Struct({
  status: Schema.Literal("checked", "partial", "unchecked"),
  kept: Count,
  withheld: Count,
  not_checked: Count,
  unsure: Schema.optional(Count),
  charged: Schema.optional(Count)
}).annotations({ identifier: "MatchCheck" })

export const InterpretedIndustry = Schema.Struct({
  phrase: text(0, 400),
  how: Schema.Literal("exact", "alias", "none"),
  industries: Schema.Array(Schema.String).pipe(Schema.maxItems(25)),
  coarse: Schema.optional(Schema.Literal("niche not applied")),
  candidates: Schema.optional(Schema.Array(Schema.String).pipe(Schema.maxItems(5)))
}).annotations({ identifier: "InterpretedIndustry" })

/** Counts by reason; only reasons that occur. */
export const ReasonCounts = Schema.Record({ key: Schema.String, value: Count }).annotations({
  identifier: "ReasonCounts",
  description: "Counts by reason: opted_out, platform_blocked, invalid, capped, other."
})

export const InterestStatus = Schema.Literal(...INTEREST_STATUSES).annotations({ identifier: "InterestStatus" })

export const ProviderSyncStatus = Schema.Literal("pending", "synced", "failed", "unsupported").annotations({
  identifier: "ProviderSyncStatus"
})

export const CampaignStateField = Schema.Literal("draft", "incomplete", "active", "paused", "completed").annotations({
  identifier: "CampaignState"
})

export const LeadStateField = Schema.Literal(
  "pending",
  "ready",
  "active",
  "replied",
  "bounced",
  "unsubscribed",
  "removed",
  "finished",
  "failed"
).annotations({ identifier: "LeadState" })

export const Classification = Schema.Literal(
  "interested",
  "not_interested",
  "out_of_office",
  "unsubscribe",
  "bounce",
  "other"
).annotations({ identifier: "Classification" })
