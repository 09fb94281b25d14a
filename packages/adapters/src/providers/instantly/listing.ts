import type { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import { Effect, Schema } from "effect"
import { maybe } from "../shape.js"
import type { VendorHttp, VendorRequest } from "../VendorHttp.js"

/** How many are on a page of it. */
export const PAGE = 100

interface Listing<A, I> {
  readonly item: Schema.Schema<A, I>
  /** What it lists, for a person to read. */
  readonly what: string
  readonly pagesMax: number
  /** What a page is asked for with. Null: it is the first. */
  readonly request: (after: string | null) => VendorRequest
  /** Whether what is on a page is all that is looked for. */
  readonly isEnough?: (items: ReadonlyArray<A>) => boolean
}

/**
 * All that it lists, page by page, or as far as it was looked for. A list that is not read to its end proves nothing of
 * what is not on it, and so there is none of it.
 */
export const listedBy = <A, I>(
  http: VendorHttp,
  { isEnough, item, pagesMax, request, what }: Listing<A, I>
): Effect.Effect<ReadonlyArray<A>, ProviderFailure> => {
  const Page = Schema.Struct({ items: Schema.Array(item), next_starting_after: maybe(Schema.String) })
  return Effect.gen(function* () {
    const found: Array<A> = []
    let after: string | null = null
    for (let page = 0; page < pagesMax; page += 1) {
      const { items, next_starting_after: next }: typeof Page.Type = yield* http.read(Page, request(after))
      found.push(...items)
      // A full page may be the last one, and name another all the same.
      if (items.length === 0 || next === null || isEnough?.(items) === true) return found
      after = next
    }
    return yield* Effect.fail(http.failed("transient", `it lists ${what} without an end`))
  })
}
