import { Schema } from "effect"

const withDefault = <A, I>(schema: Schema.Schema<A, I>, value: A) =>
  Schema.optionalWith(schema, { default: () => value })

const Paths = Schema.Array(Schema.NonEmptyString)

/** What of its interface differs by plan, or is documented in more than one way. */
export const CrustdataSettings = Schema.Struct({
  /** What is asked for of people. A plan that lacks one of these refuses the whole call, and names it. */
  person_fields: withDefault(Paths, ["basic_profile", "experience.employment_details.current", "social_handles"]),
  /** … and of companies. */
  company_fields: withDefault(Paths, [
    "crustdata_company_id",
    "basic_info",
    "headcount",
    "funding",
    "locations",
    "taxonomy"
  ]),
  /** What a word in a title is looked for with: `[.]` by its letters, `(.)` also by what comes near. */
  title_operator: withDefault(Schema.Literal("[.]", "(.)"), "[.]"),
  person_industry_field: withDefault(Schema.NonEmptyString, "experience.employment_details.current.company_industries"),
  company_industry_field: withDefault(Schema.NonEmptyString, "taxonomy.professional_network_industry"),
  /** Where keywords are looked for; descriptions are not searchable. Empty: not at all. */
  company_keyword_fields: withDefault(Paths, ["taxonomy.categories", "basic_info.markets"]),
  /** The country of a company's headquarters, by which it can be searched for; answers may call it otherwise. */
  company_country_field: withDefault(Schema.NonEmptyString, "locations.country"),
  /** What posts are sorted by, the last first; its interface does not list their dates among what they can be. */
  post_sort_field: withDefault(Schema.NullOr(Schema.NonEmptyString), null),
  /** How the rule that companies are sorted by names its field. */
  company_sort_key: withDefault(Schema.Literal("field", "column"), "field"),
  /** What a handle stands behind in the address of a profile. */
  profile_url_before_handle: withDefault(Schema.NonEmptyString, "https://www.linkedin.com/in/")
})

export type CrustdataSettings = typeof CrustdataSettings.Type
