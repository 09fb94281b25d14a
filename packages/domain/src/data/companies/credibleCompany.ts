import { credibleText, credibleTimestamp, credibleUrl, UNPRINTABLE } from "../people/Credible.js"
import { registrableDomain } from "../../kernel/people/Domain.js"
import type { CompanyEvidence, CompanyPage, FoundCompany } from "../../sources/ports/CompanySource.js"
import {
  COMPANY_DESCRIPTION_CHARS_MAX,
  COMPANY_DOMAIN,
  COMPANY_SIGNALS,
  FOUNDED_YEAR_MAX,
  FOUNDED_YEAR_MIN,
  SIGNAL_SUMMARY_CHARS_MAX
} from "../../verbs/companyFields.js"
import { fold } from "../matching/verdicts.js"
import {
  type CompanyDatasets,
  type CompanyFunding,
  type CompanyProfile,
  type CompanyRelationship,
  type CompanyTechnology,
  type DatasetName,
  type FundingRound,
  RELATIONSHIP_KINDS
} from "../../sources/ports/CompanyDatasetSource.js"
import {
  type DatasetData,
  FUNDING_ROUNDS_MAX,
  INVESTORS_MAX,
  RELATIONSHIPS_MAX,
  TECHNOLOGIES_MAX
} from "../../verbs/EnrichCompany.js"

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

const credibleAmount = (value: number | null): number | null =>
  value !== null && Number.isFinite(value) && value >= 0 ? value : null

const credibleYear = (value: number | null): number | null =>
  value !== null && Number.isSafeInteger(value) && value >= FOUNDED_YEAR_MIN && value <= FOUNDED_YEAR_MAX ? value : null

const credibleDate = (text: string | null): string | null => credibleTimestamp(text)?.slice(0, 10) ?? null

