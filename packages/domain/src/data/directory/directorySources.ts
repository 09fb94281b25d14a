import { Effect, Option } from "effect"
import { HEADCOUNT_MIN_DEFAULT } from "../companies/findCompanies.js"
import { fold, placeFits } from "../matching/verdicts.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import type {
  CompanyEvidence,
  CompanyPage,
  CompanyQuery,
  CompanySource,
  FoundCompany
} from "../../sources/ports/CompanySource.js"
import type { ContactEnricher, EnrichedContact } from "../../sources/ports/ContactEnricher.js"
import type { InterpretedPlace, LeadPage, LeadQuery, LeadSource } from "../../sources/ports/LeadSource.js"
import type { Person, PersonIdentity } from "../../sources/ports/Person.js"
import { ProviderFailure } from "../../sources/ports/Source.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { CurrentSourceAccess } from "../../sources/SourceAccess.js"
import { type CompaniesFilter, DirectoryStore, type PlaceFilter } from "./DirectoryStore.js"
import { addressFingerprint, foldLine, nameKeyOf, socialKeyOf, unnamedDomain } from "./matched.js"
import { countryCodeOf, countryNameOf, interpretPlace, isAt, placeKeysOf } from "./Places.js"
import type { KeptCompany, KeptPerson } from "./Records.js"
import { steeringWords } from "./steering.js"

/** Directory records as sources answer them. */

const timeOf = (kept: { readonly observedAtMillis: number | null; readonly importedAtMillis: number }): string =>
  new Date(kept.observedAtMillis ?? kept.importedAtMillis).toISOString()

