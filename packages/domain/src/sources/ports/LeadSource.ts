import type { Effect } from "effect"
import type { Person } from "./Person.js"
import type { ProviderFailure, Source } from "./Source.js"

export interface LeadCriteria {
  /** The caller's aim in plain language: guides, doesn't filter. */
  readonly audience: string
  /** Matches if the title contains any, case-folded. Empty: every title. */
  readonly titles: ReadonlyArray<string>
  /** Countries or cities. Empty: everywhere. */
  readonly locations: ReadonlyArray<string>
  /** As written by the caller. Empty: every industry. */
  readonly industries: ReadonlyArray<string>
  /** Registrable domains. Empty: every company. */
  readonly companyDomains: ReadonlyArray<string>
  readonly headcountMin: number | null
  readonly headcountMax: number | null
}

/** The criteria, as sent to sources: industries are canonical names. */
export interface LeadQuery extends LeadCriteria {
  readonly limit: number
}

/** How a place phrase was read. */
export interface InterpretedPlace {
  readonly requested: string
  /** The country or region. */
  readonly region: string
  /** The cities searched; empty for a whole country. */
  readonly cities: ReadonlyArray<string>
}

export interface LeadPage {
  readonly people: ReadonlyArray<Person>
  /** The number of matches in all. */
  readonly totalFound: number
  /** Places not taken literally, such as "Bay Area". */
  readonly places: ReadonlyArray<InterpretedPlace>
}

/** Finds people by structured filters. Reveals no address. */
export interface LeadSource extends Source {
  /**
   * Absent: a standard source. A premium one is dearer: it is asked only by a call that consents to it, and what it adds
   * costs 1 credit per lead (contract: data, premium).
   */
  readonly tier?: "premium"
  /** Whether it can apply all filters. Pure and quick, because plans ask it. Absent: always. */
  readonly serves?: (criteria: LeadCriteria) => boolean
  readonly search: (query: LeadQuery) => Effect.Effect<LeadPage, ProviderFailure>
}
