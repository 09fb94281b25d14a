import { INDUSTRIES } from "@outbound/domain/kernel/people/Industries.js"
import type {
  CompanyEvidence,
  CompanyPage,
  CompanyQuery,
  CompanySearch,
  FoundCompany
} from "@outbound/domain/sources/ports/CompanySource.js"
import type { Company } from "./Companies.js"
import { finderOf, magicTotal } from "./CompanyEvidence.js"
import { countryCodeOf } from "./CountryCodes.js"
import { COUNTRIES } from "./Places.js"
import { locate, overlap, steeringWords } from "./Search.js"
import { profileOf } from "./Specialties.js"
import { observedAt, type World } from "./World.js"
import { hash } from "./Hash.js"
import { countryCodeOfCompany, foundBusiness, foundCompany } from "./CompanyFacts.js"
import { businessesIn, CATEGORIES, categoriesNamed, type LocalBusiness } from "./LocalBusinesses.js"

const WHAT_ORDER = 0xe1

interface Candidate {
  readonly evidence: ReadonlyArray<CompanyEvidence>
  /** Higher comes first; then by `order`. */
  readonly rank: number
  readonly order: number
  readonly found: () => FoundCompany
}

/** For every signal there is something that is sure. */
const isSure = ({ evidence }: Candidate): boolean =>
  [...new Set(evidence.map(({ signal }) => signal))].every((signal) =>
    evidence.some((one) => one.signal === signal && one.confidence === "high")
  )

const best = (evidence: ReadonlyArray<CompanyEvidence>): number => Math.max(...evidence.map(({ score }) => score))

/** The order is total and does not depend on a limit: a longer list begins with the shorter one. */
const pageOf = (
  candidates: ReadonlyArray<Candidate>,
  query: CompanyQuery,
  places: CompanyPage["places"],
  atMost: number | null
): CompanyPage => {
  const sorted = [...candidates].sort((a, b) => b.rank - a.rank || a.order - b.order)
  const sure = sorted.filter(isSure).slice(0, atMost ?? candidates.length)
  const unsure = atMost === null ? sorted.filter((candidate) => !isSure(candidate)) : []
  return {
    companies: [...sure.slice(0, query.limit), ...unsure.slice(0, query.lowConfidenceLimit)].map(({ found }) =>
      found()
    ),
    moreAvailable: sure.length > query.limit,
    places
  }
}

const sizeFits = (query: CompanyQuery, headcount: number): boolean =>
  headcount >= query.headcountMin && (query.headcountMax === null || headcount <= query.headcountMax)

const citiesBefore = COUNTRIES.map((_, index) =>
  COUNTRIES.slice(0, index).reduce((count, country) => count + country.cities.length, 0)
)

/** The companies that the query's own filters let through. */
const filtered = (world: World, query: CompanyQuery) => {
  const locations = query.search.kind === "firmographic" ? query.search.locations : []
  const { mask, places } = locate(locations, world.cities)
  const isHere = (company: Company) =>
    locations.length === 0 || mask[(citiesBefore[company.country] ?? 0) + company.city] === 1
  const companies = world.companies.filter(
    (company) =>
      sizeFits(query, company.headcount) &&
      (query.industries.length === 0 || query.industries.includes(INDUSTRIES[company.industry] ?? "")) &&
      (query.countryCodes.length === 0 || query.countryCodes.includes(countryCodeOfCompany(company) ?? "")) &&
      isHere(company)
  )
  return { companies, places }
}

const searchWorld = (
  world: World,
  query: CompanyQuery,
  search: Exclude<CompanySearch, { readonly kind: "local" }>,
  nowMillis: number
): CompanyPage => {
  const { companies, places } = filtered(world, query)
  const find = finderOf(world, search, nowMillis)
  const words = steeringWords(query.audience)
  const candidates = companies.flatMap((company): ReadonlyArray<Candidate> => {
    const evidence = find(company)
    if (evidence.length === 0) return []
    const steered = words.length === 0 ? 0 : overlap(profileOf(world.seed, company), words)
    return [
      {
        evidence,
        rank: steered + best(evidence),
        order: hash(world.seed, WHAT_ORDER, company.index),
        found: () => foundCompany(world, company, evidence)
      }
    ]
  })
  return pageOf(candidates, query, places, magicTotal(search))
}

const businessEvidence = (world: World, business: LocalBusiness, asked: string | null): CompanyEvidence => {
  const { category, city, key, rating, reviews } = business
  return {
    signal: "local",
    // What was asked for, where that is another word for the kind.
    subject: asked ?? category.name,
    text: null,
    summary: `${category.name} in ${world.cities[city]?.name ?? ""}, rated ${rating.toFixed(1)} in ${reviews} reviews`,
    evidenceUrl: `https://${business.domain}/`,
    observedAt: observedAt(world.seed, key),
    score: Math.round(rating * 20) / 100,
    confidence: "high"
  }
}

const searchNearby = (
  world: World,
  query: CompanyQuery,
  { categories, locations }: Extract<CompanySearch, { readonly kind: "local" }>
): CompanyPage => {
  const { mask, places } = locate(locations, world.cities)
  const wanted = new Map<number, string | null>(
    categories.length === 0
      ? CATEGORIES.map((_, index) => [index, null])
      : categories.flatMap((phrase) => categoriesNamed(phrase).map((index) => [index, phrase] as const))
  )
  const fits = (business: LocalBusiness): boolean => {
    const code = countryCodeOf(world.cities[business.city]?.country ?? "")
    return (
      (business.headcount === null || sizeFits(query, business.headcount)) &&
      (query.industries.length === 0 || query.industries.includes(business.category.industry)) &&
      (query.countryCodes.length === 0 || query.countryCodes.includes(code ?? ""))
    )
  }
  const candidates = world.cities.flatMap((_, city) =>
    mask[city] !== 1
      ? []
      : [...wanted].flatMap(([category, asked]) =>
          businessesIn(world, city, category)
            .filter(fits)
            .map((business): Candidate => {
              const evidence = [businessEvidence(world, business, asked)]
              return {
                evidence,
                rank: best(evidence),
                order: hash(world.seed, WHAT_ORDER, business.key),
                found: () => foundBusiness(world, business, evidence)
              }
            })
        )
  )
  return pageOf(candidates, query, places, null)
}

/** Every company that passes all filters, the best first. `nowMillis` dates the postings. */
export const searchCompanies = (world: World, query: CompanyQuery, nowMillis: number): CompanyPage =>
  query.search.kind === "local"
    ? searchNearby(world, query, query.search)
    : searchWorld(world, query, query.search, nowMillis)
