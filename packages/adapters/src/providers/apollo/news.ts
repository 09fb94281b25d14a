import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { credibleTimestamp } from "@outbound/domain/data/people/Credible.js"
import type { FoundSignal, IntentSource, NewsType } from "@outbound/domain/sources/ports/IntentSource.js"
import { Clock, Effect, Schema } from "effect"
import { ExpiringCache } from "../../platform/ExpiringCache.js"
import { addressOf, listOf, maybeTexts } from "../shape.js"
import { setting } from "../../platform/setting.js"
import { byDate } from "../signals.js"
import { COMPANY_CREDITS, organizationOf } from "./enriched.js"
import type { VendorParts } from "../Vendor.js"
import { phoneSettings } from "./phones.js"

export const ApolloSettings = Schema.Struct({
  /** How long to cache the vendor's id of a company; a lookup costs a credit. */
  ids_kept_days: setting(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 90 })), 7),
  ...phoneSettings
})

export type ApolloSettings = typeof ApolloSettings.Type

/** Credits per page, and its size. */
const PAGE_CREDITS = 1
const ROWS_MAX = 25

const IDS_MAX = 5_000

const NewsPage = Schema.Struct({
  news_articles: Schema.Array(
    Schema.Struct({
      ...maybeTexts("url", "title", "snippet", "published_at"),
      event_categories: listOf(Schema.String)
    })
  )
})

type Article = (typeof NewsPage.Type)["news_articles"][number]

/** Its categories in our terms; all others are `other`. */
const NEWS_TYPE_OF: Readonly<Record<string, NewsType>> = {
  investment: "funding",
  contract: "customers",
  hires: "leadership",
  leaves: "leadership",
  launches: "product",
  partners_with: "partnership",
  expands: "expansion",
  acquires: "acquisition"
}

const newsTypeOf = (categories: ReadonlyArray<string>): NewsType | null =>
  categories.length === 0
    ? null
    : (categories.map((category) => NEWS_TYPE_OF[category]).find((type) => type !== undefined) ?? "other")

const signalOf = (article: Article, companyDomain: string): ReadonlyArray<FoundSignal> => {
  const { event_categories, published_at, snippet, title, url } = article
  const summary = title ?? snippet
  if (summary === null || published_at === null || credibleTimestamp(published_at) === null) return []
  return [
    {
      companyDomain,
      title,
      summary: snippet ?? summary,
      observedAt: published_at,
      evidenceUrl: addressOf(url),
      newsType: newsTypeOf(event_categories)
    }
  ]
}

export const makeNews = (parts: VendorParts<ApolloSettings>): IntentSource => {
  const { charged, declared, http, settings } = parts
  // Looking up the vendor's company id costs as much as the news.
  const ids = new ExpiringCache<string>(IDS_MAX)

  const idOf = (companyDomain: string) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const cachedId = ids.get(companyDomain, now)
      if (cachedId !== undefined) return cachedId
      const id = (yield* organizationOf(parts, companyDomain))?.id ?? null
      if (id !== null) ids.set(companyDomain, id, now, settings.ids_kept_days * DAY_MILLIS)
      return id
    })

  return {
    ...declared("intent_source", { units: PAGE_CREDITS + COMPANY_CREDITS, missRate: 0.5, latencyMillis: 2_000 }),
    signals: ["news"],
    check: ({ companyDomain, limit, signal }) =>
      Effect.gen(function* () {
        if (signal !== "news") return yield* http.failed("invalid", `it does not watch for ${signal}`)
        const id = yield* idOf(companyDomain)
        if (id === null) return []
        const query = { "organization_ids[]": [id], page: 1, per_page: Math.min(limit, ROWS_MAX) }
        const request = { path: "/news_articles/search", query }
        const { news_articles } = yield* charged(NewsPage, request, () => PAGE_CREDITS)
        return byDate(
          news_articles.flatMap((article) => signalOf(article, companyDomain)),
          limit
        )
      })
  }
}
