import { Schema } from "effect"
import { CompanyDomain } from "../kernel/people/Domain.js"
import { BRIEF_DEPTHS } from "../sources/ports/BriefWriter.js"
import { DATASET_NAMES, type DatasetName, RELATIONSHIP_KINDS } from "../sources/ports/CompanyDatasetSource.js"
import {
  Amount,
  CalendarDate,
  COMPANY_DESCRIPTION_CHARS_MAX,
  COMPANY_DOMAIN,
  FOUNDED_YEAR_MAX,
  FOUNDED_YEAR_MIN,
  Uri
} from "./companyFields.js"
import { BudgetCredits, DryRun, PricedWould, STABLE_FILTER, text, Timestamp } from "./fields.js"
import { BRIEF_PRICES, DATASET_PRICE, inWords } from "./prices.js"
import { DATA_CALL, defineVerb } from "./Verb.js"

/** The datasets of `enrich_company`. */

export const TECHNOLOGIES_MAX = 40
export const FUNDING_ROUNDS_MAX = 50
export const INVESTORS_MAX = 20
export const RELATIONSHIPS_MAX = 100

export const Profile = Schema.Struct({
  name: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String.pipe(Schema.maxLength(COMPANY_DESCRIPTION_CHARS_MAX))),
  industry: Schema.NullOr(Schema.String),
  headcount: Schema.NullOr(Schema.NonNegativeInt),
  founded_year: Schema.NullOr(Schema.Int.pipe(Schema.between(FOUNDED_YEAR_MIN, FOUNDED_YEAR_MAX))),
  country: Schema.NullOr(Schema.String),
  city: Schema.NullOr(Schema.String),
  social_url: Schema.NullOr(Uri),
  website: Schema.NullOr(Uri)
}).annotations({ identifier: "CompanyProfile" })

export const Technologies = Schema.Array(
  Schema.Struct({
    name: Schema.String,
    category: Schema.NullOr(Schema.String),
    first_seen: Schema.NullOr(CalendarDate),
    last_seen: Schema.NullOr(CalendarDate)
  }).annotations({ identifier: "CompanyTechnology" })
)
  .pipe(Schema.minItems(1), Schema.maxItems(TECHNOLOGIES_MAX))
  .annotations({ description: "Newest first, by `first_seen`." })

export const Funding = Schema.Struct({
  total_usd: Schema.NullOr(Amount),
  rounds: Schema.Array(
    Schema.Struct({
      date: Schema.NullOr(CalendarDate),
      type: Schema.NullOr(Schema.String),
      amount_usd: Schema.NullOr(Amount),
      investors: Schema.Array(Schema.String).pipe(Schema.maxItems(INVESTORS_MAX))
    }).annotations({ identifier: "FundingRound" })
  )
    .pipe(Schema.maxItems(FUNDING_ROUNDS_MAX))
    .annotations({ description: "Newest first." })
}).annotations({ identifier: "CompanyFunding" })

export const Relationships = Schema.Array(
  Schema.Struct({
    company_domain: text(3, 253).pipe(Schema.pattern(COMPANY_DOMAIN)),
    kind: Schema.Literal(...RELATIONSHIP_KINDS).annotations({
      description: "That company's role: a `customer` buys from the company you asked about."
    }),
    evidence_url: Schema.NullOr(Uri),
    observed_at: Schema.NullOr(Timestamp)
  }).annotations({ identifier: "CompanyRelationship" })
)
  .pipe(Schema.minItems(1), Schema.maxItems(RELATIONSHIPS_MAX))
  .annotations({ description: "Newest first." })

/** The schema of each dataset's `data`. */
const datasetData = {
  profile: Profile,
  technologies: Technologies,
  funding: Funding,
  relationships: Relationships
} as const satisfies Record<DatasetName, Schema.Schema.AnyNoContext>

export type DatasetData = { readonly [D in DatasetName]: (typeof datasetData)[D]["Type"] }

export const BRIEF_CHARS_MAX = 20_000
export const BRIEF_SOURCES_MAX = 50

