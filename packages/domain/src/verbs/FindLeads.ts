import { Schema } from "effect"
import { OFFER_TOKEN_PATTERN } from "./offerToken.js"
import { CreditsFromWire } from "../kernel/money/Credits.js"
import { CompanyDomain } from "../kernel/people/Domain.js"
import {
  BudgetApplied,
  BudgetCredits,
  Contact,
  Count,
  DryRun,
  integer,
  InterpretedIndustry,
  MatchCheck,
  PricedListWould,
  Route,
  STABLE_FILTER,
  text,
  Timestamp,
  Uuid,
  wordy
} from "./fields.js"
import { defineVerb } from "./Verb.js"

/** Why a call carries an offer: what its standard sources came to. */
export const OFFER_REASONS = ["none_found_standard", "partially_filled", "filter_needs_premium"] as const
export type OfferReason = (typeof OFFER_REASONS)[number]

/** The most characters of what is wanted in plain language. */
export const AUDIENCE_CHARS_MAX = 20_000

const Phrases = Schema.Array(wordy(1, 120)).pipe(Schema.maxItems(50))

/** Looks at the size as it came: this mistake is named beside those of its members. */
const sizeIssues = (size: { readonly min?: unknown; readonly max?: unknown }): ReadonlyArray<Schema.FilterIssue> =>
  typeof size.min === "number" && typeof size.max === "number" && size.min > size.max
    ? [{ path: ["min"], message: "must not exceed max" }]
    : []

/** Bounds of a company's size; either may be left out. */
export const CompanyHeadcount = Schema.Struct({
  min: Schema.optional(Schema.Int.pipe(Schema.greaterThanOrEqualTo(1))),
  max: Schema.optional(Schema.Int.pipe(Schema.greaterThanOrEqualTo(1)))
})
  .pipe(Schema.filter(sizeIssues, { [STABLE_FILTER]: true }))
  .annotations({ identifier: "CompanyHeadcount" })

const OfferToken = Schema.String.pipe(
  Schema.pattern(OFFER_TOKEN_PATTERN, { message: () => "is not an offer token" })
).annotations({ description: "The single-use token of an offer. The rest of the call repeats the one it came with." })

/** A premium step that the caller may accept (contract: data, premium). */
const Offer = Schema.Struct({
  offer_token: OfferToken,
  reason: Schema.Literal(...OFFER_REASONS),
  credits_per_result: CreditsFromWire,
  max_results: Schema.Int.pipe(Schema.positive()),
  max_credits: CreditsFromWire,
  expires_at: Timestamp
}).annotations({ identifier: "PremiumOffer" })

export const FIND_LEADS_LIMIT_MAX = 200
export const FIND_LEADS_LIMIT_DEFAULT = 25

export const FindLeads = defineVerb({
  name: "find_leads",
  route: { method: "POST", path: "/v1/find_leads" },
  summary: "Find people by title, place, industry, company and company size.",
  description:
    "Costs 0.2 credits per returned lead; zero results are free. Emails come back masked: chain a lead into `enrich` to reveal the address. " +
    "A `budget_credits` below what `limit` would cost lowers `limit`, and `budget_applied` says so. " +
    "Where standard sources fall short, the answer may carry an `offer`: the identical call with its `offer_token` runs only the premium step, once, within 15 minutes, at 1 credit per lead it adds. " +
    "`premium` set to `within_budget` runs that step in the same call, within `budget_credits`.",
  mode: "act",
  scope: "data:read",
  idempotency: "optional",
  planVersion: 3,
  request: Schema.Struct({
    audience: text(1, AUDIENCE_CHARS_MAX).annotations({
      description: "Who you are after, in plain language. It steers; the search itself uses the filters.",
      examples: ["Heads of sales at software companies in Germany"]
    }),
    titles: Schema.optional(Phrases.annotations({ description: "Contains-matched." })),
    locations: Schema.optional(Phrases.annotations({ description: "Countries or cities." })),
    industries: Schema.optional(Phrases.annotations({ description: "Professional-network industry names." })),
    company_domains: Schema.optional(Schema.Array(CompanyDomain).pipe(Schema.minItems(1), Schema.maxItems(200))),
    company_headcount: Schema.optional(CompanyHeadcount),
    limit: Schema.optional(integer(1, FIND_LEADS_LIMIT_MAX).annotations({ default: FIND_LEADS_LIMIT_DEFAULT })),
    route: Schema.optional(Route),
    budget_credits: Schema.optional(BudgetCredits),
    offer_token: Schema.optional(OfferToken),
    premium: Schema.optional(
      Schema.Literal("within_budget").annotations({
        description:
          "Consent to premium sources, at 1 credit per lead they add, if standard sources fall short. Requires budget_credits, which bounds the whole call."
      })
    ),
    dry_run: Schema.optional(DryRun)
  }).pipe(
    Schema.filter(
      (request) =>
        request.premium !== undefined && request.budget_credits === undefined
          ? { path: ["budget_credits"], message: "is required with premium" }
          : true,
      { [STABLE_FILTER]: true, jsonSchema: { dependentRequired: { premium: ["budget_credits"] } } }
    )
  ),
  result: Schema.Struct({
    leads: Schema.Array(Contact),
    total_found: Count,
    match_check: Schema.optional(MatchCheck),
    budget_applied: Schema.optional(BudgetApplied),
    interpreted: Schema.optional(
      Schema.Struct({
        places: Schema.Array(
          Schema.Struct({
            requested: Schema.String,
            region: Schema.String,
            cities: Schema.Array(Schema.String),
            version: Schema.String
          })
        ).pipe(Schema.minItems(1))
      })
    ),
    offer: Schema.optional(Offer),
    premium_step: Schema.optional(
      Schema.Struct({
        request_id: Uuid.annotations({ description: "The call that the step was charged in." }),
        results_added: Count,
        credits_charged: CreditsFromWire
      })
    ),
    title_filter: Schema.optional(Schema.Struct({ withheld: Schema.Int.pipe(Schema.positive()) })),
    interpreted_industries: Schema.optional(
      Schema.Array(InterpretedIndustry).pipe(Schema.minItems(1), Schema.maxItems(25))
    )
  }),
  would: PricedListWould,
  errors: ["provider_unavailable", "tool_unavailable", "own_key_failed", "tool_key_invalid"],
  makesOffers: true,
  tool: { title: "Find people", destructive: false, idempotent: true, openWorld: true }
})
