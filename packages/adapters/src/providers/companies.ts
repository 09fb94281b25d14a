import type {
  CompanyEvidence,
  CompanyPage,
  CompanyQuery,
  CompanySearch,
  CompanySource,
  FoundCompany
} from "@outbound/domain/sources/ports/CompanySource.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect } from "effect"
import { addressOf } from "./shape.js"
import type { VendorHttp } from "./VendorHttp.js"
import { registrableDomain } from "@outbound/domain/kernel/people/Domain.js"
import { interpretIndustry } from "@outbound/domain/kernel/people/Industries.js"
import { readCountry } from "@outbound/domain/kernel/people/Countries.js"

/** The canonical name if the vendor's words mean exactly one industry, else its words. */
export const industryOf = (text: string | null): string | null => {
  if (text === null) return null
  const { industries } = interpretIndustry(text)
  return industries.length === 1 ? (industries[0] ?? text) : text
}

/** Of several industries, the requested one, else the first. */
export const industryAmong = (texts: ReadonlyArray<string>, asked: ReadonlyArray<string>): string | null => {
  const names = texts.map(industryOf)
  return names.find((name) => name !== null && asked.includes(name)) ?? names[0] ?? null
}

/** A country by name or code. */
export const countryFields = (text: string | null): Pick<FoundCompany, "country" | "countryCode"> => {
  const country = readCountry(text)
  return { country: country?.name ?? text, countryCode: country?.code ?? null }
}

/** The first registrable domain. */
export const domainAmong = (texts: ReadonlyArray<string | null>): string | null => {
  for (const text of texts) {
    const domain = text === null ? null : registrableDomain(text)
    if (domain !== null) return domain
  }
  return null
}

/** A company known only by its domain. */
export const unknownCompany = (domain: string): FoundCompany => ({
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

/** Evidence for a match by company facts alone. */
export const firmographicEvidence = (company: Omit<FoundCompany, "evidence">, at: string): CompanyEvidence => {
  const { city, country, headcount, industry, socialUrl } = company
  const facts = [industry, headcount === null ? null : `${headcount} employees`, city, country]
  return {
    signal: "firmographic",
    subject: industry,
    text: null,
    summary: facts.filter((fact) => fact !== null).join(", ") || "Fits the criteria of the search.",
    evidenceUrl: socialUrl,
    observedAt: at,
    score: 1,
    confidence: "high"
  }
}

/** A job posting. */
export const hiringEvidence = (
  title: string,
  observedAt: string,
  { text, url }: { readonly text: string | null; readonly url: string | null }
): CompanyEvidence => ({
  signal: "hiring",
  subject: title,
  text,
  summary: `Hiring: ${title}`,
  evidenceUrl: addressOf(url),
  observedAt,
  score: 1,
  confidence: "high"
})

/** "series_a" as "Series A". */
export const roundType = (type: string | null): string | null =>
  type === null || type.trim() === ""
    ? null
    : type
        .split(/[\s_]+/)
        .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
        .join(" ")

const isSure = ({ evidence }: FoundCompany): boolean => evidence.some(({ confidence }) => confidence === "high")

/** Each company once, with all its evidence. Drops companies without any. */
export const united = (companies: ReadonlyArray<FoundCompany>): ReadonlyArray<FoundCompany> => {
  const byDomain = new Map<string, FoundCompany>()
  for (const company of companies) {
    const existing = byDomain.get(company.domain)
    const evidence = [...(existing?.evidence ?? []), ...company.evidence]
    const distinct = [...new Map(evidence.map((one) => [`${one.signal}\n${one.summary}`, one])).values()]
    if (evidence.length > 0) byDomain.set(company.domain, { ...(existing ?? company), evidence: distinct })
  }
  return [...byDomain.values()]
}

/** At most `limit` certain and `lowConfidenceLimit` uncertain matches. */
const withinLimits = (
  { limit, lowConfidenceLimit }: CompanyQuery,
  companies: ReadonlyArray<FoundCompany>
): ReadonlyArray<FoundCompany> => [
  ...companies.filter(isSure).slice(0, limit),
  ...companies.filter((company) => !isSure(company)).slice(0, lowConfidenceLimit)
]

/** The distinct companies within the query's limits. */
export const companyPage = (
  query: CompanyQuery,
  companies: ReadonlyArray<FoundCompany>,
  moreAvailable: boolean | null,
  places: CompanyPage["places"] = []
): CompanyPage => ({ companies: withinLimits(query, united(companies)), moreAvailable, places })

type Kind = CompanySearch["kind"]
type SearchOf<K extends Kind> = Extract<CompanySearch, { readonly kind: K }>

const isOf = <K extends Kind>(search: CompanySearch, kind: K): search is SearchOf<K> => search.kind === kind

/** Searches companies in one way, and refuses the others. */
export const searchOf =
  <K extends Kind>(
    http: VendorHttp,
    kind: K,
    find: (query: CompanyQuery, search: SearchOf<K>) => Effect.Effect<CompanyPage, ProviderFailure>
  ): CompanySource["search"] =>
  (query) =>
    isOf(query.search, kind)
      ? find(query, query.search)
      : Effect.fail(http.failed("invalid", `it does not search by ${query.search.kind}`))

/** Evidence for a company that resembles another. `score`: from 0 to 1. */
export const similarEvidence = (summary: string, observedAt: string, score: number): CompanyEvidence => ({
  signal: "similar",
  subject: null,
  text: null,
  summary,
  evidenceUrl: null,
  observedAt,
  score,
  confidence: "high"
})
