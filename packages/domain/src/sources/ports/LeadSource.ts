import type { Effect } from "effect"
import type { Person } from "./Person.js"
import type { ProviderFailure } from "./ProviderFailure.js"
import type { Source } from "./Source.js"

/** What a caller asks for. */
export interface LeadCriteria {
  /** What the caller is after, in plain language; steers, does not filter. */
  readonly audience: string
  /** A person matches when their title contains any, case-folded. Empty: every title. */
  readonly titles: ReadonlyArray<string>
  /** Countries or cities. Empty: everywhere. */
  readonly locations: ReadonlyArray<string>
  /** As the caller wrote them. Empty: every industry. */
  readonly industries: ReadonlyArray<string>
  /** Registrable domains. Empty: every company. */
  readonly companyDomains: ReadonlyArray<string>
  readonly headcountMin: number | null
  readonly headcountMax: number | null
}

/** The same, as sources are asked for it. Its industries are canonical names. */
export interface LeadQuery extends LeadCriteria {
  /** The most people to return. */
  readonly limit: number
}

/** How a phrase for a place was understood. */
export interface InterpretedPlace {
  readonly requested: string
  /** The country or region that it names. */
  readonly region: string
  /** The cities searched for it; empty for a whole country. */
  readonly cities: ReadonlyArray<string>
}

export interface LeadPage {
  readonly people: ReadonlyArray<Person>
  /** How many people match in all. */
  readonly totalFound: number
  /** The places that were not taken literally, such as "Bay Area". */
  readonly places: ReadonlyArray<InterpretedPlace>
}

/** Finds people by structured filters. Reveals no address. */
export interface LeadSource extends Source {
  /**
   * Absent: a standard source. A premium one is dearer: it is asked only by a call that consents to it, and what it adds
   * costs 1 credit per lead (contract: data, premium).
   */
  readonly tier?: "premium"
  /** Whether it can apply all of these filters. Pure and quick: plans ask it. Absent: any. */
  readonly serves?: (criteria: LeadCriteria) => boolean
  readonly search: (query: LeadQuery) => Effect.Effect<LeadPage, ProviderFailure>
}
