/** What a directory holds, as sources answer it. */
import type { CompanyEvidence, FoundCompany } from "../../sources/ports/CompanySource.js"
import type { EnrichedContact } from "../../sources/ports/ContactEnricher.js"
import type { Person } from "../../sources/ports/Person.js"
import { countryCodeOf, placeKeysOf } from "./Places.js"
import type { KeptCompany, KeptPerson } from "./Records.js"

export const timeOf = (kept: { readonly observedAtMillis: number | null; readonly importedAtMillis: number }): string =>
  new Date(kept.observedAtMillis ?? kept.importedAtMillis).toISOString()

export const personOf = (kept: KeptPerson): Person => ({
  fullName: kept.fullName,
  firstName: kept.firstName,
  lastName: kept.lastName,
  title: kept.title,
  companyName: kept.companyName,
  companyDomain: kept.companyDomain,
  companyHeadcount: kept.headcount,
  companyIndustry: kept.industry,
  city: kept.city,
  country: kept.country,
  socialUrl: kept.socialUrl,
  observedAt: timeOf(kept)
})

/** An address that is known not to be one is none. */
export const contactOf = (kept: KeptPerson): EnrichedContact => {
  const { emailStatus, mobilePhone, workEmail } = kept
  const nothing = { workEmail: null, emailVerdict: null, mobilePhone }
  if (workEmail === null) return { ...personOf(kept), ...nothing, workEmailStatus: null }
  if (emailStatus === "invalid") return { ...personOf(kept), ...nothing, workEmailStatus: "not_found" }
  const workEmailStatus =
    emailStatus === null
      ? null
      : emailStatus === "valid"
        ? "valid"
        : emailStatus === "catch_all_valid" || emailStatus === "catch_all_unknown"
          ? "catch_all"
          : "unknown"
  return { ...personOf(kept), workEmail, workEmailStatus, emailVerdict: emailStatus, mobilePhone }
}

export const summaryOf = (company: KeptCompany, why: string): string => {
  const facts = [
    company.industry,
    company.headcount === null ? null : `${company.headcount} employees`,
    company.city,
    company.country
  ].filter((fact) => fact !== null)
  return facts.length === 0 ? why : `${why}: ${facts.join(", ")}`
}

export const foundOf = (company: KeptCompany, evidence: CompanyEvidence): FoundCompany => ({
  domain: company.domain,
  name: company.name,
  description: company.description,
  descriptionSource: company.description === null ? null : "vendor",
  specialties: company.specialties,
  socialUrl: company.socialUrl,
  headcount: company.headcount,
  industry: company.industry,
  country: company.country,
  countryCode: company.country === null ? placeKeysOf(company).countryKey : countryCodeOf(company.country),
  city: company.city,
  foundedYear: company.foundedYear,
  totalFundingUsd: company.totalFundingUsd,
  jobsLast30Days: company.jobsLast30Days,
  lastFundingRoundDate: company.lastFundingRoundDate,
  lastFundingRoundAmountUsd: company.lastFundingRoundAmountUsd,
  evidence: [evidence]
})