const personOf = (kept: KeptPerson): Person => ({
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

/** An address known to be invalid is left out. */
const contactOf = (kept: KeptPerson): EnrichedContact => {
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

const summaryOf = (company: KeptCompany, why: string): string => {
  const facts = [
    company.industry,
    company.headcount === null ? null : `${company.headcount} employees`,
    company.city,
    company.country
  ].filter((fact) => fact !== null)
  return facts.length === 0 ? why : `${why}: ${facts.join(", ")}`
}

const foundOf = (company: KeptCompany, evidence: CompanyEvidence): FoundCompany => ({
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

/** Its name in routes and records. */
export const DIRECTORY = "directory"

/** The share of a query's words that makes a match certain, or possible. */
export const QUERY_SURE = 0.5
export const QUERY_UNSURE = 0.3

export const DIRECTORY_DECLARED = { name: DIRECTORY, costMicros: 0, missRate: 0.5, latencyMillis: 20 }

interface At {
  readonly city: string | null
  readonly region: string | null
  readonly country: string | null
}

const filterOf = (locations: ReadonlyArray<string>): PlaceFilter | null => {
  if (locations.length === 0) return null
  const meanings = locations.map(interpretPlace)
  return {
    countryKeys: [...new Set(meanings.flatMap(({ countryKeys }) => countryKeys))],
    places: meanings.flatMap(({ places }) => places)
  }
}

/** How we read the phrases that matches don't name themselves, spelt as in the matches. */
const placesOf = (locations: ReadonlyArray<string>, found: ReadonlyArray<At>): ReadonlyArray<InterpretedPlace> =>
  locations.flatMap((requested) => {
    const meaning = interpretPlace(requested)
    const matches = found.filter((at) => isAt(meaning, placeKeysOf(at)))
    if (matches.every((at) => placeFits([requested], [], at) === true)) return []
    if (meaning.places.length === 0) {
      return meaning.countryKeys.map((key) => ({ requested, region: countryNameOf(key), cities: [] }))
    }
    const cities = [...new Set(matches.flatMap(({ city, country }) => city ?? country ?? []))]
    return cities.length === 0
      ? []
      : [{ requested, region: matches[0]?.region ?? matches[0]?.country ?? requested, cities }]
  })

const NO_COMPANIES: CompanyPage = { companies: [], moreAvailable: false, places: [] }
const NOBODY: LeadPage = { people: [], totalFound: 0, places: [] }

const folded = (phrases: ReadonlyArray<string>) => [...new Set(phrases.map(fold).filter((phrase) => phrase !== ""))]

/** The default minimum excludes the smallest companies, not those of unknown size. */
export const unknownSizePasses = ({ headcountMax, headcountMin }: CompanyQuery): boolean =>
  headcountMax === null && headcountMin <= HEADCOUNT_MIN_DEFAULT

const companiesFilter = (query: CompanyQuery): { filter: CompaniesFilter; locations: ReadonlyArray<string> } | null => {
  const { search } = query
  if (search.kind !== "firmographic" && search.kind !== "query") return null
  const locations = search.kind === "firmographic" ? search.locations : []
  const words = search.kind === "query" ? steeringWords(search.query) : []
  if (search.kind === "query" && words.length === 0) return null
  return {
    locations,
    filter: {
      places: filterOf(locations),
      industries: query.industries,
      countryCodes: query.countryCodes,
      headcountMin: query.headcountMin,
      headcountMax: query.headcountMax,
      unknownSizePasses: unknownSizePasses(query),
      keywords: search.kind === "firmographic" ? folded(search.keywords) : [],
      excludeKeywords: search.kind === "firmographic" ? folded(search.excludeKeywords) : [],
      words,
      wordsShareMin: query.lowConfidenceLimit > 0 ? QUERY_UNSURE : QUERY_SURE,
      steering: steeringWords(query.audience),
      limit: query.limit + query.lowConfidenceLimit
    }
  }
}

/**
 * A workspace's own people and companies as sources. They cost nothing, and answer only for the workspace of the call.
 * Without a workspace they find nothing.
 */
export const directorySources = Effect.gen(function* () {
  const store = yield* DirectoryStore
  const crypto = yield* Crypto

  const forWorkspace = <A>(nothing: A, ask: (workspaceId: string) => FromStore<A>): Effect.Effect<A, ProviderFailure> =>
    Effect.flatMap(CurrentSourceAccess, ({ workspaceId }) =>
      workspaceId === null
        ? Effect.succeed(nothing)
        : Effect.mapError(
            ask(workspaceId),
            (cause) => new ProviderFailure({ provider: DIRECTORY, reason: "transient", cause })
          )
    )

  const searchPeople = (workspaceId: string, query: LeadQuery) =>
    Effect.gen(function* () {
      const { people, total } = yield* store.searchPeople(workspaceId, {
        titles: folded(query.titles),
        places: filterOf(query.locations),
        industries: query.industries,
        companyDomains: query.companyDomains,
        headcountMin: query.headcountMin,
        headcountMax: query.headcountMax,
        steering: steeringWords(query.audience),
        limit: query.limit
      })
      return { people: people.map(personOf), totalFound: total, places: placesOf(query.locations, people) }
    })

  const searchCompanies = (workspaceId: string, query: CompanyQuery) =>
    Effect.gen(function* () {
      const asks = companiesFilter(query)
      if (asks === null) return NO_COMPANIES
      const { companies, total } = yield* store.searchCompanies(workspaceId, asks.filter)
      const isQuery = query.search.kind === "query"
      const found = companies.map(({ company, share }) => {
        const isSure = !isQuery || share >= QUERY_SURE
        const evidence: CompanyEvidence = {
          signal: "firmographic",
          subject: company.industry,
          text: null,
          summary: summaryOf(company, isQuery ? "Fits the query" : "Fits the filters"),
          evidenceUrl: `https://${company.domain}/`,
          observedAt: timeOf(company),
          score: isQuery ? Math.round(share * 100) / 100 : 1,
          confidence: isSure ? "high" : "low"
        }
        return { company, isSure, found: foundOf(company, evidence) }
      })
      const sure = found.filter(({ isSure }) => isSure).slice(0, query.limit)
      const unsure = found.filter(({ isSure }) => !isSure).slice(0, query.lowConfidenceLimit)
      return {
        companies: [...sure, ...unsure].map((one) => one.found),
        moreAvailable: total > sure.length + unsure.length,
        places: placesOf(
          asks.locations,
          sure.map(({ company }) => company)
        )
      }
    })

  const companyKeysOf = (workspaceId: string, { companyDomain, companyName }: PersonIdentity) => {
    if (companyDomain !== null) return Effect.succeed([companyDomain])
    if (companyName === null) return Effect.succeed([])
    return Effect.map(store.domainsOf(workspaceId, foldLine(companyName)), (domains) => [
      unnamedDomain(companyName),
      ...domains
    ])
  }

  /** By address, else by profile, else by name and company. If two people match, nobody does. */
  const lookUp = (workspaceId: string, identity: PersonIdentity) =>
    Effect.gen(function* () {
      if (identity.email !== null) {
        const fingerprint = addressFingerprint(crypto, workspaceId, identity.email)
        const [known] = yield* store.lookUp(workspaceId, { by: "fingerprint", fingerprint })
        if (known !== undefined) return Option.some(contactOf(known))
      }
      const socialKey = identity.socialUrl === null ? null : socialKeyOf(identity.socialUrl)
      if (socialKey !== null) {
        const [known] = yield* store.lookUp(workspaceId, { by: "profile", socialKey })
        if (known !== undefined) return Option.some(contactOf(known))
      }
      const nameKey = nameKeyOf(identity)
      const companyKeys = nameKey === null ? [] : yield* companyKeysOf(workspaceId, identity)
      if (nameKey === null || companyKeys.length === 0) return Option.none()
      const named = yield* store.lookUp(workspaceId, { by: "name", nameKey, companyKeys })
      const titled = named.filter(({ title }) => title !== null && fold(title) === fold(identity.title ?? ""))
      const [one, ...others] = named.length > 1 && titled.length > 0 ? titled : named
      return one === undefined || others.length > 0 ? Option.none() : Option.some(contactOf(one))
    })

  const leadSource: LeadSource = {
    ...DIRECTORY_DECLARED,
    search: (query) => forWorkspace(NOBODY, (workspaceId) => searchPeople(workspaceId, query))
  }
  const companySource: CompanySource = {
    ...DIRECTORY_DECLARED,
    kinds: ["firmographic", "query"],
    search: (query) => forWorkspace(NO_COMPANIES, (workspaceId) => searchCompanies(workspaceId, query))
  }
  const contactEnricher: ContactEnricher = {
    ...DIRECTORY_DECLARED,
    lookup: (identity) => forWorkspace(Option.none<EnrichedContact>(), (workspaceId) => lookUp(workspaceId, identity))
  }
  return { leadSource, companySource, contactEnricher }
})
