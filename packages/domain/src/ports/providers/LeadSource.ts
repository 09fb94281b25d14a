import type { Effect } from "effect"
import type { Person } from "./Person.js"
import type { ProviderFailure } from "./ProviderFailure.js"
import type { Source } from "./Source.js"

export interface LeadQuery {
  /** What the caller is after, in plain language; steers, does not filter. */
  readonly audience: string
  /** A person matches when their title contains any, case-folded. Empty: every title. */
  readonly titles: ReadonlyArray<string>
  /** Countries or cities. Empty: everywhere. */
  readonly locations: ReadonlyArray<string>
  /** Canonical industry names. Empty: every industry. */
  readonly industries: ReadonlyArray<string>
  /** Registrable domains. Empty: every company. */
  readonly companyDomains: ReadonlyArray<string>
  readonly headcountMin: number | null
  readonly headcountMax: number | null
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
   * costs 1 credit per lead (interface.md §3.6, completions.md §3).
   */
  readonly tier?: "premium"
  /** Whether it can apply all filters of such a query. Pure: it is asked for plans too. Absent: any query. */
  readonly serves?: (query: LeadQuery) => boolean
  readonly search: (query: LeadQuery) => Effect.Effect<LeadPage, ProviderFailure>
}
