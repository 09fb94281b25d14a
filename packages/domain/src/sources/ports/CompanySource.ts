import type { Effect } from "effect"
import type { InterpretedPlace } from "./LeadSource.js"
import type { ProviderFailure } from "./ProviderFailure.js"
import type { Source } from "./Source.js"

/** What a source can search by. `hiring` and `technologies` may be asked for together. */
export type CompanySearchKind = "hiring" | "technologies" | "similar" | "query" | "firmographic" | "local"

export interface HiringSearch {
  /** A posting matches when its title contains any, case-folded. Empty: every title. */
  readonly titles: ReadonlyArray<string>
  /** … and its text contains any. Empty: every text. */
  readonly descriptionContains: ReadonlyArray<string>
  readonly postedWithinDays: number
}

export type CompanySearch =
  | {
      readonly kind: "signals"
      /** Null: not asked for. */
      readonly hiring: HiringSearch | null
      /** A company matches when it uses any. Empty: not asked for. */
      readonly technologies: ReadonlyArray<string>
    }
  | { readonly kind: "similar"; readonly companyDomain: string }
  | { readonly kind: "query"; readonly query: string }
  | {
      readonly kind: "firmographic"
      /** Cities or regions of the headquarters. Empty: everywhere. */
      readonly locations: ReadonlyArray<string>
      /** Description, products or specialties mention any. Empty: not asked for. */
      readonly keywords: ReadonlyArray<string>
      readonly excludeKeywords: ReadonlyArray<string>
    }
  | {
      readonly kind: "local"
      /** Each a city with its country. Never empty. */
      readonly locations: ReadonlyArray<string>
      /** Kinds of business. Empty: every kind. */
      readonly categories: ReadonlyArray<string>
    }

/** What a caller asks for. */
export interface CompanyCriteria {
  readonly search: CompanySearch
  /** What the caller is after, in plain language; steers, does not filter. Empty: nothing said. */
  readonly audience: string
  /** Canonical industry names. Empty: every industry. */
  readonly industries: ReadonlyArray<string>
  /** ISO 3166-1 alpha-2, upper case. Empty: every country. */
  readonly countryCodes: ReadonlyArray<string>
  readonly headcountMin: number
  readonly headcountMax: number | null
}

/** The same, as sources are asked for it. */
export interface CompanyQuery extends CompanyCriteria {
  /** The most companies to return that surely match. */
  readonly limit: number
  /** The most companies to return beside them of which that is not sure. */
  readonly lowConfidenceLimit: number
}

/** Why a source believes that a company matches. */
export interface CompanyEvidence {
  readonly signal: "hiring" | "technology" | "similar" | "firmographic" | "local"
  /**
   * What was found: the title of the posting, the name of the technology, the kind of business; null where there is
   * nothing to name.
   */
  readonly subject: string | null
  /** The text of the posting; null where the source does not tell it. */
  readonly text: string | null
  /** In one sentence. */
  readonly summary: string
  readonly evidenceUrl: string | null
  /** When the posting was published, else when the source last saw this to be true; RFC 3339. */
  readonly observedAt: string
  /** 0 to 1. */
  readonly score: number
  readonly confidence: "high" | "low"
}

/** A company as a source knows it; null where it does not. */
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
  /** The best first. */
  readonly companies: ReadonlyArray<FoundCompany>
  /** Whether more companies match than were asked for; null where the source can't tell. */
  readonly moreAvailable: boolean | null
  /** The places that were not taken literally, such as "Bay Area". */
  readonly places: ReadonlyArray<InterpretedPlace>
}

/** Finds companies, by the kinds of search that it serves. */
export interface CompanySource extends Source {
  readonly kinds: ReadonlyArray<CompanySearchKind>
  /**
   * Whether it can apply all of these filters, or what it returns tells whether they hold. Pure and quick: plans ask it.
   * Absent: any.
   */
  readonly serves?: (criteria: CompanyCriteria) => boolean
  readonly search: (query: CompanyQuery) => Effect.Effect<CompanyPage, ProviderFailure>
}
