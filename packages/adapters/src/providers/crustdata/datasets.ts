import type {
  CompanyDatasetSource,
  CompanyFunding,
  CompanyProfile
} from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Option, Schema } from "effect"
import { domainAmong, roundType } from "../companies.js"
import { addressOf, listOf } from "../shape.js"
import { Company, foundCompany } from "./companies.js"
import { readCharged } from "./endpoints.js"
import type { VendorParts } from "../Vendor.js"

/** Credits per company. */
const COMPANY_CREDITS = 2

const Matched = Schema.Array(Schema.Struct({ matches: listOf(Schema.Struct({ company_data: Company })) }))

/** A plain list, or a list in `results`. For an unknown company it is an empty match, or an error of its own. */
const Enriched = Schema.Union([Matched, Schema.Struct({ results: Matched }), Schema.Struct({ error: Schema.Unknown })])

const companiesIn = (answer: typeof Enriched.Type): ReadonlyArray<Company> => {
  if ("error" in answer) return []
  const matched = "results" in answer ? answer.results : answer
  return matched.flatMap(({ matches }) => matches.map(({ company_data }) => company_data))
}

const profileOf = (company: Company): CompanyProfile | null => {
  const found = foundCompany(company)
  if (found === null) return null
  const { city, country, description, foundedYear, headcount, industry, name, socialUrl } = found
  const website = addressOf(company.basic_info?.website ?? null)
  return { name, description, industry, headcount, foundedYear, country, city, socialUrl, website }
}

/** It gives only the last round, and investors without their rounds. */
const fundingOf = ({ funding }: Company): CompanyFunding | null => {
  if (funding === null) return null
  const { last_fundraise_date: date, last_round_amount_usd: amountUsd, last_round_type } = funding
  const type = roundType(last_round_type)
  const isKnown = date !== null || amountUsd !== null || type !== null
  if (!isKnown && funding.total_investment_usd === null) return null
  return { totalUsd: funding.total_investment_usd, rounds: isKnown ? [{ date, type, amountUsd, investors: [] }] : [] }
}

export const makeDatasets = (parts: VendorParts): CompanyDatasetSource => {
  const lookUp =
    <A>(fields: ReadonlyArray<string>, read: (company: Company) => A | null) =>
    (companyDomain: string): Effect.Effect<Option.Option<A>, ProviderFailure> =>
      Effect.gen(function* () {
        const body = { domains: [companyDomain], fields, exact_match: true }
        const costOf = (answer: typeof Enriched.Type) => companiesIn(answer).length * COMPANY_CREDITS
        const companies = companiesIn(yield* readCharged(parts, Enriched, "/company/enrich", body, costOf))
        // A domain may return several similar companies.
        const own = companies.find(
          ({ basic_info }) =>
            domainAmong([basic_info?.primary_domain ?? null, basic_info?.website ?? null]) === companyDomain
        )
        return Option.fromNullishOr(own === undefined ? null : read(own))
      })
  return {
    ...parts.declared("company_dataset_source", { units: COMPANY_CREDITS, missRate: 0.15, latencyMillis: 1_500 }),
    lookups: {
      profile: lookUp(["basic_info", "headcount", "locations", "taxonomy"], profileOf),
      technologies: null,
      funding: lookUp(["basic_info", "funding"], fundingOf),
      relationships: null
    }
  }
}
