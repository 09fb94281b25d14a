import type { FoundCompany } from "@outbound/domain/sources/ports/CompanySource.js"

/** A company of which only the domain is known. */
export const found = (domain: string): FoundCompany => ({
  domain,
  name: null,
  description: null,
  descriptionSource: null,
  specialties: [],
  socialUrl: null,
  headcount: null,
  industry: null,
  country: null,
  countryCode: null,
  city: null,
  foundedYear: null,
  totalFundingUsd: null,
  jobsLast30Days: null,
  lastFundingRoundDate: null,
  lastFundingRoundAmountUsd: null,
  evidence: []
})
