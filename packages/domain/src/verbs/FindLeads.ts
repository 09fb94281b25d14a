import { Schema } from "effect"
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
  text,
  Timestamp,
  Uuid,
  wordy
} from "./fields.js"
import { STABLE_FILTER } from "./stableFilters.js"
import { FIND_LEADS_PRICE, inWords, PREMIUM_LEAD_PRICE } from "./prices.js"
import { DATA_CALL, defineVerb } from "./Verb.js"
import type { Crypto } from "../kernel/ports/Crypto.js"

const OFFER_TOKEN_PREFIX = "svc_offer_"

const OFFER_TOKEN_PATTERN = /^svc_offer_[A-Za-z0-9_-]{43}$/

/**
 * The token of an offer, derived from its id, so that a replayed answer can show it again although only its SHA-256
 * is stored (contract: calls, names and times).
 */
export const offerToken = (crypto: Crypto["Service"], offerId: string): string =>
  `${OFFER_TOKEN_PREFIX}${crypto.mac("offer_token", offerId)}`

/** Why a call carries an offer: what its standard sources came to. */
export const OFFER_REASONS = ["none_found_standard", "partially_filled", "filter_needs_premium"] as const
export type OfferReason = (typeof OFFER_REASONS)[number]

export const AUDIENCE_CHARS_MAX = 20_000

const Phrases = Schema.Array(wordy(1, 120)).check(Schema.isMaxLength(50))

/** Checks the undecoded size, so that this error is reported together with those of its members. */
const sizeIssues = (size: { readonly min?: unknown; readonly max?: unknown }): ReadonlyArray<Schema.FilterIssue> =>
  typeof size.min === "number" && typeof size.max === "number" && size.min > size.max
    ? [{ path: ["min"], issue: "must not exceed max" }]
    : []

/** Bounds of a company's size; each is optional. */
export const CompanyHeadcount = Schema.Struct({
  min: Schema.optional(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
  max: Schema.optional(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)))
})
  .check(Schema.makeFilter(sizeIssues, { [STABLE_FILTER]: true }))
  .annotate({ identifier: "CompanyHeadcount" })

const OfferToken = Schema.String.check(
  Schema.isPattern(OFFER_TOKEN_PATTERN, { message: "must be an offer token" })
).annotate({ description: "The single-use token of an offer. Repeat the rest of the call unchanged." })

/** A premium step that the caller may accept (contract: data, premium). */
const Offer = Schema.Struct({
  offer_token: OfferToken,
  reason: Schema.Literals(OFFER_REASONS),
  credits_per_result: CreditsFromWire,
  max_results: Schema.Int.check(Schema.isGreaterThan(0)),
  max_credits: CreditsFromWire,
  expires_at: Timestamp
}).annotate({ identifier: "PremiumOffer" })

export const FIND_LEADS_LIMIT_MAX = 200
export const FIND_LEADS_LIMIT_DEFAULT = 25

export const FindLeads = defineVerb({
  name: "find_leads",
  route: { method: "POST", path: "/v1/find_leads" },
  summary: "Find leads by title, location, industry, company and company size.",
  description:
    `Costs ${inWords(FIND_LEADS_PRICE)} credits per returned lead. No results, no charge. Emails are masked: call \`enrich\` to reveal one. ` +
    "A `budget_credits` too low for `limit` lowers `limit`; `budget_applied` reports it. " +
    `If standard sources find too few, the answer may contain an \`offer\`: the same call with its \`offer_token\`, within 15 minutes, runs only the premium step, once, at ${inWords(PREMIUM_LEAD_PRICE)} credit per added lead. ` +
    "With `premium: within_budget` that step runs in the same call, within `budget_credits`.",
  ...DATA_CALL,
  request: Schema.Struct({
    audience: text(1, AUDIENCE_CHARS_MAX).annotate({
      description: "Your audience, in plain language. It ranks results; the filters select them.",
      examples: ["Heads of sales at software companies in Germany"]
    }),
    titles: Schema.optional(
      Phrases.annotate({
        description:
          "The title contains any of them. Short forms such as CTO or VP are matched by word, with their long forms."
      })
    ),
    locations: Schema.optional(Phrases.annotate({ description: "Countries or cities." })),
    industries: Schema.optional(Phrases.annotate({ description: "Professional-network industry names." })),
    company_domains: Schema.optional(Schema.Array(CompanyDomain).check(Schema.isMinLength(1), Schema.isMaxLength(200))),
    company_headcount: Schema.optional(CompanyHeadcount),
    limit: Schema.optional(integer(1, FIND_LEADS_LIMIT_MAX).annotate({ default: FIND_LEADS_LIMIT_DEFAULT })),
    route: Schema.optional(Route),
    budget_credits: Schema.optional(BudgetCredits),
    offer_token: Schema.optional(OfferToken),
    premium: Schema.optional(
      Schema.Literal("within_budget").annotate({
        description: `Use premium sources, at ${inWords(PREMIUM_LEAD_PRICE)} credit per added lead, if standard sources find too few. Requires budget_credits, which limits the whole call.`
      })
    ),
    dry_run: Schema.optional(DryRun)
  }).check(
    Schema.makeFilter(
      (request) =>
        request.premium !== undefined && request.budget_credits === undefined
          ? { path: ["budget_credits"], issue: "is required with premium" }
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
        ).check(Schema.isMinLength(1))
      })
    ),
    offer: Schema.optional(Offer),
    premium_step: Schema.optional(
      Schema.Struct({
        request_id: Uuid.annotate({ description: "The call that was charged for the step." }),
        results_added: Count,
        credits_charged: CreditsFromWire
      })
    ),
    title_filter: Schema.optional(Schema.Struct({ withheld: Schema.Int.check(Schema.isGreaterThan(0)) })),
    interpreted_industries: Schema.optional(
      Schema.Array(InterpretedIndustry).check(Schema.isMinLength(1), Schema.isMaxLength(25))
    )
  }),
  would: PricedListWould,
  errors: ["provider_unavailable", "tool_unavailable", "own_key_failed", "tool_key_invalid"],
  makesOffers: true,
  tool: { title: "Find leads", destructive: false, idempotent: false, openWorld: true }
})
