import type { NewsType } from "@outbound/domain/sources/ports/IntentSource.js"

/** What its categories of news are to us; each of the others is `other`. */
const NEWS_TYPE_OF: Readonly<Record<string, NewsType>> = {
  receives_financing: "funding",
  goes_public: "funding",
  launches: "product",
  is_developing: "product",
  integrates_with: "product",
  partners_with: "partnership",
  signs_new_client: "customers",
  expands_offices_in: "expansion",
  expands_offices_to: "expansion",
  expands_facilities: "expansion",
  opens_new_location: "expansion",
  increases_headcount_by: "expansion",
  hires: "leadership",
  promotes: "leadership",
  leaves: "leadership",
  retires_from: "leadership",
  decreases_headcount_by: "layoffs",
  closes_offices_in: "layoffs",
  acquires: "acquisition",
  merges_with: "acquisition",
  sells_assets_to: "acquisition",
  invests_into: "acquisition",
  invests_into_assets: "acquisition",
  has_issues_with: "challenges",
  files_suit_against: "challenges",
  receives_award: "recognition",
  recognized_as: "recognition"
}

export const newsTypeOf = (category: string | null): NewsType | null =>
  category === null ? null : (NEWS_TYPE_OF[category] ?? "other")
