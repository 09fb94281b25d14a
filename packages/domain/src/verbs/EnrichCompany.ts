import { Schema } from "effect"
import { CompanyDomain } from "../kernel/people/Domain.js"
import { BRIEF_DEPTHS } from "../sources/ports/BriefWriter.js"
import { DATASET_NAMES, type DatasetName } from "../sources/ports/CompanyDatasetSource.js"
import { datasetData } from "./companyDatasets.js"
import { Uri } from "./companyFields.js"
import { BudgetCredits, DryRun, PricedWould, STABLE_FILTER } from "./fields.js"
import { defineVerb } from "./Verb.js"

export const BRIEF_CHARS_MAX = 20_000
export const BRIEF_SOURCES_MAX = 50

/** Whether there was something: `empty` is an answer, `unavailable` that no source gave one. */
export const DatasetStatus = Schema.Literal("hit", "empty", "unavailable").annotations({ identifier: "DatasetStatus" })

const Charged = Schema.Boolean.annotations({ description: "Whether it was charged for: only a hit is." })

const outcome = <D extends DatasetName>(dataset: D) =>
  Schema.optional(
    Schema.Struct({
      status: DatasetStatus,
      charged: Charged,
      data: Schema.NullOr(datasetData[dataset]).annotations({ description: "Null unless it is a hit." })
    })
  )

const Brief = Schema.Struct({
  status: DatasetStatus,
  depth: Schema.Literal(...BRIEF_DEPTHS),
  text: Schema.NullOr(Schema.String.pipe(Schema.maxLength(BRIEF_CHARS_MAX))).annotations({
    description: "Null unless it is a hit."
  }),
  sources: Schema.Array(
    Schema.Struct({ url: Uri, title: Schema.NullOr(Schema.String) }).annotations({ identifier: "BriefSource" })
  )
    .pipe(Schema.maxItems(BRIEF_SOURCES_MAX))
    .annotations({ description: "The pages that the text rests on; a brief that is a hit names at least one." }),
  charged: Charged
}).annotations({ identifier: "CompanyBrief" })

/** Looks at the request as it came, so that this mistake is named beside those of single fields. */
const wantedIssues = (input: unknown): ReadonlyArray<Schema.FilterIssue> => {
  if (typeof input !== "object" || input === null) return []
  const hasBrief = "brief" in input && input.brief !== undefined
  const hasDatasets = "datasets" in input && input.datasets !== undefined
  if (hasBrief !== hasDatasets) return []
  return [{ path: [hasBrief ? "brief" : "datasets"], message: "send either datasets or brief" }]
}

export const EnrichCompany = defineVerb({
  name: "enrich_company",
  route: { method: "POST", path: "/v1/enrich_company" },
  summary: "Read what is known of a company: profile, technologies, funding, relationships, or a sourced brief.",
  description:
    "Takes either `datasets` or a `brief`. Costs 7 credits per dataset that returns data; a brief costs 10 (`fast`) or 40 (`deep`). " +
    "Each dataset has its own `status`: `empty` and `unavailable` are free, and the call is answered also where all of them are. " +
    "No dataset is dropped to fit a ceiling: one below the most that the call could cost refuses it.",
  mode: "act",
  scope: "data:read",
  idempotency: "optional",
  planVersion: 3,
  request: Schema.Struct({
    company_domain: CompanyDomain,
    datasets: Schema.optional(
      Schema.Array(Schema.Literal(...DATASET_NAMES))
        .pipe(Schema.minItems(1), Schema.maxItems(DATASET_NAMES.length))
        .annotations({ description: "Duplicates collapse.", examples: [["profile", "technologies"]] })
    ),
    brief: Schema.optional(
      Schema.Struct({ depth: Schema.Literal(...BRIEF_DEPTHS) }).annotations({
        description: "A text about the company with the pages it rests on, instead of datasets."
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
      }).annotations({ description: "Those that were asked for, by name." })
    ),
    brief: Schema.optional(Brief)
  }),
  would: PricedWould,
  errors: ["tool_unavailable", "own_key_failed", "tool_key_invalid"],
  tool: { title: "Look a company up", destructive: false, idempotent: true, openWorld: true }
})
