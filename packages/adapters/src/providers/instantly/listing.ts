import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Schema } from "effect"
import { maybe } from "../shape.js"
import type { VendorHttp, VendorRequest } from "../VendorHttp.js"

/** The page size. */
export const PAGE = 100

interface Listing<A, I> {
  readonly item: Schema.Codec<A, I>
  /** What is listed, for people. */
  readonly what: string
  readonly pagesMax: number
  /** The request for a page. Null: the first. */
  readonly request: (after: string | null) => VendorRequest
  /** Whether these items are all we look for. */
  readonly isEnough?: (items: ReadonlyArray<A>) => boolean
}

/** Reads a list to its end or until there is enough. Else fails: a partial read proves nothing about absent items. */
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
      // The last page may be full and still name a next one.
      if (items.length === 0 || next === null || isEnough?.(items) === true) return found
      after = next
    }
    return yield* http.failed("transient", `it lists ${what} without an end`)
  })
}
