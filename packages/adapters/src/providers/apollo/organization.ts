import { Schema } from "effect"
import { listOf, maybe, maybeNumbers, maybeTexts, Numeric, textsOf } from "../shape.js"

const HEADCOUNT_MAX = 10_000_000

/** The headcount range in the vendor's form; empty if not requested. */
export const headcountRange = (min: number | null, max: number | null): ReadonlyArray<string> =>
  min === null && max === null ? [] : [`${min ?? 1},${max ?? HEADCOUNT_MAX}`]

/** A company, from a search or a lookup. A search returns few fields. */
export const Organization = Schema.Struct({
  ...maybeTexts("id", "name", "website_url", "linkedin_url", "primary_domain", "industry"),
  ...maybeNumbers("estimated_num_employees", "founded_year"),
  ...maybeTexts("country", "city", "short_description"),
  keywords: listOf(Schema.String),
  total_funding: maybe(Numeric),
  latest_funding_round_date: maybe(Schema.String),
  funding_events: listOf(
    Schema.Struct({
      ...maybeTexts("date", "type"),
      /** Names; comma-separated if it is one text. */
      investors: textsOf,
      /** A number, or text such as "15M". */
      amount: maybe(Schema.Union([Schema.Number, Schema.String])),
      currency: maybe(Schema.String)
    })
  ),
  technology_names: listOf(Schema.String),
  current_technologies: listOf(Schema.Struct({ name: maybe(Schema.String), category: maybe(Schema.String) }))
})

export type Organization = typeof Organization.Type
