import { credibleText, credibleTimestamp, credibleUrl, UNPRINTABLE } from "../people/Credible.js"
import { registrableDomain } from "../../kernel/people/Domain.js"
import type { CompanyEvidence, CompanyPage, FoundCompany } from "../../sources/ports/CompanySource.js"
import {
  COMPANY_DOMAIN,
  COMPANY_SIGNALS,
  FOUNDED_YEAR_MAX,
  FOUNDED_YEAR_MIN,
  SIGNAL_SUMMARY_CHARS_MAX
} from "../../verbs/companyFields.js"

// Source data is third-party text. Implausible parts are removed here, before it is shown, matched or charged for.

const COUNTRY_CODE = /^[A-Z]{2}$/
const SPECIALTIES_MAX = 200

/** Keywords are searched in more of the description than is shown. */
const DESCRIPTION_CHARS_READ_MAX = 5000

/** Cuts a line to this length without splitting a surrogate pair. */
export const cutTo = (charsMax: number, line: string): string =>
  line.length <= charsMax ? line : `${line.slice(0, charsMax - 1).replace(/[\uD800-\uDBFF]$/, "")}…`

/** One line, cut if too long; null if nothing can be shown. */
export const credibleProse = (text: string | null, charsMax: number): string | null => {
  const line = text?.replace(/\s+/g, " ").trim() ?? ""
  return line === "" || UNPRINTABLE.test(line) ? null : cutTo(charsMax, line)
}

export const credibleCount = (value: number | null): number | null =>
  value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null

export const credibleAmount = (value: number | null): number | null =>
  value !== null && Number.isFinite(value) && value >= 0 ? value : null

export const credibleYear = (value: number | null): number | null =>
  value !== null && Number.isSafeInteger(value) && value >= FOUNDED_YEAR_MIN && value <= FOUNDED_YEAR_MAX ? value : null

export const credibleDate = (text: string | null): string | null => credibleTimestamp(text)?.slice(0, 10) ?? null

export const credibleDomain = (text: string): string | null => {
  const domain = registrableDomain(text)
  return domain !== null && domain.length >= 3 && COMPANY_DOMAIN.test(domain) ? domain : null
}

const credibleEvidence = (evidence: CompanyEvidence): ReadonlyArray<CompanyEvidence> => {
  const { confidence, score, signal } = evidence
  const summary = credibleProse(evidence.summary, SIGNAL_SUMMARY_CHARS_MAX)
  const observedAt = credibleTimestamp(evidence.observedAt)
  if (summary === null || observedAt === null || !COMPANY_SIGNALS.includes(signal)) return []
  if (!(score >= 0 && score <= 1) || (confidence !== "high" && confidence !== "low")) return []
  return [
    {
      signal,
      subject: credibleText(evidence.subject),
      text: evidence.text,
      summary,
      evidenceUrl: credibleUrl(evidence.evidenceUrl),
      observedAt,
      score,
      confidence
    }
  ]
}

/** The company without implausible fields; empty if it can't be identified. */
const credibleCompany = (company: FoundCompany): ReadonlyArray<FoundCompany> => {
  const domain = credibleDomain(company.domain)
  if (domain === null) return []
  const description = credibleProse(company.description, DESCRIPTION_CHARS_READ_MAX)
  const countryCode = company.countryCode?.toUpperCase() ?? ""
  return [
    {
      domain,
      name: credibleText(company.name),
      description,
      descriptionSource: description === null ? null : company.descriptionSource,
      specialties: company.specialties.slice(0, SPECIALTIES_MAX).filter((text) => credibleText(text) !== null),
      socialUrl: credibleUrl(company.socialUrl),
      headcount: credibleCount(company.headcount),
      industry: credibleText(company.industry),
      country: credibleText(company.country),
      countryCode: COUNTRY_CODE.test(countryCode) ? countryCode : null,
      city: credibleText(company.city),
      foundedYear: credibleYear(company.foundedYear),
      totalFundingUsd: credibleAmount(company.totalFundingUsd),
      jobsLast30Days: credibleCount(company.jobsLast30Days),
      lastFundingRoundDate: credibleDate(company.lastFundingRoundDate),
      lastFundingRoundAmountUsd: credibleAmount(company.lastFundingRoundAmountUsd),
      evidence: company.evidence.flatMap(credibleEvidence)
    }
  ]
}

/** A source may list a company once per finding. This merges them, with all evidence. */
const united = (companies: ReadonlyArray<FoundCompany>): ReadonlyArray<FoundCompany> => {
  const byDomain = new Map<string, FoundCompany>()
  for (const company of companies) {
    const existing = byDomain.get(company.domain)
    if (existing === undefined) byDomain.set(company.domain, company)
    else byDomain.set(company.domain, { ...existing, evidence: [...existing.evidence, ...company.evidence] })
  }
  return [...byDomain.values()].map((company) => ({
    ...company,
    evidence: [...new Map(company.evidence.map((one) => [`${one.signal}\n${one.summary}`, one])).values()]
  }))
}

/** The page without implausible data, each company once; null if nothing is left. */
export const crediblePage = (page: CompanyPage): CompanyPage | null => {
  const companies = united(page.companies.flatMap(credibleCompany)).filter((company) => company.evidence.length > 0)
  if (companies.length === 0 && page.companies.length > 0) return null
  const places = page.places.filter((place) => [place.region, ...place.cities].every((name) => credibleText(name)))
  return { companies, moreAvailable: typeof page.moreAvailable === "boolean" ? page.moreAvailable : null, places }
}
