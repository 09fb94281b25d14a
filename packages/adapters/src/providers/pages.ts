import type { ProviderFailure } from "@outbound/domain/ports/providers/ProviderFailure.js"
import { Effect } from "effect"

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
}

/**
 * Asks for page after page until there is enough, no page is left, or `pagesMax` were asked for. Where a later page
 * fails, what came before it is the answer: it was paid for.
 */
export const gather = <A, Cursor>({
  ask,
  first,
  isSparse,
  itemsMax,
  pagesMax
}: Gathering<A, Cursor>): Effect.Effect<Gathered<A>, ProviderFailure> =>
  Effect.gen(function* () {
    const items: Array<A> = []
    let cursor: Cursor | null = first
    for (let page = 0; page < pagesMax && cursor !== null && items.length < itemsMax; page++) {
      const answer: Page<A, Cursor> | null =
        page === 0
          ? yield* ask(cursor, itemsMax)
          : yield* Effect.catchAll(ask(cursor, itemsMax - items.length), ({ provider, reason }) =>
              Effect.as(
                Effect.logWarning("a page was not given").pipe(Effect.annotateLogs({ provider, reason, page })),
                null
              )
            )
      if (answer === null) return { items, isMore: true }
      items.push(...answer.items)
      // A page without anything on it, whatever its cursor says, has nothing after it.
      cursor = answer.items.length === 0 && isSparse !== true ? null : answer.next
    }
    return { items: items.slice(0, itemsMax), isMore: cursor !== null || items.length > itemsMax }
  })
