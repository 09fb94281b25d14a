import { Effect } from "effect"
import { namesAny } from "../../data/companies/companyCheck.js"
import { unknownSizePasses } from "../../data/directory/directorySources.js"
import { interpretPlace, isAt, type PlaceMeaning, placeKeysOf } from "../../data/directory/Places.js"
import { countryOfCode } from "../../kernel/people/Countries.js"
import type {
  CompanyEvidence,
  CompanyPage,
  CompanyQuery,
  CompanySearch,
  CompanySource,
  FoundCompany
} from "../../sources/ports/CompanySource.js"
import type { InterpretedPlace } from "../../sources/ports/LeadSource.js"
import { ProviderFailure } from "../../sources/ports/Source.js"
import { categoriesMeant, categoryWords, industryOfWords } from "./categoriesMeant.js"
import { otherNamesOf } from "./exonyms.js"
import { type KeptOpenCompany, type OpenFilter, OpenDirectoryStore } from "./OpenDirectoryStore.js"

/** Its name in routes and records. */
export const OPEN_DIRECTORY = "open_directory"

export const OPEN_DIRECTORY_DECLARED = { name: OPEN_DIRECTORY, costMicros: 0, missRate: 0.4, latencyMillis: 50 }

type PlacedSearch = Extract<CompanySearch, { readonly kind: "firmographic" | "local" }>

const isPlaced = (search: CompanySearch): search is PlacedSearch =>
  search.kind === "firmographic" || search.kind === "local"

/** With the names that addresses there have. */
const asAddressed = (meaning: PlaceMeaning): PlaceMeaning => ({
  ...meaning,
  places: meaning.places.flatMap((place) => [
    place,
    ...otherNamesOf(place.key).map((key) => ({ key, countryKey: place.countryKey }))
  ])
})

const meaningsOf = ({ locations }: PlacedSearch): ReadonlyArray<PlaceMeaning> =>
  locations.map((location) => asAddressed(interpretPlace(location)))

const filterOf = (
  query: CompanyQuery,
  meanings: ReadonlyArray<PlaceMeaning>,
  categories: OpenFilter["categories"]
): OpenFilter => ({
  places:
    meanings.length === 0
      ? null
      : {
          countryKeys: [...new Set(meanings.flatMap(({ countryKeys }) => countryKeys))],
          places: meanings.flatMap(({ places }) => places)
        },
  countryCodes: query.countryCodes,
  categories,
  headcountMin: query.headcountMin,
  headcountMax: query.headcountMax,
  unknownSizePasses: unknownSizePasses(query),
  limit: query.limit + query.lowConfidenceLimit
})

/** A place and its names, spelt as in the matches. */
const placesOf = (
  meanings: ReadonlyArray<PlaceMeaning>,
  found: ReadonlyArray<KeptOpenCompany>
): ReadonlyArray<InterpretedPlace> =>
  meanings.flatMap((meaning) => {
    const keysOf = ({ city, countryCode, region }: KeptOpenCompany) =>
      placeKeysOf({ city, region, country: countryCode })
    const matches = found.filter((company) => isAt(meaning, keysOf(company)))
    const cities = [...new Set(matches.flatMap(({ city }) => city ?? []))]
    const country = countryOfCode(matches[0]?.countryCode ?? "")?.name
    return cities.length === 0
      ? []
      : [{ requested: meaning.requested, region: matches[0]?.region ?? country ?? meaning.requested, cities }]
  })

const evidenceOf = (company: KeptOpenCompany, search: PlacedSearch): CompanyEvidence => {
  const { attribution, city, domain, isDomainStated, licence, observedOn, score, url } = company
  const words = categoryWords(company)
  const asked = search.kind === "local" ? search.categories : []
  const subject = words.find((one) => namesAny(asked, one) === true) ?? words[0] ?? null
  const country = countryOfCode(company.countryCode)?.name ?? company.countryCode
  const what = [subject ?? "company", ...(city === null ? [] : [city]), country].join(", ")
  const how = isDomainStated ? "" : `; its website is that of the place of this name there`
  return {
    signal: search.kind,
    subject,
    text: null,
    summary: `${what}${how}. Source: ${attribution}, ${licence}.`,
    evidenceUrl: url ?? `https://${domain}/`,
    observedAt: `${observedOn}T00:00:00.000Z`,
    score,
    confidence: isDomainStated ? "high" : "low"
  }
}

const foundOf = (company: KeptOpenCompany, domain: string, search: PlacedSearch): FoundCompany => ({
  domain,
  name: company.name,
  description: null,
  descriptionSource: null,
  specialties: categoryWords(company),
  socialUrl: null,
  headcount: company.headcount,
  industry: industryOfWords(categoryWords(company)),
  country: countryOfCode(company.countryCode)?.name ?? company.countryCode,
  countryCode: company.countryCode,
  city: company.city,
  foundedYear: company.foundedYear,
  totalFundingUsd: null,
  jobsLast30Days: null,
  lastFundingRoundDate: null,
  lastFundingRoundAmountUsd: null,
  evidence: [evidenceOf(company, search)]
})

const NONE: CompanyPage = { companies: [], moreAvailable: false, places: [] }

/** The open directory as a source of companies. It costs nothing, and answers every workspace alike. */
export const openDirectorySource = Effect.gen(function* () {
  const store = yield* OpenDirectoryStore
  const search = (query: CompanyQuery) =>
    Effect.gen(function* () {
      const asked = query.search
      if (!isPlaced(asked)) return NONE
      const categories = categoriesMeant(yield* store.categories, {
        types: asked.kind === "local" ? asked.categories : [],
        industries: query.industries,
        keywords: asked.kind === "firmographic" ? asked.keywords : []
      })
      if (categories?.length === 0) return NONE
      const meanings = meaningsOf(asked)
      const filter = filterOf(query, meanings, categories?.map(({ id }) => id) ?? null)
      const { companies, total } = yield* store.search(filter)
      const sure = companies.filter(({ isDomainStated }) => isDomainStated).slice(0, query.limit)
      const unsure = companies.filter(({ isDomainStated }) => !isDomainStated).slice(0, query.lowConfidenceLimit)
      return {
        companies: [...sure, ...unsure].flatMap((company) =>
          company.domain === null ? [] : [foundOf(company, company.domain, asked)]
        ),
        moreAvailable: total > sure.length + unsure.length,
        places: placesOf(meanings, [...sure, ...unsure])
      } satisfies CompanyPage
    })
  const source: CompanySource = {
    ...OPEN_DIRECTORY_DECLARED,
    kinds: ["firmographic", "local"],
    search: (query) =>
      Effect.mapError(
        search(query),
        (cause) => new ProviderFailure({ provider: OPEN_DIRECTORY, reason: "transient", cause })
      )
  }
  return source
})
