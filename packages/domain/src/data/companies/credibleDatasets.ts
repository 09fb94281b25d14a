import { fold } from "../matching/verdicts.js"
import { credibleText, credibleTimestamp, credibleUrl } from "../people/Credible.js"
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
} from "../../verbs/companyDatasets.js"
import { COMPANY_DESCRIPTION_CHARS_MAX } from "../../verbs/companyFields.js"
import {
  credibleAmount,
  credibleCount,
  credibleDate,
  credibleDomain,
  credibleProse,
  credibleYear
} from "./credibleCompany.js"

// Source data is third-party text. Implausible parts are removed here, before it is shown or charged for.

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
