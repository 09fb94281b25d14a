import { Schema } from "effect"
import { text } from "./fields.js"

/** A company on the wire. */

export const COMPANY_DOMAIN = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\.[a-z0-9-]+$/
export const COMPANY_NAME_CHARS_MAX = 300
export const COMPANY_DESCRIPTION_CHARS_MAX = 500
export const SIGNAL_SUMMARY_CHARS_MAX = 500
export const MATCHED_SIGNALS_MAX = 10
export const FOUNDED_YEAR_MIN = 1000
export const FOUNDED_YEAR_MAX = 2027

export const COMPANY_SIGNALS = ["hiring", "technology", "similar", "firmographic", "local"] as const
export type CompanySignal = (typeof COMPANY_SIGNALS)[number]

export const Uri = Schema.String.pipe(
  Schema.filter((value) => URL.canParse(value), { message: () => "must be a URL", jsonSchema: { format: "uri" } })
)

export const CalendarDate = Schema.String.pipe(
  Schema.filter((value) => /^\d{4}-\d{2}-\d{2}$/.test(value), {
    message: () => "must be a date, such as 2026-01-31",
    jsonSchema: { format: "date" }
  })
)

export const Amount = Schema.Number.pipe(Schema.nonNegative())

const nullable = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

export const MatchConfidence = Schema.Literal("high", "low").annotations({ identifier: "MatchConfidence" })

/** Why a company matched. */
export const MatchedSignal = Schema.Struct({
  signal: Schema.Literal(...COMPANY_SIGNALS),
  summary: text(0, SIGNAL_SUMMARY_CHARS_MAX),
  evidence_url: nullable(Uri),
  observed_at: Schema.String.annotations({ description: "A date or an ISO 8601 date-time." }),
  score: Schema.Number.pipe(Schema.between(0, 1)),
  match_confidence: Schema.optional(MatchConfidence)
}).annotations({ identifier: "MatchedSignal" })
export type MatchedSignal = typeof MatchedSignal.Type

export const companyRecord = {
  company_domain: text(3, 253).pipe(Schema.pattern(COMPANY_DOMAIN)),
  company_name: Schema.NullOr(text(1, COMPANY_NAME_CHARS_MAX)),
  description: nullable(Schema.String.pipe(Schema.maxLength(COMPANY_DESCRIPTION_CHARS_MAX))).annotations({
    description: "Set if the search used keywords."
  }),
  description_source: nullable(Schema.Literal("vendor", "homepage")),
  social_url: nullable(Uri),
  headcount: nullable(Schema.NonNegativeInt),
  industry: nullable(Schema.String),
  country: nullable(Schema.String),
  city: nullable(Schema.String),
  founded_year: nullable(Schema.Int.pipe(Schema.between(FOUNDED_YEAR_MIN, FOUNDED_YEAR_MAX))),
  total_funding_usd: nullable(Amount),
  jobs_last_30_days: nullable(Schema.NonNegativeInt),
  last_funding_round_date: nullable(CalendarDate),
  last_funding_round_amount_usd: nullable(Amount),
  matched_signals: Schema.Array(MatchedSignal).pipe(Schema.minItems(1), Schema.maxItems(MATCHED_SIGNALS_MAX))
} as const

export const CompanyRecord = Schema.Struct(companyRecord).annotations({ identifier: "Company" })
export type CompanyRecord = typeof CompanyRecord.Type

/** An uncertain match. Never charged. */
export const LowConfidenceCompany = Schema.Struct({
  ...companyRecord,
  match_confidence: Schema.Literal("low")
}).annotations({ identifier: "LowConfidenceCompany" })
