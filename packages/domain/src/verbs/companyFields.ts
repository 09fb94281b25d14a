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

export const Uri = Schema.String.check(
  Schema.makeFilter((value) => URL.canParse(value), { message: "must be a URL", jsonSchema: { format: "uri" } })
)

export const CalendarDate = Schema.String.check(
  Schema.makeFilter((value) => /^\d{4}-\d{2}-\d{2}$/.test(value), {
    message: "must be a date, such as 2026-01-31",
    jsonSchema: { format: "date" }
  })
)

export const Amount = Schema.Number.check(Schema.isGreaterThanOrEqualTo(0))

const nullable = <A, I>(schema: Schema.Codec<A, I>) => Schema.optional(Schema.NullOr(schema))

export const MatchConfidence = Schema.Literals(["high", "low"]).annotate({ identifier: "MatchConfidence" })

/** Why a company matched. */
export const MatchedSignal = Schema.Struct({
  signal: Schema.Literals(COMPANY_SIGNALS),
  summary: text(0, SIGNAL_SUMMARY_CHARS_MAX),
  evidence_url: nullable(Uri),
  observed_at: Schema.String.annotate({ description: "A date or an ISO 8601 date-time." }),
  score: Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
  match_confidence: Schema.optional(MatchConfidence)
}).annotate({ identifier: "MatchedSignal" })
export type MatchedSignal = typeof MatchedSignal.Type

export const companyRecord = {
  company_domain: text(3, 253).check(Schema.isPattern(COMPANY_DOMAIN)),
  company_name: Schema.NullOr(text(1, COMPANY_NAME_CHARS_MAX)),
  description: nullable(Schema.String.check(Schema.isMaxLength(COMPANY_DESCRIPTION_CHARS_MAX))).annotate({
    description: "Set if the search used keywords."
  }),
  description_source: nullable(Schema.Literals(["vendor", "homepage"])),
  social_url: nullable(Uri),
  headcount: nullable(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  industry: nullable(Schema.String),
  country: nullable(Schema.String),
  city: nullable(Schema.String),
  founded_year: nullable(Schema.Int.check(Schema.isBetween({ minimum: FOUNDED_YEAR_MIN, maximum: FOUNDED_YEAR_MAX }))),
  total_funding_usd: nullable(Amount),
  jobs_last_30_days: nullable(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  last_funding_round_date: nullable(CalendarDate),
  last_funding_round_amount_usd: nullable(Amount),
  matched_signals: Schema.Array(MatchedSignal).check(Schema.isMinLength(1), Schema.isMaxLength(MATCHED_SIGNALS_MAX))
} as const

export const CompanyRecord = Schema.Struct(companyRecord).annotate({ identifier: "Company" })
export type CompanyRecord = typeof CompanyRecord.Type

/** An uncertain match. Never charged. */
export const LowConfidenceCompany = Schema.Struct({
  ...companyRecord,
  match_confidence: Schema.Literal("low")
}).annotate({ identifier: "LowConfidenceCompany" })
