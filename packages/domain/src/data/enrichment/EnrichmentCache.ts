import { Context, type Option } from "effect"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"

/** How long a found contact answers repeats for free (contract: data, enrich). */
export const ENRICHMENT_CACHE_DAYS = 90

export interface CachedContact {
  /** The returned contact, encoded. */
  readonly contact: string
  /** Which lookups it covers. A mobile search without a result isn't repeated either. */
  readonly emailLookedUp: boolean
  readonly mobileSearched: boolean
}

/** Found contacts, never shared between workspaces. Written by `CallJournal.settle`. */
export class EnrichmentCache extends Context.Service<
  EnrichmentCache,
  {
    /** `personKey`: keyed hash of the requested identity. Returns only unexpired entries. */
    readonly find: (
      workspaceId: string,
      personKey: string,
      nowMillis: number
    ) => FromStore<Option.Option<CachedContact>>
  }
>()("@outbound/domain/data/enrichment/EnrichmentCache") {}
