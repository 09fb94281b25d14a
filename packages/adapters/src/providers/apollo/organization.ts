import { Schema } from "effect"
import { listOf, maybe, Numeric, textsOf } from "../shape.js"

/** A company, from a search or a lookup. A search returns few fields. */
export const Organization = Schema.Struct({
  id: maybe(Schema.String),
  name: maybe(Schema.String),
  website_url: maybe(Schema.String),
  linkedin_url: maybe(Schema.String),
  primary_domain: maybe(Schema.String),
  industry: maybe(Schema.String),
  estimated_num_employees: maybe(Schema.Number),
  founded_year: maybe(Schema.Number),
  country: maybe(Schema.String),
  city: maybe(Schema.String),
  short_description: maybe(Schema.String),
  keywords: listOf(Schema.String),
  total_funding: maybe(Numeric),
  latest_funding_round_date: maybe(Schema.String),
  funding_events: listOf(
    Schema.Struct({
      date: maybe(Schema.String),
      type: maybe(Schema.String),
      /** Names; comma-separated if it is one text. */
      investors: textsOf,
      /** A number, or text such as "15M". */
      amount: maybe(Schema.Union(Schema.Number, Schema.String)),
      currency: maybe(Schema.String)
    })
  ),
  technology_names: listOf(Schema.String),
  current_technologies: listOf(Schema.Struct({ name: maybe(Schema.String), category: maybe(Schema.String) }))
})

export type Organization = typeof Organization.Type
