import { Schema } from "effect"
import { CreditsFromWire } from "../kernel/money/Credits.js"
import { CompanyDomain } from "../kernel/people/Domain.js"
import { NEWS_TYPES } from "../sources/ports/IntentSource.js"
import { BudgetCredits, Count, DryRun, integer, pricedWould, SourceStatus, text, Timestamp, wordy } from "./fields.js"
import { STABLE_FILTER } from "./stableFilters.js"
import { AUDIENCE_CHARS_MAX } from "./FindLeads.js"
import { inWords, QUIET_PRICE, SIGNALS_PRICE } from "./prices.js"
import { DATA_CALL, defineVerb } from "./Verb.js"

export const INTENT_COMPANIES_MAX = 50
export const INTENT_SIGNALS_MAX = 20
export const INTENT_ROLES_MAX = 50
export const WITHIN_DAYS_MAX = 730
/** The default window. Few postings stay open longer. */
export const WITHIN_DAYS_DEFAULT = 90
export const SIGNAL_TITLE_CHARS_MAX = 300
export const NEXT_MAX = 2

export const INTENT_SIGNALS = ["hiring", "technology", "funding", "news", "job_change"] as const
export const IntentSignalKind = Schema.Literals(INTENT_SIGNALS).annotate({ identifier: "IntentSignalKind" })

const isCalendarDate = (value: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const millis = Date.parse(`${value}T00:00:00.000Z`)
  // `Date.parse` accepts some days that don't exist, such as 30 February.
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(value)
}

const CalendarDate = Schema.String.check(
  Schema.makeFilter(isCalendarDate, {
    message: "must be a date, such as 2026-01-31",
    jsonSchema: { format: "date" }
  })
)

const Request = Schema.Struct({
  company_domains: Schema.Array(CompanyDomain)
    .check(Schema.isMinLength(1), Schema.isMaxLength(INTENT_COMPANIES_MAX))
    .annotate({ description: "Domains or URLs, in any order. Duplicates are merged." }),
  audience: Schema.optional(
    text(0, AUDIENCE_CHARS_MAX).annotate({
      description: "What you want from the companies, in plain language. It ranks the results."
    })
  ),
  since: Schema.optional(
    CalendarDate.annotate({
      description: "The first day of the window (UTC). Can't be combined with within_days.",
      examples: ["2026-01-31"]
    })
  ),
  within_days: Schema.optional(
    integer(1, WITHIN_DAYS_MAX).annotate({
      default: WITHIN_DAYS_DEFAULT,
      description: "How many days back the window begins. Can't be combined with since."
    })
  ),
  roles: Schema.optional(
    Schema.Array(wordy(1, 120))
      .check(Schema.isMaxLength(INTENT_ROLES_MAX))
      .annotate({
        description:
          "Only for hiring: postings for any of these roles, matched by meaning. Put a role in double quotes to match it word for word.",
        examples: [["sales engineer", '"Account Executive"']]
      })
  ),
  signals: Schema.optional(
    Schema.Array(IntentSignalKind)
      .check(Schema.isMaxLength(INTENT_SIGNALS_MAX))
      .annotate({
        description:
          "What to check each company for. Default: hiring, with the latest funding round of companies that hire. " +
          "technology is deprecated: use find_companies.technologies."
      })
  ),
  budget_credits: Schema.optional(BudgetCredits),
  dry_run: Schema.optional(DryRun)
})
  .check(
    Schema.makeFilter(
      (input: unknown) => {
        const said = (name: string): boolean =>
          typeof input === "object" && input !== null && Object.hasOwn(input, name)
        return said("since") && said("within_days")
          ? [{ path: ["since"], issue: "can't be combined with within_days" }]
          : []
      },
      { [STABLE_FILTER]: true, jsonSchema: { not: { required: ["since", "within_days"] } } }
    )
  )
  .annotate({ examples: [{ company_domains: ["hiring-1.test", "quiet-1.test"], within_days: 30 }] })

/** One event at a company. */
export const IntentSignal = Schema.Struct({
  company_domain: Schema.String,
  signal: IntentSignalKind,
  summary: Schema.String,
  observed_at: Timestamp,
  evidence_url: Schema.NullOr(Schema.String),
  title: Schema.optional(Schema.String.check(Schema.isMaxLength(SIGNAL_TITLE_CHARS_MAX))),
  news_type: Schema.optional(Schema.Literals(NEWS_TYPES)),
  why_now: Schema.optional(Schema.Boolean.annotate({ description: "A reason to write today." })),
  why_now_basis: Schema.optional(Schema.Literals(["judged", "date"]))
}).annotate({ identifier: "IntentSignal" })
export type IntentSignal = typeof IntentSignal.Type

