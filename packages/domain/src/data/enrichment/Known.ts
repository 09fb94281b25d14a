import { Option, Schema } from "effect"
import { Contact } from "../../verbs/fields.js"
import type { CachedContact } from "./EnrichmentCache.js"

const until = Schema.Number

/** Names of sources still at work when a paid lookup ended. */
const pending = Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] })

/** The cached knowledge about a person. The two lookups were paid for separately, and each expires on its own. */
const Known = Schema.Struct({
  lookup: Schema.NullOr(Schema.Struct({ contact: Contact, until, pending })),
  /** `phone` is null if the search found none, so that it isn't repeated. `contact` is masked. */
  mobile: Schema.NullOr(Schema.Struct({ phone: Schema.NullOr(Schema.String), contact: Contact, until }))
})
export type Known = typeof Known.Type

const json = Schema.parseJson(Known)
const decode = Schema.decodeOption(json)

export const encodeKnown: (known: Known) => string = Schema.encodeSync(json)

const alive = <Part extends { readonly until: number }>(part: Part | null, nowMillis: number): Part | null =>
  part !== null && nowMillis < part.until ? part : null

/** The unexpired part of a cache entry. */
export const knownAt = (nowMillis: number, cached: Option.Option<CachedContact>): Known => {
  const known = Option.getOrNull(Option.flatMap(cached, (entry) => decode(entry.contact)))
  return { lookup: alive(known?.lookup ?? null, nowMillis), mobile: alive(known?.mobile ?? null, nowMillis) }
}
