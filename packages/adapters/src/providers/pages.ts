import { endedWithin } from "@outbound/domain/kernel/inOwnFiber.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import { SOURCE_TIMEOUT_SECONDS } from "@outbound/domain/sources/Waterfall.js"
import { Clock, Effect } from "effect"

/**
 * How long a search goes on in all: a source that is waited for no longer has told nothing, also of pages that were paid
 * for. The last of that time is for a page that is under way: none is begun in it, as it would be paid for as well.
 */
export const SEARCH_MILLIS_MAX = (SOURCE_TIMEOUT_SECONDS - 2) * 1000
const LAST_PAGE_MILLIS = 2_000

export interface Page<A, Cursor> {
  readonly items: ReadonlyArray<A>
  /** What the next page is asked with; null: there is none. */
  readonly next: Cursor | null
}

export interface Gathered<A> {
  readonly items: ReadonlyArray<A>
  /** Whether there is, or may be, more than was asked for. */
  readonly isMore: boolean
}

interface Gathering<A, Cursor> {
  readonly first: Cursor
  readonly pagesMax: number
  /** How many are wanted. */
  readonly itemsMax: number
  /** `missing`: how many are wanted still. */
  readonly ask: (cursor: Cursor, missing: number) => Effect.Effect<Page<A, Cursor>, ProviderFailure>
  /** Set where items are what is left of a page: one without any need not be the last. */
  readonly isSparse?: true
  /** When the search began, where it asked for something else before: now, unless said. */
  readonly beganMillis?: number
}

/** A page after the first; null: it was not given, or not in time. */
const laterPage = <A>(ask: Effect.Effect<A, ProviderFailure>, page: number, untilMillis: number) =>
  Effect.gen(function* () {
    const leftMillis = untilMillis - (yield* Clock.currentTimeMillis)
    if (leftMillis < LAST_PAGE_MILLIS) return null
    const inTime = endedWithin(ask, leftMillis, () => ({ provider: null, reason: "late" }))
    return yield* Effect.catchAll(inTime, ({ provider, reason }) =>
      Effect.as(Effect.logWarning("a page was not given").pipe(Effect.annotateLogs({ provider, reason, page })), null)
    )
  })

/**
 * Asks for page after page until there is enough, no page is left, or `pagesMax` were asked for. Where a later page
 * fails, or does not come in time, what came before it is the answer: it was paid for.
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
      // A page without anything on it, whatever its cursor says, has nothing after it.
      cursor = answer.items.length === 0 && isSparse !== true ? null : answer.next
    }
    return { items: items.slice(0, itemsMax), isMore: cursor !== null || items.length > itemsMax }
  })