const credibleDomain = (text: string): string | null => {
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

/** The most entries to read of a source's list. */
const LISTED_MAX = 5000

const distinctBy = <A>(items: ReadonlyArray<A>, keyOf: (item: A) => string): ReadonlyArray<A> => {
  const byKey = new Map<string, A>()
  for (const item of items) if (!byKey.has(keyOf(item))) byKey.set(keyOf(item), item)
  return [...byKey.values()]
}

/** Newest first, undated last. Dates of one form compare as text. */
const newestFirst = (a: string | null, b: string | null): number => (a === b ? 0 : (a ?? "") < (b ?? "") ? 1 : -1)

const crediblePart = (profile: CompanyProfile): CompanyProfile => ({
  name: credibleText(profile.name),
  description: credibleProse(profile.description, COMPANY_DESCRIPTION_CHARS_MAX),
  industry: credibleText(profile.industry),
  headcount: credibleCount(profile.headcount),
  foundedYear: credibleYear(profile.foundedYear),
  country: credibleText(profile.country),
  city: credibleText(profile.city),
  socialUrl: credibleUrl(profile.socialUrl),
  website: credibleUrl(profile.website)
})

const credibleTechnology = (technology: CompanyTechnology): ReadonlyArray<CompanyTechnology> => {
  const name = credibleText(technology.name)
  if (name === null) return []
  const [firstSeen, lastSeen] = [credibleDate(technology.firstSeen), credibleDate(technology.lastSeen)]
  const isReversed = firstSeen !== null && lastSeen !== null && firstSeen > lastSeen
  return [
    {
      name,
      category: credibleText(technology.category),
      firstSeen: isReversed ? null : firstSeen,
      lastSeen: isReversed ? null : lastSeen
    }
  ]
}

const credibleTechnologies = (technologies: ReadonlyArray<CompanyTechnology>): ReadonlyArray<CompanyTechnology> => {
  const sorted = technologies
    .slice(0, LISTED_MAX)
    .flatMap(credibleTechnology)
    .sort((a, b) => newestFirst(a.firstSeen, b.firstSeen) || newestFirst(a.lastSeen, b.lastSeen))
  return distinctBy(sorted, ({ name }) => fold(name)).slice(0, TECHNOLOGIES_MAX)
}

/** A round needs more than its investors. */
const credibleRound = (round: FundingRound): ReadonlyArray<FundingRound> => {
  const [date, type] = [credibleDate(round.date), credibleText(round.type)]
  const amountUsd = credibleAmount(round.amountUsd)
  if (date === null && type === null && amountUsd === null) return []
  const investors = round.investors.slice(0, LISTED_MAX).map(credibleText)
  const named = distinctBy(
    investors.filter((name) => name !== null),
    fold
  )
  return [{ date, type, amountUsd, investors: named.slice(0, INVESTORS_MAX) }]
}

const credibleFunding = ({ rounds, totalUsd }: CompanyFunding): CompanyFunding => {
  const sorted = rounds
    .slice(0, LISTED_MAX)
    .flatMap(credibleRound)
    .sort((a, b) => newestFirst(a.date, b.date))
  const distinct = distinctBy(sorted, ({ amountUsd, date, type }) => JSON.stringify([date, type, amountUsd]))
  return { totalUsd: credibleAmount(totalUsd), rounds: distinct.slice(0, FUNDING_ROUNDS_MAX) }
}

const credibleRelationships = (
  relationships: ReadonlyArray<CompanyRelationship>,
  companyDomain: string
): ReadonlyArray<CompanyRelationship> => {
  const sorted = relationships
    .slice(0, LISTED_MAX)
    .flatMap(({ companyDomain: named, evidenceUrl, kind, observedAt }) => {
      const other = credibleDomain(named)
      return other === null || other === companyDomain || !RELATIONSHIP_KINDS.includes(kind)
        ? []
        : [
            {
              companyDomain: other,
              kind,
              evidenceUrl: credibleUrl(evidenceUrl),
              observedAt: credibleTimestamp(observedAt)
            }
          ]
    })
    .sort((a, b) => newestFirst(a.observedAt, b.observedAt))
  return distinctBy(sorted, ({ companyDomain: other, kind }) => `${other} ${kind}`).slice(0, RELATIONSHIPS_MAX)
}

export interface DatasetForm<A, Wire> {
  /** Removes implausible data. */
  readonly credible: (raw: A, companyDomain: string) => A
  /** Whether nothing is known. */
  readonly isEmpty: (data: A) => boolean
  readonly toWire: (data: A) => Wire
}

/** Each dataset's checks and its wire form. */
export const datasetForms: { readonly [D in DatasetName]: DatasetForm<CompanyDatasets[D], DatasetData[D]> } = {
  profile: {
    credible: crediblePart,
    isEmpty: (profile) => Object.values(profile).every((value) => value === null),
    toWire: ({ foundedYear, socialUrl, ...profile }) => ({
      ...profile,
      founded_year: foundedYear,
      social_url: socialUrl
    })
  },
  technologies: {
    credible: credibleTechnologies,
    isEmpty: (technologies) => technologies.length === 0,
    toWire: (technologies) =>
      technologies.map(({ category, firstSeen, lastSeen, name }) => ({
        name,
        category,
        first_seen: firstSeen,
        last_seen: lastSeen
      }))
  },
  funding: {
    credible: credibleFunding,
    isEmpty: ({ rounds, totalUsd }) => totalUsd === null && rounds.length === 0,
    toWire: ({ rounds, totalUsd }) => ({
      total_usd: totalUsd,
      rounds: rounds.map(({ amountUsd, date, investors, type }) => ({ date, type, amount_usd: amountUsd, investors }))
    })
  },
  relationships: {
    credible: credibleRelationships,
    isEmpty: (relationships) => relationships.length === 0,
    toWire: (relationships) =>
      relationships.map(({ companyDomain, evidenceUrl, kind, observedAt }) => ({
        company_domain: companyDomain,
        kind,
        evidence_url: evidenceUrl,
        observed_at: observedAt
      }))
  }
}
