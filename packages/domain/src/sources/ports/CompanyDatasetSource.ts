import type { Effect, Option } from "effect"
import type { ProviderFailure, Source } from "./Source.js"

export interface CompanyProfile {
  readonly name: string | null
  readonly description: string | null
  /** Canonical name if the source has one. */
  readonly industry: string | null
  readonly headcount: number | null
  readonly foundedYear: number | null
  readonly country: string | null
  readonly city: string | null
  readonly socialUrl: string | null
  readonly website: string | null
}

/** Something that a company uses. Dates are YYYY-MM-DD or RFC 3339. */
export interface CompanyTechnology {
  readonly name: string
  readonly category: string | null
  readonly firstSeen: string | null
  readonly lastSeen: string | null
}

export interface FundingRound {
  readonly date: string | null
  /** In the usual terms: "Seed", "Series A". */
  readonly type: string | null
  readonly amountUsd: number | null
  readonly investors: ReadonlyArray<string>
}

export interface CompanyFunding {
  readonly totalUsd: number | null
  readonly rounds: ReadonlyArray<FundingRound>
}

export const RELATIONSHIP_KINDS = [
  "customer",
  "supplier",
  "partner",
  "investor",
  "parent",
  "subsidiary",
  "competitor"
] as const
export type RelationshipKind = (typeof RELATIONSHIP_KINDS)[number]

/** Another company's relation to this one. `customer`: it buys from this one. */
export interface CompanyRelationship {
  readonly companyDomain: string
  readonly kind: RelationshipKind
  readonly evidenceUrl: string | null
  readonly observedAt: string | null
}

/** What can be asked for about a company, each on its own (contract: data, enrich company). */
export interface CompanyDatasets {
  readonly profile: CompanyProfile
  readonly technologies: ReadonlyArray<CompanyTechnology>
  readonly funding: CompanyFunding
  readonly relationships: ReadonlyArray<CompanyRelationship>
}

export type DatasetName = keyof CompanyDatasets
export const DATASET_NAMES = [
  "profile",
  "technologies",
  "funding",
  "relationships"
] as const satisfies ReadonlyArray<DatasetName>

/** Reads one dataset about a registrable domain. None is an answer: nothing is known. */
export type DatasetLookup<D extends DatasetName> = (
  companyDomain: string
) => Effect.Effect<Option.Option<CompanyDatasets[D]>, ProviderFailure>

/** Null: it doesn't serve that dataset. */
export interface CompanyDatasetSource extends Source {
  readonly lookups: { readonly [D in DatasetName]: DatasetLookup<D> | null }
}
