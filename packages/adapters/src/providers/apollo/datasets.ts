import type {
  CompanyDatasetSource,
  CompanyFunding,
  CompanyProfile,
  CompanyTechnology,
  FundingRound
} from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Option } from "effect"
import { countryFields, industryOf } from "../companies.js"
import { addressOf } from "../shape.js"
import { COMPANY_CREDITS, organizationOf } from "./enriched.js"
import type { Organization } from "./organization.js"
import type { VendorParts } from "../Vendor.js"

const profileOf = (organization: Organization): CompanyProfile => ({
  name: organization.name,
  description: organization.short_description,
  industry: industryOf(organization.industry),
  headcount: organization.estimated_num_employees,
  foundedYear: organization.founded_year,
  country: countryFields(organization.country).country,
  city: organization.city,
  socialUrl: addressOf(organization.linkedin_url),
  website: addressOf(organization.website_url)
})

const named = (name: string, category: string | null): CompanyTechnology => ({
  name,
  category,
  firstSeen: null,
  lastSeen: null
})

const technologiesOf = (organization: Organization): ReadonlyArray<CompanyTechnology> | null => {
  const current = organization.current_technologies.flatMap(({ category, name }) =>
    name === null ? [] : [named(name, category)]
  )
  const technologies = current.length > 0 ? current : organization.technology_names.map((name) => named(name, null))
  return technologies.length === 0 ? null : technologies
}

const UNITS: Readonly<Record<string, number>> = { "": 1, K: 1e3, M: 1e6, B: 1e9 }

const DOLLARS = new Set(["$", "USD", "US$"])

/** "15M" in dollars; null for another or an unknown currency. */
export const dollarsOf = (amount: number | string | null, currency: string | null): number | null => {
  if (amount === null || currency === null || !DOLLARS.has(currency.trim().toUpperCase())) return null
  if (typeof amount === "number") return amount
  const match = /^\s*([\d,]+(?:\.\d+)?)\s*([KMB]?)\s*$/i.exec(amount)
  const unit = UNITS[(match?.[2] ?? "").toUpperCase()]
  return match?.[1] === undefined || unit === undefined ? null : Math.round(Number(match[1].replaceAll(",", "")) * unit)
}

const roundOf = ({
  amount,
  currency,
  date,
  investors,
  type
}: Organization["funding_events"][number]): FundingRound => ({
  date: date?.slice(0, 10) ?? null,
  type,
  amountUsd: dollarsOf(amount, currency),
  investors: investors
    .flatMap((names) => names.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "")
})

const fundingOf = (organization: Organization): CompanyFunding | null => {
  const rounds = organization.funding_events
    .map(roundOf)
    .filter(({ amountUsd, date, type }) => date !== null || type !== null || amountUsd !== null)
  return organization.total_funding === null && rounds.length === 0
    ? null
    : { totalUsd: organization.total_funding, rounds }
}

export const makeDatasets = (parts: VendorParts): CompanyDatasetSource => {
  const lookUp =
    <A>(read: (organization: Organization) => A | null) =>
    (companyDomain: string): Effect.Effect<Option.Option<A>, ProviderFailure> =>
      Effect.map(organizationOf(parts, companyDomain), (organization) =>
        Option.fromNullishOr(organization === null ? null : read(organization))
      )
  return {
    ...parts.declared("company_dataset_source", { units: COMPANY_CREDITS, missRate: 0.15, latencyMillis: 1_000 }),
    lookups: {
      profile: lookUp(profileOf),
      technologies: lookUp(technologiesOf),
      funding: lookUp(fundingOf),
      relationships: null
    }
  }
}
