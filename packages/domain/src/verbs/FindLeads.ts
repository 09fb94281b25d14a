import { Schema } from "effect"
import { CompanyDomain } from "../people/Domain.js"
import {
  BudgetApplied,
  BudgetCredits,
  Contact,
  Count,
  DryRun,
  integer,
  InterpretedIndustry,
  MatchCheck,
  pricedWould,
  Route,
  text
} from "./fields.js"
import { defineVerb } from "./Verb.js"

const Phrases = Schema.Array(text(1, 120)).pipe(Schema.maxItems(50))

/** Bounds of a company's size; either may be left out. */
export const CompanyHeadcount = Schema.Struct({
  min: Schema.optional(Schema.Int.pipe(Schema.greaterThanOrEqualTo(1))),
  max: Schema.optional(Schema.Int.pipe(Schema.greaterThanOrEqualTo(1)))
}).pipe(
  Schema.filter((size) =>
    size.min !== undefined && size.max !== undefined && size.min > size.max
      ? { path: ["min"], message: "must not exceed max" }
      : true
  )
)

export const FIND_LEADS_LIMIT_MAX = 200
export const FIND_LEADS_LIMIT_DEFAULT = 25

export const FindLeads = defineVerb({
  name: "find_leads",
  route: { method: "POST", path: "/v1/find_leads" },
  summary: "Find people by title, place, industry, company and company size.",
  description:
    "Costs 0.2 credits per returned lead; zero results are free. Emails come back masked: chain a lead into `enrich` to reveal the address. " +
    "A `budget_credits` below what `limit` would cost lowers `limit`, and `budget_applied` says so.",
  mode: "act",
  scope: "data:read",
  idempotency: "optional",
  planVersion: 3,
  request: Schema.Struct({
    audience: Schema.String.pipe(Schema.minLength(1)).annotations({
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
    dry_run: Schema.optional(DryRun)
  }),
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
    title_filter: Schema.optional(Schema.Struct({ withheld: Schema.Int.pipe(Schema.positive()) })),
    interpreted_industries: Schema.optional(
      Schema.Array(InterpretedIndustry).pipe(Schema.minItems(1), Schema.maxItems(25))
    )
  }),
  would: Schema.Struct({
    limit: Schema.Int,
    budget_applied: Schema.NullOr(BudgetApplied),
    ...pricedWould
  }),
  errors: ["provider_unavailable", "tool_unavailable"],
  tool: { title: "Find people", destructive: false, idempotent: true, openWorld: true }
})
