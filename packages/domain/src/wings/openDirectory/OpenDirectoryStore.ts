import { Context, type Option } from "effect"
import type { PlaceFilter } from "../../data/directory/DirectoryStore.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { OpenLoadState } from "./OpenLoadMachine.js"
import type { OpenCompany, OpenPublisher, OpenRefusal } from "./OpenRecords.js"

/** `total` counts up to this. */
export const OPEN_MATCHES_MAX = 1_000

/** Which published file: of a publisher, and of which part of what it has (a city, a country, or everything). */
export interface OpenPart {
  readonly publisher: OpenPublisher
  readonly part: string
}

/** How often a reason occurred, and the first record with it, counted from 1. */
export interface OpenRefusals {
  readonly count: number
  readonly first: number
}

/** The load of a file, as far as it is. There is one for each part. */
export interface OpenLoad extends OpenPart {
  /** Tells this file from others. */
  readonly fileKey: string
  /** Whose turn it is: an older process finds another one here, and stops. */
  readonly claimId: string
  /** Counts the files of the part. */
  readonly generation: number
  readonly state: OpenLoadState
  /** How many records of the file are done. */
  readonly position: number
  /** Where the sweep or the naming is; empty: at the beginning. */
  readonly cursor: string
  readonly added: number
  readonly updated: number
  /** Without a change. */
  readonly known: number
  readonly retired: number
  readonly refused: Readonly<Partial<Record<OpenRefusal, OpenRefusals>>>
  /** How many companies the part held before this file; null: it is the first. */
  readonly heldBefore: number | null
  readonly beganAtMillis: number
  readonly endedAtMillis: number | null
}

/** A company of the open directory. */
export interface KeptOpenCompany extends OpenCompany {
  /** Its own, or that of the load. */
  readonly observedOn: string
  readonly publisher: OpenPublisher
  /** Whether its publisher states the domain. Else it is of a place with its name in its town. */
  readonly isDomainStated: boolean
}

/** A line of business that companies of the open directory have. */
export interface OpenCategory {
  readonly id: number
  readonly name: string
  readonly inEnglish: string | null
}

/** One company per domain, and only those that have one. */
export interface OpenFilter {
  /** Null: everywhere. */
  readonly places: PlaceFilter | null
  /** Codes. Empty: every country. */
  readonly countryCodes: ReadonlyArray<string>
  /** Null: every line of business. */
  readonly categories: ReadonlyArray<number> | null
  readonly headcountMin: number | null
  readonly headcountMax: number | null
  readonly unknownSizePasses: boolean
  readonly limit: number
}

export interface OpenFound {
  /** The surest first. */
  readonly companies: ReadonlyArray<KeptOpenCompany>
  /** Counted up to `OPEN_MATCHES_MAX`. */
  readonly total: number
}

/** A step of a walk over rows. `next`: where it goes on; null: it is at its end. */
export interface OpenStep {
  readonly changed: number
  readonly next: string | null
}

/**
 * Companies and places that publishers give to everybody, shared by all workspaces of the service. Nothing here belongs
 * to a workspace, and no person stands here. Searches do bounded work.
 */
export class OpenDirectoryStore extends Context.Service<
  OpenDirectoryStore,
  {
    /** Locks the load of a part for the transaction. */
    readonly lockLoad: (part: OpenPart) => InTx<Option.Option<OpenLoad>>
    readonly putLoad: (load: OpenLoad) => InTx<void>
    readonly loads: FromStore<ReadonlyArray<OpenLoad>>
    /**
     * Adds companies, or replaces those of the same ids. Each id once. Of one that says no day, it is that of the load; a
     * later day alone is no update.
     */
    readonly put: (
      part: OpenPart,
      of: Pick<OpenLoad, "generation" | "beganAtMillis">,
      companies: ReadonlyArray<OpenCompany>
    ) => InTx<{ readonly added: number; readonly updated: number }>
    /** Removes, of the next rows of a part, those of earlier files. */
    readonly sweep: (part: OpenPart, generation: number, after: string, rowsMax: number) => InTx<OpenStep>
    /**
     * Gives the next companies without a stated website the domain of the places with their name in their town, if it is
     * one domain and no other company there has the name; takes it from those of which that is not true any more.
     */
    readonly name: (after: string, rowsMax: number) => InTx<OpenStep>
    /** Optimises searches after a load. */
    readonly settle: FromStore<void>
    readonly categories: FromStore<ReadonlyArray<OpenCategory>>
    readonly search: (filter: OpenFilter) => FromStore<OpenFound>
  }
>()("@outbound/domain/wings/openDirectory/OpenDirectoryStore") {}
