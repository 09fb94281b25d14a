import { DAY_MILLIS } from "../../kernel/durations.js"
import {
  containsAny,
  fold,
  headcountFits,
  isOneOf,
  type MatchCounts,
  matchCounts,
  placeFits,
  type Verdict
} from "../matching/verdicts.js"
import { titleFits } from "../matching/titles.js"
import type {
  CompanyEvidence,
  CompanyPage,
  CompanyQuery,
  CompanySearch,
  FoundCompany
} from "../../sources/ports/CompanySource.js"
import { type CompanySignal, MATCHED_SIGNALS_MAX } from "../../verbs/companyFields.js"

/** All must hold. */
const every = (verdicts: ReadonlyArray<Verdict>): Verdict =>
  verdicts.includes(false) ? false : verdicts.includes(null) ? null : true

/** One suffices. */
const some = (verdicts: ReadonlyArray<Verdict>): Verdict =>
  verdicts.includes(true) ? true : verdicts.includes(null) ? null : false

const dayOf = (millis: number): number => Math.floor(millis / DAY_MILLIS)

/** Compares calendar days, since many sources know only those. One day ahead is today in another time zone. */
const isRecent = (observedAt: string, days: number, nowMillis: number): boolean => {
  const age = dayOf(nowMillis) - dayOf(Date.parse(observedAt))
  return age >= -1 && age <= days
}

const asWords = (text: string): string => ` ${fold(text).replace(/\s+/g, " ")} `

/** Word by word, either way: "HubSpot" matches "HubSpot CRM", and vice versa. */
export const namesAny = (wanted: ReadonlyArray<string>, subject: string | null): Verdict => {
  if (wanted.length === 0) return true
  if (subject === null) return null
  const named = asWords(subject)
  return wanted.map(asWords).some((one) => named.includes(one) || one.includes(named))
}

const evidenceFits = (search: CompanySearch, evidence: CompanyEvidence, nowMillis: number): Verdict => {
  switch (search.kind) {
    case "signals": {
      if (evidence.signal === "technology") return namesAny(search.technologies, evidence.subject)
      const { hiring } = search
      if (hiring === null) return false
      return every([
        isRecent(evidence.observedAt, hiring.postedWithinDays, nowMillis),
        titleFits(hiring.titles)(evidence.subject),
        containsAny(hiring.descriptionContains, evidence.text)
      ])
    }
    case "local":
      return namesAny(search.categories, evidence.subject)
    default:
      return true
  }
}

/** The signals a company must have to match. Null: any one suffices. */
const signalsNeeded = (search: CompanySearch): ReadonlyArray<CompanySignal> | null => {
  switch (search.kind) {
    case "signals":
      return [
        ...(search.hiring === null ? [] : ["hiring" as const]),
        ...(search.technologies.length === 0 ? [] : ["technology" as const])
      ]
    case "query":
      return null
    default:
      return [search.kind]
  }
}

/** Compares the city itself: a local business doesn't match in another city. */
const isInCity = (locations: ReadonlyArray<string>, page: CompanyPage, company: FoundCompany): Verdict => {
  const { city } = company
  if (city === null) return null
  const cityOf = (location: string) => fold(location.split(",")[0] ?? "")
  return locations.some((location) => {
    const place = page.places.find(({ requested }) => fold(requested) === fold(location))
    return place === undefined || place.cities.length === 0
      ? fold(city) === cityOf(location)
      : place.cities.some((name) => fold(name) === fold(city))
  })
}

const keywordsFit = (keywords: ReadonlyArray<string>, company: FoundCompany): Verdict => {
  if (keywords.length === 0) return true
  const texts = [company.description, ...company.specialties].filter((text) => text !== null)
  return texts.length === 0 ? null : texts.some((text) => containsAny(keywords, text))
}

const mentionsNone = (keywords: ReadonlyArray<string>, description: string | null): Verdict => {
  const mentioned = keywords.length === 0 ? false : containsAny(keywords, description)
  return mentioned === null ? null : !mentioned
}

