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
import { BudgetCredits, DryRun, PricedWould, text, Timestamp } from "./fields.js"
import { STABLE_FILTER } from "./stableFilters.js"
import { BRIEF_PRICES, DATASET_PRICE, inWords } from "./prices.js"
import { DATA_CALL, defineVerb } from "./Verb.js"

/** The datasets of `enrich_company`. */

export const TECHNOLOGIES_MAX = 40
export const FUNDING_ROUNDS_MAX = 50
export const INVESTORS_MAX = 20
export const RELATIONSHIPS_MAX = 100

export const Profile = Schema.Struct({
  name: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String.check(Schema.isMaxLength(COMPANY_DESCRIPTION_CHARS_MAX))),
  industry: Schema.NullOr(Schema.String),
  headcount: Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  founded_year: Schema.NullOr(
    Schema.Int.check(Schema.isBetween({ minimum: FOUNDED_YEAR_MIN, maximum: FOUNDED_YEAR_MAX }))
  ),
  country: Schema.NullOr(Schema.String),
  city: Schema.NullOr(Schema.String),
  social_url: Schema.NullOr(Uri),
  website: Schema.NullOr(Uri)
}).annotate({ identifier: "CompanyProfile" })

export const Technologies = Schema.Array(
  Schema.Struct({
    name: Schema.String,
    category: Schema.NullOr(Schema.String),
    first_seen: Schema.NullOr(CalendarDate),
    last_seen: Schema.NullOr(CalendarDate)
  }).annotate({ identifier: "CompanyTechnology" })
)
  .check(Schema.isMinLength(1), Schema.isMaxLength(TECHNOLOGIES_MAX))
  .annotate({ description: "Newest first, by `first_seen`." })

export const Funding = Schema.Struct({
  total_usd: Schema.NullOr(Amount),
  rounds: Schema.Array(
    Schema.Struct({
      date: Schema.NullOr(CalendarDate),
      type: Schema.NullOr(Schema.String),
      amount_usd: Schema.NullOr(Amount),
      investors: Schema.Array(Schema.String).check(Schema.isMaxLength(INVESTORS_MAX))
    }).annotate({ identifier: "FundingRound" })
  )
    .check(Schema.isMaxLength(FUNDING_ROUNDS_MAX))
    .annotate({ description: "Newest first." })
}).annotate({ identifier: "CompanyFunding" })

export const Relationships = Schema.Array(
  Schema.Struct({
    company_domain: text(3, 253).check(Schema.isPattern(COMPANY_DOMAIN)),
    kind: Schema.Literals(RELATIONSHIP_KINDS).annotate({
      description: "That company's role: a `customer` buys from the company you asked about."
    }),
    evidence_url: Schema.NullOr(Uri),
    observed_at: Schema.NullOr(Timestamp)
  }).annotate({ identifier: "CompanyRelationship" })
)
  .check(Schema.isMinLength(1), Schema.isMaxLength(RELATIONSHIPS_MAX))
  .annotate({ description: "Newest first." })

/** The schema of each dataset's `data`. */
const datasetData = {
  profile: Profile,
  technologies: Technologies,
  funding: Funding,
  relationships: Relationships
} as const satisfies Record<DatasetName, Schema.Top>

export type DatasetData = { readonly [D in DatasetName]: (typeof datasetData)[D]["Type"] }

export const BRIEF_CHARS_MAX = 20_000
export const BRIEF_SOURCES_MAX = 50

/** `empty`: the sources answered and had no data. `unavailable`: no source answered. */
export const DatasetStatus = Schema.Literals(["hit", "empty", "unavailable"]).annotate({ identifier: "DatasetStatus" })

const Charged = Schema.Boolean.annotate({ description: "Whether it was charged; only a hit is." })

const outcome = <D extends DatasetName>(dataset: D) =>
  Schema.optional(
    Schema.Struct({
      status: DatasetStatus,
      charged: Charged,
      data: Schema.NullOr(datasetData[dataset]).annotate({ description: "Null unless `hit`." })
    })
  )

const Brief = Schema.Struct({
  status: DatasetStatus,
  depth: Schema.Literals(BRIEF_DEPTHS),
  text: Schema.NullOr(Schema.String.check(Schema.isMaxLength(BRIEF_CHARS_MAX))).annotate({
    description: "Null unless `hit`."
  }),
  sources: Schema.Array(
    Schema.Struct({ url: Uri, title: Schema.NullOr(Schema.String) }).annotate({ identifier: "BriefSource" })
  )
    .check(Schema.isMaxLength(BRIEF_SOURCES_MAX))
    .annotate({ description: "The pages that support the text; at least one for a hit." }),
  charged: Charged
}).annotate({ identifier: "CompanyBrief" })

/** Checks the undecoded request, so that this error is reported together with those of single fields. */
const wantedIssues = (input: unknown): ReadonlyArray<Schema.FilterIssue> => {
  if (typeof input !== "object" || input === null) return []
  const hasBrief = "brief" in input && input.brief !== undefined
  const hasDatasets = "datasets" in input && input.datasets !== undefined
  if (hasBrief !== hasDatasets) return []
  return [{ path: [hasBrief ? "brief" : "datasets"], issue: "must be sent alone: either datasets or brief" }]
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
      Schema.Array(Schema.Literals(DATASET_NAMES))
        .check(Schema.isMinLength(1), Schema.isMaxLength(DATASET_NAMES.length))
        .annotate({ description: "Duplicates are merged.", examples: [["profile", "technologies"]] })
    ),
    brief: Schema.optional(
      Schema.Struct({ depth: Schema.Literals(BRIEF_DEPTHS) }).annotate({
        description: "A text about the company with its sources, instead of datasets."
      })
    ),
    budget_credits: Schema.optional(BudgetCredits),
    dry_run: Schema.optional(DryRun)
  })
    .check(
      Schema.makeFilter(wantedIssues, {
        [STABLE_FILTER]: true,
        jsonSchema: { allOf: [{ oneOf: [{ required: ["datasets"] }, { required: ["brief"] }] }] }
      })
    )
    .annotate({ examples: [{ company_domain: "acme.example", datasets: ["profile", "technologies"] }] }),
  result: Schema.Struct({
    company_domain: Schema.String,
    datasets: Schema.optional(
      Schema.Struct({
        profile: outcome("profile"),
        technologies: outcome("technologies"),
        funding: outcome("funding"),
        relationships: outcome("relationships")
      }).annotate({ description: "The requested datasets, by name." })
    ),
    brief: Schema.optional(Brief)
  }),
  would: PricedWould,
  errors: ["tool_unavailable", "own_key_failed", "tool_key_invalid"],
  tool: { title: "Look up a company", destructive: false, idempotent: false, openWorld: true }
})
