import { Context, type Effect, type Option } from "effect"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"

/** How long a found contact answers repeats for free (contract: data, enrich). */
export const ENRICHMENT_CACHE_DAYS = 90

export interface CachedContact {
  /** The contact as it was answered, encoded. */
  readonly contact: string
  /** Which lookups it covers: a mobile search that found nothing is not repeated either. */
  readonly emailLookedUp: boolean
  readonly mobileSearched: boolean
}

/** Found contacts of one workspace, never shared with another. Written by `CallJournal.settle`. */
export class EnrichmentCache extends Context.Tag("@outbound/domain/data/enrichment/EnrichmentCache")<
  EnrichmentCache,
  {
    /** `personKey`: keyed hash of the identity asked for. Only what is younger than its lifetime. */
    readonly find: (
      workspaceId: string,
      personKey: string,
      nowMillis: number
    ) => Effect.Effect<Option.Option<CachedContact>, StoreUnavailable>
  }
>() {}
