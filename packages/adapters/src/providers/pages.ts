import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { SOURCE_TIMEOUT_SECONDS } from "@outbound/domain/sources/Waterfall.js"
import { Clock, Effect } from "effect"

/**
 * The longest search. A source that we stopped waiting for has wasted even its paid pages. The last part of this time
 * is for a page under way: none is begun in it, since it would be charged too.
 */
export const SEARCH_MILLIS_MAX = (SOURCE_TIMEOUT_SECONDS - 2) * 1000
const LAST_PAGE_MILLIS = 2_000

export interface Page<A, Cursor> {
  readonly items: ReadonlyArray<A>
  /** The cursor of the next page; null: none. */
  readonly next: Cursor | null
}

export interface Gathered<A> {
  readonly items: ReadonlyArray<A>
  /** Whether more than requested exists, or may. */
  readonly isMore: boolean
}

interface Gathering<A, Cursor> {
  readonly first: Cursor
  readonly pagesMax: number
  /** The number wanted. */
  readonly itemsMax: number
  /** `missing`: the number still wanted. */
  readonly ask: (cursor: Cursor, missing: number) => Effect.Effect<Page<A, Cursor>, ProviderFailure>
  /** Items are filtered from a page, so an empty page need not be the last. */
  readonly isSparse?: true
  /** When the search began, if it asked for something else before. Default: now. */
  readonly beganMillis?: number
}

/** A later page; null if it failed or was late. */
const laterPage = <A>(ask: Effect.Effect<A, ProviderFailure>, page: number, untilMillis: number) =>
  Effect.gen(function* () {
    const leftMillis = untilMillis - (yield* Clock.currentTimeMillis)
    if (leftMillis < LAST_PAGE_MILLIS) return null
    const inTime = Effect.timeoutOrElse(ask, {
      duration: leftMillis,
      orElse: () => Effect.fail({ provider: null, reason: "late" })
    })
    return yield* Effect.catch(inTime, ({ provider, reason }) =>
      Effect.as(
        Effect.logWarning("a page could not be read").pipe(Effect.annotateLogs({ provider, reason, page })),
        null
      )
    )
  })

/**
 * Reads pages until there is enough, none is left, or `pagesMax` were read. If a later page fails or is late, the
 * earlier ones are the answer, since they were charged.
 */
export const gather = <A, Cursor>({
  ask,
  beganMillis,
  first,
  isSparse,
  itemsMax,
  pagesMax
}: Gathering<A, Cursor>): Effect.Effect<Gathered<A>, ProviderFailure> =>
  Effect.gen(function* () {
    const untilMillis = (beganMillis ?? (yield* Clock.currentTimeMillis)) + SEARCH_MILLIS_MAX
    const items: Array<A> = []
    let cursor: Cursor | null = first
    for (let page = 0; page < pagesMax && cursor !== null && items.length < itemsMax; page++) {
      const asked = ask(cursor, itemsMax - items.length)
      const answer: Page<A, Cursor> | null = page === 0 ? yield* asked : yield* laterPage(asked, page, untilMillis)
      if (answer === null) return { items, isMore: true }
      items.push(...answer.items)
      // Nothing follows an empty page, whatever its cursor says.
      cursor = answer.items.length === 0 && isSparse !== true ? null : answer.next
    }
    return { items: items.slice(0, itemsMax), isMore: cursor !== null || items.length > itemsMax }
  })
