import type { Effect } from "effect"
import type { InterpretedPlace } from "./LeadSource.js"
import type { ProviderFailure, Source } from "./Source.js"

/** Kinds of search. `hiring` and `technologies` combine. */
export type CompanySearchKind = "hiring" | "technologies" | "similar" | "query" | "firmographic" | "local"

export interface HiringSearch {
  /** Matches if the title contains any, case-folded. Empty: every title. */
  readonly titles: ReadonlyArray<string>
  /** Matches if the text contains any. Empty: every text. */
  readonly descriptionContains: ReadonlyArray<string>
  readonly postedWithinDays: number
}

export type CompanySearch =
  | {
      readonly kind: "signals"
      /** Null: not requested. */
      readonly hiring: HiringSearch | null
      /** Matches if the company uses any. Empty: not requested. */
      readonly technologies: ReadonlyArray<string>
    }
  | { readonly kind: "similar"; readonly companyDomain: string }
  | { readonly kind: "query"; readonly query: string }
  | {
      readonly kind: "firmographic"
      /** Cities or regions of the headquarters. Empty: everywhere. */
      readonly locations: ReadonlyArray<string>
      /** Matches if description, products or specialties mention any. Empty: not requested. */
      readonly keywords: ReadonlyArray<string>
      readonly excludeKeywords: ReadonlyArray<string>
    }
  | {
      readonly kind: "local"
      /** Each a city with its country. Never empty. */
      readonly locations: ReadonlyArray<string>
      /** Business types. Empty: all. */
      readonly categories: ReadonlyArray<string>
    }

export interface CompanyCriteria {
  readonly search: CompanySearch
  /** The caller's aim in plain language: guides, doesn't filter. Empty: none given. */
  readonly audience: string
  /** Canonical names. Empty: every industry. */
  readonly industries: ReadonlyArray<string>
  /** ISO 3166-1 alpha-2, upper case. Empty: every country. */
  readonly countryCodes: ReadonlyArray<string>
  readonly headcountMin: number
  readonly headcountMax: number | null
}

/** The criteria and limits, as sent to sources. */
export interface CompanyQuery extends CompanyCriteria {
  /** The most certain matches to return. */
  readonly limit: number
  /** The most uncertain matches to return beside them. */
  readonly lowConfidenceLimit: number
}

/** Why a source believes that a company matches. */
export interface CompanyEvidence {
  readonly signal: "hiring" | "technology" | "similar" | "firmographic" | "local"
  /** The title of the posting, name of the technology, or business type; null if nothing has a name. */
  readonly subject: string | null
  /** The text of the posting; null if the source doesn't give it. */
  readonly text: string | null
  /** One sentence. */
  readonly summary: string
  readonly evidenceUrl: string | null
  /** When the posting was published, else when the source last confirmed it; RFC 3339. */
  readonly observedAt: string
  /** 0 to 1. */
  readonly score: number
  readonly confidence: "high" | "low"
}

/** A company as a source knows it. Null: unknown. */
export interface FoundCompany {
  /** The registrable domain, lower-case ASCII. */
  readonly domain: string
  readonly name: string | null
  readonly description: string | null
  readonly descriptionSource: "vendor" | "homepage" | null
  /** Products and specialties. */
  readonly specialties: ReadonlyArray<string>
  readonly socialUrl: string | null
  readonly headcount: number | null
  readonly industry: string | null
  readonly country: string | null
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countryCode: string | null
  readonly city: string | null
  readonly foundedYear: number | null
  readonly totalFundingUsd: number | null
  readonly jobsLast30Days: number | null
  /** YYYY-MM-DD. */
  readonly lastFundingRoundDate: string | null
  readonly lastFundingRoundAmountUsd: number | null
  readonly evidence: ReadonlyArray<CompanyEvidence>
}

export interface CompanyPage {
  /** Best first. */
  readonly companies: ReadonlyArray<FoundCompany>
  /** Whether more companies match. Null: the source can't tell. */
  readonly moreAvailable: boolean | null
  /** Places not taken literally, such as "Bay Area". */
  readonly places: ReadonlyArray<InterpretedPlace>
}

/** Finds companies by the kinds of search it serves. */
export interface CompanySource extends Source {
  readonly kinds: ReadonlyArray<CompanySearchKind>
  /** Whether it can apply all filters or its results show them. Pure and quick, since plans ask it. Absent: always. */
  readonly serves?: (criteria: CompanyCriteria) => boolean
  readonly search: (query: CompanyQuery) => Effect.Effect<CompanyPage, ProviderFailure>
}
