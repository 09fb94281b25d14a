import { Schema } from "effect"
import { setting } from "../../platform/setting.js"

const Paths = Schema.Array(Schema.NonEmptyString)

/** Settings for what differs by plan or has conflicting documentation. */
export const CrustdataSettings = Schema.Struct({
  /** The fields requested of people. A plan that lacks one refuses the whole call and names the field. */
  person_fields: setting(Paths, ["basic_profile", "experience.employment_details.current", "social_handles"]),
  /** The same for companies. */
  company_fields: setting(Paths, [
    "crustdata_company_id",
    "basic_info",
    "headcount",
    "funding",
    "locations",
    "taxonomy"
  ]),
  /** How words match a title: `[.]` literally, `(.)` similar words too. */
  title_operator: setting(Schema.Literals(["[.]", "(.)"]), "[.]"),
  person_industry_field: setting(Schema.NonEmptyString, "experience.employment_details.current.company_industries"),
  company_industry_field: setting(Schema.NonEmptyString, "taxonomy.professional_network_industry"),
  /** Where keywords match; descriptions aren't searchable. Empty: nowhere. */
  company_keyword_fields: setting(Paths, ["taxonomy.categories", "basic_info.markets"]),
  /** The filter field of the headquarters' country. Answers may name it differently. */
  company_country_field: setting(Schema.NonEmptyString, "locations.country"),
  /** The sort field of posts, newest first. The documented sort fields don't include their date. */
  post_sort_field: setting(Schema.NullOr(Schema.NonEmptyString), null),
  /** The name of the field member in a sort rule of companies. */
  company_sort_key: setting(Schema.Literals(["field", "column"]), "field"),
  /** The part of a profile URL before the handle. */
  profile_url_before_handle: setting(Schema.NonEmptyString, "https://www.linkedin.com/in/")
})

export type CrustdataSettings = typeof CrustdataSettings.Type
