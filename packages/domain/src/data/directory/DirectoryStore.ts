import { Context } from "effect"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { PlaceMeaning } from "./Places.js"
import type { KeptCompany, KeptPerson } from "./Records.js"

/** `total` counts up to this. */
export const MATCHES_COUNTED_MAX = 1_000

/** The most index hits that one search examines before it returns what it has. */
export const ROWS_EXAMINED_MAX = 100_000

/** The most people in one lookup. */
export const SAME_PEOPLE_MAX = 5

/** Matches anybody whom one of the keys matches. */
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

/** Unknown fields of a person match nothing. */
export interface PeopleFilter extends Filter {
  /** Folded. Matches as `titleFits` says. Empty: every title. */
  readonly titles: ReadonlyArray<string>
  /** Registrable domains. Empty: every company. */
  readonly companyDomains: ReadonlyArray<string>
  /** Folded. Of the counted matches, those whose title and industry hold the most words come first. */
  readonly steering: ReadonlyArray<string>
}

export interface PeopleFound {
  readonly people: ReadonlyArray<KeptPerson>
  /** The number of matches, counted up to `MATCHES_COUNTED_MAX`. */
  readonly total: number
}

export interface CompaniesFilter extends Filter {
  /** Whether companies of unknown size match. */
  readonly unknownSizePasses: boolean
  /** Codes. Empty: every country. */
  readonly countryCodes: ReadonlyArray<string>
  /** Folded. Matches if the description or a specialty contains any. Empty: not requested. */
  readonly keywords: ReadonlyArray<string>
  /** Folded. Matches if the description contains none. */
  readonly excludeKeywords: ReadonlyArray<string>
  /** Folded. Companies that hold more of the words come first. Empty: not requested. */
  readonly words: ReadonlyArray<string>
  /** The minimum share of the words, 0 to 1. */
  readonly wordsShareMin: number
  /** Folded, as for people. */
  readonly steering: ReadonlyArray<string>
}

export interface CompaniesFound {
  /** Those that hold most of the words come first. */
  readonly companies: ReadonlyArray<{ readonly company: KeptCompany; readonly share: number }>
  /** The number of matches, counted up to `MATCHES_COUNTED_MAX`. */
  readonly total: number
}

/** One way to look a person up. */
export type PersonLookup =
  | { readonly by: "fingerprint"; readonly fingerprint: string }
  | { readonly by: "profile"; readonly socialKey: string }
  | { readonly by: "name"; readonly nameKey: string; readonly companyKeys: ReadonlyArray<string> }

/**
 * A workspace's own people and companies. Rows of other workspaces are never visible. Searches do bounded work, however
 * many rows there are. The store chooses their order; a longer list begins with the shorter one unless rows changed.
 */
export class DirectoryStore extends Context.Service<
  DirectoryStore,
  {
    /** Serialises imports into a workspace and erasures from it, batch by batch. */
    readonly lock: (workspaceId: string) => InTx<void>
    readonly people: (workspaceId: string, fingerprints: ReadonlyArray<string>) => FromStore<ReadonlyArray<KeptPerson>>
    readonly companies: (workspaceId: string, domains: ReadonlyArray<string>) => FromStore<ReadonlyArray<KeptCompany>>
    /** Inserts people or replaces those with the same fingerprints. Each fingerprint once. */
    readonly putPeople: (workspaceId: string, people: ReadonlyArray<KeptPerson>) => InTx<void>
    /** Which of these fingerprints belong to erased people. Only the hash of their address remains. */
    readonly erased: (workspaceId: string, fingerprints: ReadonlyArray<string>) => FromStore<ReadonlyArray<string>>
    /** Inserts or replaces companies, and updates their people (`withCompany`). */
    readonly putCompanies: (workspaceId: string, companies: ReadonlyArray<KeptCompany>) => InTx<void>
    /** Optimises searches after an import. */
    readonly settle: FromStore<void>
    readonly searchPeople: (workspaceId: string, filter: PeopleFilter) => FromStore<PeopleFound>
    readonly searchCompanies: (workspaceId: string, filter: CompaniesFilter) => FromStore<CompaniesFound>
    /** The people who may be meant, those with an address first; at most `SAME_PEOPLE_MAX`. */
    readonly lookUp: (workspaceId: string, lookup: PersonLookup) => FromStore<ReadonlyArray<KeptPerson>>
    /** The domains of companies with this folded name; at most `SAME_PEOPLE_MAX`. */
    readonly domainsOf: (workspaceId: string, nameKey: string) => FromStore<ReadonlyArray<string>>
  }
>()("@outbound/domain/data/directory/DirectoryStore") {}
