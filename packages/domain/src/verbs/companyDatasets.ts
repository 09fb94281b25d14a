import { Schema } from "effect"
import { type DatasetName, RELATIONSHIP_KINDS } from "../sources/ports/CompanyDatasetSource.js"
import {
  Amount,
  CalendarDate,
  COMPANY_DESCRIPTION_CHARS_MAX,
  COMPANY_DOMAIN,
  FOUNDED_YEAR_MAX,
  FOUNDED_YEAR_MIN,
  Uri
} from "./companyFields.js"
import { text, Timestamp } from "./fields.js"

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
export const datasetData = {
  profile: Profile,
  technologies: Technologies,
  funding: Funding,
  relationships: Relationships
} as const satisfies Record<DatasetName, Schema.Schema.AnyNoContext>

export type DatasetData = { readonly [D in DatasetName]: (typeof datasetData)[D]["Type"] }