/** `empty`: the sources answered and had no data. `unavailable`: no source answered. */
export const DatasetStatus = Schema.Literal("hit", "empty", "unavailable").annotations({ identifier: "DatasetStatus" })

const Charged = Schema.Boolean.annotations({ description: "Whether it was charged; only a hit is." })

const outcome = <D extends DatasetName>(dataset: D) =>
  Schema.optional(
    Schema.Struct({
      status: DatasetStatus,
      charged: Charged,
      data: Schema.NullOr(datasetData[dataset]).annotations({ description: "Null unless `hit`." })
    })
  )

const Brief = Schema.Struct({
  status: DatasetStatus,
  depth: Schema.Literal(...BRIEF_DEPTHS),
  text: Schema.NullOr(Schema.String.pipe(Schema.maxLength(BRIEF_CHARS_MAX))).annotations({
    description: "Null unless `hit`."
  }),
  sources: Schema.Array(
    Schema.Struct({ url: Uri, title: Schema.NullOr(Schema.String) }).annotations({ identifier: "BriefSource" })
  )
    .pipe(Schema.maxItems(BRIEF_SOURCES_MAX))
    .annotations({ description: "The pages that support the text; at least one for a hit." }),
  charged: Charged
}).annotations({ identifier: "CompanyBrief" })

/** Checks the undecoded request, so that this error is reported together with those of single fields. */
const wantedIssues = (input: unknown): ReadonlyArray<Schema.FilterIssue> => {
  if (typeof input !== "object" || input === null) return []
  const hasBrief = "brief" in input && input.brief !== undefined
  const hasDatasets = "datasets" in input && input.datasets !== undefined
  if (hasBrief !== hasDatasets) return []
  return [{ path: [hasBrief ? "brief" : "datasets"], message: "must be sent alone: either datasets or brief" }]
}

export const EnrichCompany = defineVerb({
  name: "enrich_company",
  route: { method: "POST", path: "/v1/enrich_company" },
  summary: "Look up a company: profile, technologies, funding, relationships, or a sourced brief.",
  description:
    `Takes either \`datasets\` or \`brief\`. Costs ${inWords(DATASET_PRICE)} credits per dataset with data; a brief costs ${inWords(BRIEF_PRICES.fast)} (\`fast\`) or ${inWords(BRIEF_PRICES.deep)} (\`deep\`). ` +
    "Each dataset has its own `status`; `empty` and `unavailable` are free, and the call succeeds even if all of them are. " +
    "A ceiling below the most that the call could cost is refused.",
  ...DATA_CALL,
  request: Schema.Struct({
    company_domain: CompanyDomain,
    datasets: Schema.optional(
      Schema.Array(Schema.Literal(...DATASET_NAMES))
        .pipe(Schema.minItems(1), Schema.maxItems(DATASET_NAMES.length))
        .annotations({ description: "Duplicates are merged.", examples: [["profile", "technologies"]] })
    ),
    brief: Schema.optional(
      Schema.Struct({ depth: Schema.Literal(...BRIEF_DEPTHS) }).annotations({
        description: "A text about the company with its sources, instead of datasets."
      })
    ),
    budget_credits: Schema.optional(BudgetCredits),
    dry_run: Schema.optional(DryRun)
  })
    .pipe(
      Schema.filter(wantedIssues, {
        [STABLE_FILTER]: true,
        jsonSchema: { allOf: [{ oneOf: [{ required: ["datasets"] }, { required: ["brief"] }] }] }
      })
    )
    .annotations({ examples: [{ company_domain: "acme.example", datasets: ["profile", "technologies"] }] }),
  result: Schema.Struct({
    company_domain: Schema.String,
    datasets: Schema.optional(
      Schema.Struct({
        profile: outcome("profile"),
        technologies: outcome("technologies"),
        funding: outcome("funding"),
        relationships: outcome("relationships")
      }).annotations({ description: "The requested datasets, by name." })
    ),
    brief: Schema.optional(Brief)
  }),
  would: PricedWould,
  errors: ["tool_unavailable", "own_key_failed", "tool_key_invalid"],
  tool: { title: "Look up a company", destructive: false, idempotent: false, openWorld: true }
})
