import { Schema } from "effect"
import { CompanyDomain } from "../kernel/people/Domain.js"
import { criteriaIssues } from "./companyCriteria.js"
import { CompanyRecord, LowConfidenceCompany } from "./companyFields.js"
import {
  BudgetApplied,
  BudgetCredits,
  DryRun,
  integer,
  InterpretedIndustry,
  MatchCheck,
  PricedListWould,
  Route,
  text,
  wordy
} from "./fields.js"
import { STABLE_FILTER } from "./stableFilters.js"
import { AUDIENCE_CHARS_MAX, CompanyHeadcount } from "./FindLeads.js"
import { inWords, COMPANIES_PRICE, TECHNOLOGIES_PRICE } from "./prices.js"
import { DATA_CALL, defineVerb } from "./Verb.js"
import { IN_PLACE } from "./keywords.js"

const Phrases = Schema.Array(wordy(1, 120)).check(Schema.isMaxLength(50))
const FewPhrases = Schema.Array(wordy(1, 120)).check(Schema.isMaxLength(20))

export const FIND_COMPANIES_LIMIT_MAX = 100
export const FIND_COMPANIES_LIMIT_DEFAULT = 25
export const LOW_CONFIDENCE_COMPANIES_MAX = 25
export const POSTED_WITHIN_DAYS_MAX = 90
export const POSTED_WITHIN_DAYS_DEFAULT = 30

const Hiring = Schema.Struct({
  titles: Schema.optional(
    Phrases.annotate({
      description:
        "The job posting's title contains any of them. Short forms such as CTO or VP are matched by word, with their long forms."
    })
  ),
  description_contains: Schema.optional(Phrases.annotate({ description: "The posting's text contains any of them." })),
  posted_within_days: Schema.optional(
    integer(1, POSTED_WITHIN_DAYS_MAX).annotate({ default: POSTED_WITHIN_DAYS_DEFAULT })
  )
}).annotate({ description: "Companies with a matching job posting; an empty object matches any posting." })

const KINDS = ["hiring", "technologies", "similar_to", "query", "mode"]

const Request = Schema.Struct({
  audience: Schema.optional(
    text(0, AUDIENCE_CHARS_MAX).annotate({
      description: "Your audience, in plain language. It ranks results but is not a criterion by itself."
    })
  ),
  query: Schema.optional(
    text(0, AUDIENCE_CHARS_MAX).annotate({
      description: "The companies you want, in plain language. Can't be combined with another kind of search.",
      examples: ["logistics software companies in Germany"]
    })
  ),
  hiring: Schema.optional(Hiring),
  technologies: Schema.optional(
    Phrases.annotate({ description: "The company uses any of them. With hiring, both must match." })
  ),
  include_low_confidence: Schema.optional(
    Schema.Boolean.annotate({
      description: "Also return uncertain matches. They are free."
    })
  ),
  similar_to: Schema.optional(
    CompanyDomain.annotate({
      description: "Find companies similar to this domain or URL. Can't be combined with another kind of search."
    })
  ),
  mode: Schema.optional(
    Schema.Literals(["firmographic", "local"]).annotate({
      description: "Can't be combined with hiring, technologies, similar_to or query."
    })
  ),
  locations: Schema.optional(
    Phrases.annotate({
      description:
        "Only with mode. firmographic: cities or regions of the headquarters. local: required, each a city with its country.",
      examples: [["Berlin, Germany"]]
    })
  ),
  categories: Schema.optional(Phrases.annotate({ description: "Kinds of business. Only with mode local." })),
  industries: Schema.optional(
    Phrases.annotate({
      description: "Professional-network industry names. Required with mode firmographic unless keywords is set."
    })
  ),
  keywords: Schema.optional(
    FewPhrases.annotate({
      description:
        "Only with mode firmographic. The description, products or specialties mention any of them. Results then include descriptions."
    })
  ),
  exclude_keywords: Schema.optional(
    FewPhrases.annotate({
      description: "Only with mode firmographic. Leaves out companies whose description mentions any of them."
    })
  ),
  country_codes: Schema.optional(
    Schema.Array(text(2, 2))
      .check(Schema.isMaxLength(50))
      .annotate({ description: "ISO 3166-1 alpha-2, of the headquarters.", examples: [["DE", "AT"]] })
  ),
  company_headcount: Schema.optional(
    CompanyHeadcount.annotate({
      [IN_PLACE]: { description: "Default: at least 10 employees." }
    })
  ),
  limit: Schema.optional(integer(1, FIND_COMPANIES_LIMIT_MAX).annotate({ default: FIND_COMPANIES_LIMIT_DEFAULT })),
  route: Schema.optional(Route),
  budget_credits: Schema.optional(BudgetCredits),
  dry_run: Schema.optional(DryRun)
})
  .check(
    Schema.makeFilter(criteriaIssues, {
      [STABLE_FILTER]: true,
      jsonSchema: { allOf: [{ anyOf: KINDS.map((kind) => ({ required: [kind] })) }] }
    })
  )
  .annotate({
    examples: [{ technologies: ["HubSpot"], country_codes: ["DE"], company_headcount: { min: 50 }, limit: 10 }]
  })

export const FindCompanies = defineVerb({
  name: "find_companies",
  route: { method: "POST", path: "/v1/find_companies" },
  summary: "Find companies by hiring, technology, similarity, description, industry or place.",
  description:
    `Costs ${inWords(TECHNOLOGIES_PRICE)} credits per returned company for technology searches, ${inWords(COMPANIES_PRICE)} for all others. No results, no charge. ` +
    "Set `hiring`, `technologies` or both; or one of `similar_to`, `query` and `mode`. `industries`, `country_codes` and " +
    "`company_headcount` filter every kind of search. Pass `company_domains` to `find_leads`. " +
    "A `budget_credits` too low for `limit` lowers `limit`; `budget_applied` reports it.",
  ...DATA_CALL,
  request: Request,
  result: Schema.Struct({
    companies: Schema.Array(CompanyRecord).check(Schema.isMaxLength(FIND_COMPANIES_LIMIT_MAX)),
    company_domains: Schema.Array(Schema.String)
      .check(Schema.isMaxLength(FIND_COMPANIES_LIMIT_MAX))
      .annotate({ description: "The companies' domains, in the same order." }),
    more_available: Schema.NullOr(Schema.Boolean),
    low_confidence_companies: Schema.optional(
      Schema.Array(LowConfidenceCompany).check(Schema.isMaxLength(LOW_CONFIDENCE_COMPANIES_MAX))
    ),
    match_check: Schema.optional(MatchCheck),
    budget_applied: Schema.optional(BudgetApplied),
    interpreted_industries: Schema.optional(
      Schema.Array(InterpretedIndustry).check(Schema.isMinLength(1), Schema.isMaxLength(25))
    )
  }),
  would: PricedListWould,
  errors: ["provider_unavailable", "tool_unavailable", "own_key_failed", "tool_key_invalid"],
  tool: { title: "Find companies", destructive: false, idempotent: false, openWorld: true }
})
