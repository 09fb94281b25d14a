import { INDUSTRIES } from "@outbound/domain/kernel/people/Industries.js"
import type { CompanyEvidence, FoundCompany } from "@outbound/domain/sources/ports/CompanySource.js"
import type { Company } from "./Companies.js"
import { countryCodeOf } from "./CountryCodes.js"
import { fundingOf } from "./Funding.js"
import { jobsLast30Days } from "./Jobs.js"
import type { LocalBusiness } from "./LocalBusinesses.js"
import { COUNTRIES } from "./Places.js"
import { profileOf, specialtiesOf } from "./Specialties.js"
import type { World } from "./World.js"

const SOCIAL_PREFIX = "https://social.example/company/"

/** The company's own page on the professional network. */
export const socialUrl = (domain: string): string => SOCIAL_PREFIX + domain.slice(0, domain.lastIndexOf("."))

/** Where a company has its headquarters, in words. */
export const placeOf = (company: Company): { readonly city: string; readonly country: string } => {
  const country = COUNTRIES[company.country]
  return { city: country?.cities[company.city]?.name ?? "", country: country?.name ?? "" }
}

export const countryCodeOfCompany = (company: Company): string | null => countryCodeOf(placeOf(company).country)

/** Everything that a search reveals of a company. */
export const foundCompany = (
  world: World,
  company: Company,
  evidence: ReadonlyArray<CompanyEvidence>
): FoundCompany => {
  const { city, country } = placeOf(company)
  const funding = fundingOf(world.seed, company)
  return {
    domain: company.domain,
    name: company.name,
    description: profileOf(world.seed, company),
    descriptionSource: company.index % 3 === 0 ? "homepage" : "vendor",
    specialties: specialtiesOf(world.seed, company),
    socialUrl: socialUrl(company.domain),
    headcount: company.headcount,
    industry: INDUSTRIES[company.industry] ?? null,
    country,
    countryCode: countryCodeOf(country),
    city,
    foundedYear: company.foundedYear,
    totalFundingUsd: funding?.totalUsd ?? null,
    jobsLast30Days: jobsLast30Days(world, company),
    lastFundingRoundDate: funding?.lastRoundDate ?? null,
    lastFundingRoundAmountUsd: funding?.lastRoundUsd ?? null,
    evidence
  }
}

/** Of a business around the corner less is known. */
export const foundBusiness = (
  world: World,
  business: LocalBusiness,
  evidence: ReadonlyArray<CompanyEvidence>
): FoundCompany => {
  const place = world.cities[business.city]
  return {
    domain: business.domain,
    name: business.name,
    description: null,
    descriptionSource: null,
    specialties: [business.category.name],
    socialUrl: null,
    headcount: business.headcount,
    industry: business.category.industry,
    country: place?.country ?? null,
    countryCode: place === undefined ? null : countryCodeOf(place.country),
    city: place?.name ?? null,
    foundedYear: business.foundedYear,
    totalFundingUsd: null,
    jobsLast30Days: null,
    lastFundingRoundDate: null,
    lastFundingRoundAmountUsd: null,
    evidence
  }
}