export const Suggestion = Schema.Struct({
  reason: Schema.Literals([
    "check_funding",
    "check_news",
    "research_strongest",
    "research_deeper",
    "find_people",
    "find_profile"
  ]),
  text: text(1, 240),
  verb: Schema.Literals(["find_intent", "research_company", "find_leads", "enrich"]),
  params: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "The call's request."
  }),
  max_credits: CreditsFromWire.annotate({ description: "The most that the call can cost." })
}).annotate({ identifier: "IntentSuggestion" })
export type Suggestion = typeof Suggestion.Encoded

const UnavailableSignal = Schema.Struct({
  signal: IntentSignalKind,
  reason: Schema.Literals([
    "vendor_account",
    "invalid_request",
    "rate_limited",
    "temporarily_paused",
    "upstream_error"
  ]),
  retry_after_seconds: Schema.optional(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)))
}).annotate({ identifier: "UnavailableSignal" })

export const DomainStatus = Schema.Struct({
  company_domain: Schema.String,
  status: SourceStatus,
  requested_signals: Schema.Array(IntentSignalKind),
  completed_signals: Schema.Array(IntentSignalKind),
  unavailable_signals: Schema.Array(UnavailableSignal),
  skipped_signals: Schema.Array(
    Schema.Struct({ signal: IntentSignalKind, reason: Schema.Literal("default_hiring_first") })
  ),
  charge: Schema.Struct({
    credits: CreditsFromWire,
    signal: Schema.Boolean.annotate({ description: "Whether the company returned signals." }),
    paid_checks: Count
  }),
  roles_check: Schema.optional(
    Schema.Struct({ method: Schema.Literals(["meaning", "literal"]), postings_rejected: Count })
  )
}).annotate({ identifier: "DomainStatus" })
export type DomainStatus = typeof DomainStatus.Encoded

export const Ranking = Schema.Struct({
  by: Schema.Literals(["goal", "recency"]),
  judged: Count,
  unsure: Count,
  why_now_judged: Count,
  version: Schema.String,
  companies: Schema.Array(Schema.String).annotate({ description: "The companies with signals, best first." })
}).annotate({ identifier: "IntentRanking" })
export type Ranking = typeof Ranking.Type

export const FindIntent = defineVerb({
  name: "find_intent",
  route: { method: "POST", path: "/v1/find_intent" },
  summary: "Find buying-intent signals of companies: hiring, funding, news, job changes.",
  description:
    `Costs ${inWords(SIGNALS_PRICE)} credits per company with signals and ${inWords(QUIET_PRICE)} per company without, for any number of kinds of signal. ` +
    "A company that could not be checked is free. Signals before the window are in `historical`, at no extra cost. " +
    `A \`budget_credits\` below ${inWords(SIGNALS_PRICE)} credits per company is refused.`,
  ...DATA_CALL,
  request: Request,
  result: Schema.Struct({
    signals: Schema.Array(IntentSignal).annotate({
      description: "Signals in the window, in the order of `ranking`."
    }),
    historical: Schema.optional(
      Schema.Array(IntentSignal).annotate({ description: "Signals before the window, newest first." })
    ),
    next: Schema.optional(Schema.Array(Suggestion).check(Schema.isMaxLength(NEXT_MAX))),
    ranking: Schema.optional(Ranking),
    domain_status: Schema.optional(Schema.Array(DomainStatus).check(Schema.isMaxLength(INTENT_COMPANIES_MAX))),
    window: Schema.optional(
      Schema.Struct({
        from: CalendarDate,
        to: CalendarDate,
        within_days: Schema.optional(Schema.Int)
      }).annotate({ description: "Days (UTC), inclusive." })
    ),
    interpreted: Schema.optional(
      Schema.Struct({
        roles_searched: Schema.Array(Schema.String),
        version: Schema.String
      }).annotate({ description: "How `roles` were interpreted." })
    )
  }),
  would: Schema.Struct({ companies: Count, ...pricedWould }),
  errors: ["provider_unavailable", "tool_unavailable", "own_key_failed", "tool_key_invalid"],
  tool: { title: "Find buying intent", destructive: false, idempotent: false, openWorld: true }
})
