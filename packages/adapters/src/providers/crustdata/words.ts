import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { fold } from "@outbound/domain/data/matching/verdicts.js"
import { interpretIndustry } from "@outbound/domain/kernel/people/Industries.js"
import { INDUSTRY_ENTRIES } from "@outbound/domain/kernel/people/IndustryNames.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Effect, Schema } from "effect"
import { ExpiringCache } from "../../platform/ExpiringCache.js"
import type { VendorHttp } from "../VendorHttp.js"

const KEPT_MILLIS = DAY_MILLIS
const ENTRIES_MAX = 5_000
const SUGGESTIONS_MAX = 25

/** The most other names tried for an industry whose own name has no value. */
const OTHER_NAMES_MAX = 3

/** The most concurrent lookups. */
const AT_ONCE_MAX = 4

const Suggestions = Schema.Struct({ suggestions: Schema.Array(Schema.Struct({ value: Schema.String })) })

/**
 * The values that a filter accepts: a closed set. An unknown value finds nobody and raises no error, so each is looked
 * up first, which is free.
 */
export interface Words {
  /** Values of the field similar to the text. */
  readonly near: (field: string, text: string) => Effect.Effect<ReadonlyArray<string>, ProviderFailure>
}

export const makeWords = (http: VendorHttp, path: string): Words => {
  const cache = new ExpiringCache<ReadonlyArray<string>>(ENTRIES_MAX)
  return {
    near: (field, text) =>
      Effect.gen(function* () {
        const key = `${field} ${fold(text)}`
        const now = yield* Clock.currentTimeMillis
        const before = cache.get(key, now)
        if (before !== undefined) return before
        const { suggestions } = yield* http.ask(Suggestions, path, { field, query: text, limit: SUGGESTIONS_MAX })
        const values = suggestions.map(({ value }) => value)
        cache.set(key, values, now, KEPT_MILLIS)
        return values
      })
  }
}

/** Canonical industries and the vendor's values for them. */
export interface IndustryWords {
  readonly values: ReadonlyArray<string>
  readonly canonicalOf: (value: string) => string | null
}

/** The field's values for an industry: its own name, else its aliases. */
const valuesOf = (words: Words, field: string, industry: string) =>
  Effect.gen(function* () {
    const entry = INDUSTRY_ENTRIES.find(({ name }) => name === industry)
    for (const text of [industry, ...(entry?.aliases ?? []).slice(0, OTHER_NAMES_MAX)]) {
      const near = yield* words.near(field, text)
      const same = near.filter((value) => fold(value) === fold(text))
      const meant = near.filter((value) => interpretIndustry(value).industries.includes(industry))
      const values = same.length > 0 ? same : meant
      if (values.length > 0) return values
    }
    return []
  })

export const industryWords = (
  words: Words,
  field: string,
  industries: ReadonlyArray<string>
): Effect.Effect<IndustryWords, ProviderFailure> =>
  Effect.map(
    Effect.forEach(
      industries,
      (industry) => Effect.map(valuesOf(words, field, industry), (values) => ({ industry, values })),
      { concurrency: AT_ONCE_MAX }
    ),
    (found) => {
      const canonical = new Map(found.flatMap(({ industry, values }) => values.map((value) => [fold(value), industry])))
      return {
        values: [...new Set(found.flatMap(({ values }) => values))],
        canonicalOf: (value) => canonical.get(fold(value)) ?? null
      }
    }
  )
