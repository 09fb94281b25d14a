import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { fold } from "@outbound/domain/data/matching/verdicts.js"
import { Clock, Effect, Schema } from "effect"
import { ExpiringCache } from "../../platform/ExpiringCache.js"
import type { VendorHttp } from "../VendorHttp.js"
import type { TheirStackSettings } from "./settings.js"

const KEPT_MILLIS = DAY_MILLIS
const ENTRIES_MAX = 5_000
const LISTED_MAX = 25
const AT_ONCE_MAX = 4

const Catalogue = Schema.Struct({ data: Schema.Array(Schema.Struct({ name: Schema.String, slug: Schema.String })) })

const SIGNS: Readonly<Record<string, string>> = { "+": " plus ", "#": " sharp ", "&": " and " }

/** A name as a slug: "Google Analytics" is `google-analytics`, "C#" `c-sharp`. */
export const slugOf = (name: string): string =>
  fold(name)
    .replace(/[+#&]/g, (sign) => SIGNS[sign] ?? sign)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")

/** A requested technology and the vendor's name for it. */
export interface AskedTechnology {
  readonly name: string
  readonly slug: string
}

/**
 * Its technology names. An unknown slug finds nobody and raises no error, so each is looked up first. If the catalogue
 * doesn't answer or know the name, the name itself is tried.
 */
export const makeTechnologies = (http: VendorHttp, { catalogue_path, technology_slugs }: TheirStackSettings) => {
  const configured = new Map(Object.entries(technology_slugs).map(([name, slug]) => [fold(name), slug]))
  const cache = new ExpiringCache<string>(ENTRIES_MAX)

  const lookUp = (name: string) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const own = configured.get(fold(name)) ?? cache.get(fold(name), now)
      if (own !== undefined) return own
      if (catalogue_path === null) return slugOf(name)
      const listed = yield* http
        .get(Catalogue, catalogue_path, { q: name, keyword_type: "technology", limit: LISTED_MAX })
        .pipe(
          Effect.map(({ data }) => data),
          Effect.orElseSucceed(() => null)
        )
      const slug = listed?.find((one) => fold(one.name) === fold(name))?.slug ?? slugOf(name)
      if (listed !== null) cache.set(fold(name), slug, now, KEPT_MILLIS)
      return slug
    })

  return (names: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<AskedTechnology>> =>
    Effect.forEach(names, (name) => Effect.map(lookUp(name), (slug) => ({ name, slug })), {
      concurrency: AT_ONCE_MAX
    })
}

export type Technologies = ReturnType<typeof makeTechnologies>
