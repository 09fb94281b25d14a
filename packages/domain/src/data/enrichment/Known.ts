import { Option, Schema } from "effect"
import { Contact } from "../../verbs/fields.js"
import type { CachedContact } from "./EnrichmentCache.js"

const until = Schema.Number

/** Sources of a lookup that was paid for, which were still at work when it ended, by their names. */
const pending = Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] })

/** What the cache keeps of a person. The two lookups were paid for apart, and each counts until its own end. */
const Known = Schema.Struct({
  lookup: Schema.NullOr(Schema.Struct({ contact: Contact, until, pending })),
  /** `phone` is null where the search found none: it is not repeated either. `contact` reveals nothing. */
  mobile: Schema.NullOr(Schema.Struct({ phone: Schema.NullOr(Schema.String), contact: Contact, until }))
})
export type Known = typeof Known.Type

const json = Schema.parseJson(Known)
const decode = Schema.decodeOption(json)

export const encodeKnown: (known: Known) => string = Schema.encodeSync(json)

const alive = <Part extends { readonly until: number }>(part: Part | null, nowMillis: number): Part | null =>
  part !== null && nowMillis < part.until ? part : null

/** What still counts of what the cache holds. */
export const knownAt = (nowMillis: number, cached: Option.Option<CachedContact>): Known => {
  const known = Option.getOrNull(Option.flatMap(cached, (entry) => decode(entry.contact)))
  return { lookup: alive(known?.lookup ?? null, nowMillis), mobile: alive(known?.mobile ?? null, nowMillis) }
}
