import { Context, type Effect } from "effect"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"
import type { PlaceMeaning } from "./Places.js"
import type { KeptCompany, KeptPerson } from "./Records.js"

/** Up to how many matches are counted: `total` never says more than this. */
export const MATCHES_COUNTED_MAX = 1_000

/** How many rows one search looks at that its index gave it, before it answers with what it has. */
export const ROWS_EXAMINED_MAX = 100_000

/** How many people one look-up answers. */
export const SAME_PEOPLE_MAX = 5

/** Holds for whoever any of them holds for. */
export type PlaceFilter = Pick<PlaceMeaning, "countryKeys" | "places">

interface Filter {
  /** Null: everywhere. */
  readonly places: PlaceFilter | null
  /** Canonical names. Empty: every industry. */
  readonly industries: ReadonlyArray<string>
  readonly headcountMin: number | null
  readonly headcountMax: number | null
  readonly limit: number
}

/** Of what is not known of a person, nothing matches. */
export interface PeopleFilter extends Filter {
  /** Folded; the title contains any. Empty: every title. */
  readonly titles: ReadonlyArray<string>
  /** Registrable domains. Empty: every company. */
  readonly companyDomains: ReadonlyArray<string>
  /** Folded. Among the matches that are counted, those whose title and industry hold most of them come first. */
  readonly steering: ReadonlyArray<string>
}

export interface PeopleFound {
  readonly people: ReadonlyArray<KeptPerson>
  /** How many match, counted up to `MATCHES_COUNTED_MAX`. */
  readonly total: number
}

export interface CompaniesFilter extends Filter {
  /** Whether a company of unknown size passes the bounds. */
  readonly unknownSizePasses: boolean
  /** Codes. Empty: every country. */
  readonly countryCodes: ReadonlyArray<string>
  /** Folded; the description or a specialty contains any. Empty: not asked for. */
  readonly keywords: ReadonlyArray<string>
  /** Folded; the description contains none. */
  readonly excludeKeywords: ReadonlyArray<string>
  /** Folded; the more of them stand in what the company is, the earlier it comes. Empty: not asked for. */
  readonly words: ReadonlyArray<string>
  /** The share of the words that a company must hold at the least, 0 to 1. */
  readonly wordsShareMin: number
  /** Folded, as for people. */
  readonly steering: ReadonlyArray<string>
}

export interface CompaniesFound {
  /** Those that hold most of the words first. */
  readonly companies: ReadonlyArray<{ readonly company: KeptCompany; readonly share: number }>
  /** How many match, counted up to `MATCHES_COUNTED_MAX`. */
  readonly total: number
}

/** By what a person is looked up: one of these. */
export type PersonLookup =
  | { readonly by: "fingerprint"; readonly fingerprint: string }
  | { readonly by: "profile"; readonly socialKey: string }
  | { readonly by: "name"; readonly nameKey: string; readonly companyKeys: ReadonlyArray<string> }

/**
 * The workspace's own people and companies. Everything is of one workspace, and nothing of another is ever seen.
 * Searches answer in bounded work, however many rows there are; in which order is theirs to say, but a longer list
 * begins with the shorter one, as long as nothing changes.
 */
export class DirectoryStore extends Context.Tag("@outbound/domain/data/directory/DirectoryStore")<
  DirectoryStore,
  {
    /** Imports into one workspace, and erasures from it, take turns, batch by batch. */
    readonly lock: (workspaceId: string) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly people: (
      workspaceId: string,
      fingerprints: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<KeptPerson>, StoreUnavailable>
    readonly companies: (
      workspaceId: string,
      domains: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<KeptCompany>, StoreUnavailable>
    /** Inserts them, or replaces those with the same fingerprints. Each fingerprint once. */
    readonly putPeople: (
      workspaceId: string,
      people: ReadonlyArray<KeptPerson>
    ) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Of these fingerprints those of erased people: by their address, which is all that is kept of them. */
    readonly erased: (
      workspaceId: string,
      fingerprints: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Inserts or replaces them, and tells their people what they say of themselves (`withCompany`). */
    readonly putCompanies: (
      workspaceId: string,
      companies: ReadonlyArray<KeptCompany>
    ) => Effect.Effect<void, StoreUnavailable, Tx>
    /** After an import: makes searches as quick as they can be. */
    readonly settle: Effect.Effect<void, StoreUnavailable>
    readonly searchPeople: (workspaceId: string, filter: PeopleFilter) => Effect.Effect<PeopleFound, StoreUnavailable>
    readonly searchCompanies: (
      workspaceId: string,
      filter: CompaniesFilter
    ) => Effect.Effect<CompaniesFound, StoreUnavailable>
    /** Those who could be meant, who have an address first; at most `SAME_PEOPLE_MAX`. */
    readonly lookUp: (
      workspaceId: string,
      lookup: PersonLookup
    ) => Effect.Effect<ReadonlyArray<KeptPerson>, StoreUnavailable>
    /** The domains of companies with this folded name, at most `SAME_PEOPLE_MAX`. */
    readonly domainsOf: (workspaceId: string, nameKey: string) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  }
>() {}