const searchFits = (search: CompanySearch, page: CompanyPage, company: FoundCompany): ReadonlyArray<Verdict> => {
  switch (search.kind) {
    case "similar":
      return [company.domain !== search.companyDomain]
    case "firmographic":
      return [
        placeFits(search.locations, page.places, company),
        keywordsFit(search.keywords, company),
        mentionsNone(search.excludeKeywords, company.description)
      ]
    case "local":
      return [isInCity(search.locations, page, company)]
    default:
      return []
  }
}

export interface CheckedCompany {
  readonly company: FoundCompany
  /** Why it matches, best first; never empty. */
  readonly evidence: ReadonlyArray<CompanyEvidence>
  readonly confidence: "high" | "low"
  /** Some filter could not be checked. */
  readonly isUnchecked: boolean
}

const byRank = (a: CompanyEvidence, b: CompanyEvidence): number =>
  Number(a.confidence === "low") - Number(b.confidence === "low") || b.score - a.score

/** Takes the best of each signal first, so that the limit drops no signal. */
const bestOf = (evidence: ReadonlyArray<CompanyEvidence>): ReadonlyArray<CompanyEvidence> => {
  const ranked = [...evidence].sort(byRank)
  const firsts = [...new Map([...ranked].reverse().map((one) => [one.signal, one])).values()].sort(byRank)
  return [...firsts, ...ranked.filter((one) => !firsts.includes(one))].slice(0, MATCHED_SIGNALS_MAX)
}

const checkOne = (
  query: CompanyQuery,
  page: CompanyPage,
  company: FoundCompany,
  nowMillis: number
): CheckedCompany | null => {
  const { search } = query
  const needed = signalsNeeded(search)
  const judged = company.evidence
    .filter(({ signal }) => needed === null || needed.includes(signal))
    .map((evidence) => ({ evidence, verdict: evidenceFits(search, evidence, nowMillis) }))
  const groups = (needed ?? [null]).map((signal) =>
    judged.filter(({ evidence }) => signal === null || evidence.signal === signal)
  )
  const verdict = every([
    ...groups.map((group) => some(group.map((one) => one.verdict))),
    ...searchFits(search, page, company),
    headcountFits(query, company.headcount),
    isOneOf(query.industries, company.industry),
    isOneOf(query.countryCodes, company.countryCode)
  ])
  if (verdict === false) return null
  const fitting = judged.filter((one) => one.verdict !== false)
  const isSure = groups.every((group) =>
    group.some((one) => one.verdict !== false && one.evidence.confidence === "high")
  )
  return {
    company,
    evidence: bestOf(fitting.map(({ evidence }) => evidence)),
    confidence: isSure ? "high" : "low",
    isUnchecked: verdict === null
  }
}

export interface CheckedPage {
  /** The certain matches, at most the query's limit. */
  readonly companies: ReadonlyArray<CheckedCompany>
  readonly unsure: ReadonlyArray<CheckedCompany>
  readonly moreAvailable: boolean | null
  readonly counts: MatchCounts
}

/**
 * Checks a source's companies against the query. Mismatches are neither returned nor charged. Companies that can't be
 * checked are kept and counted.
 */
export const companyCheck = (query: CompanyQuery, page: CompanyPage, nowMillis: number): CheckedPage => {
  const checked = page.companies.map((company) => checkOne(query, page, company, nowMillis))
  const matching = checked.filter((one) => one !== null)
  const sure = matching.filter(({ confidence }) => confidence === "high")
  const companies = sure.slice(0, query.limit)
  return {
    companies,
    unsure: matching.filter(({ confidence }) => confidence === "low").slice(0, query.lowConfidenceLimit),
    moreAvailable: sure.length > companies.length ? true : page.moreAvailable,
    counts: matchCounts(
      companies.length,
      checked.length - matching.length,
      companies.filter(({ isUnchecked }) => isUnchecked).length
    )
  }
}
