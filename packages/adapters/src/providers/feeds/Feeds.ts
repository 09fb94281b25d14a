import { type FoundSignal, NOWHERE } from "@outbound/domain/sources/ports/IntentSource.js"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { Clock, Effect } from "effect"
import type { Link } from "../../site/extract.js"
import { markupOf } from "../../site/markup.js"
import type { VisitedPage } from "../../site/WebVisitor.js"
import { plainText } from "../open/texts.js"
import { newsTypeOf } from "../open/newsType.js"
import { unreadableSite } from "../open/OpenHttp.js"
import { byDate } from "../signals.js"
import { declaredOf, defineVendor, NoSettings, type VendorFacts } from "../Vendor.js"
import { readFeed } from "./readFeed.js"

const FACTS = {
  name: "feeds",
  title: "Companies' own feeds",
  baseUrl: "",
  callsPerMinute: null,
  unit: "check",
  unitMicros: 0,
  serves: ["intent_source"],
  isOpen: true,
  terms: "each site's robots.txt (RFC 9309), which is obeyed",
  limits: [
    "Needs no account. Signals: news. Reads the RSS or Atom feed of the company's own site, under `web`'s settings.",
    "Entries without a date are left out, and a feed without an entry of the last two years tells nothing. The words of its headline say what an entry is about."
  ],
  known: "specification"
} as const satisfies VendorFacts

const FEED_TYPES = ["application/rss+xml", "application/atom+xml", "application/xml", "text/xml", "application/rdf+xml"]

/** Where feeds usually are, if no page names one. */
const USUAL = ["/feed", "/rss.xml", "/blog/feed"]
const PAGES_MAX = 3
const SUMMARY_CHARS_MAX = 300
/** With nothing newer than this, a feed is abandoned. */
const ABANDONED_MILLIS = 730 * DAY_MILLIS

/** The feeds that a page names, those of news before those of comments. */
const feedsOf = (at: URL, _links: ReadonlyArray<Link>, html: string): ReadonlyArray<URL> => {
  const named = markupOf(html).references.filter(
    ({ by, href, rel, type }) =>
      by === "head" &&
      /\balternate\b/.test(rel) &&
      /rss|atom/.test(type) &&
      !/comments/i.test(href) &&
      URL.canParse(href, at.href)
  )
  return named.length > 0 ? named.map(({ href }) => new URL(href, at)) : USUAL.map((path) => new URL(path, at))
}

const entriesIn = (companyDomain: string, { html, url }: VisitedPage): ReadonlyArray<FoundSignal> =>
  (readFeed(html)?.items ?? []).flatMap(({ description, link, pubDate, title }): ReadonlyArray<FoundSignal> => {
    const headline = plainText(title ?? null)
    if (headline === null || pubDate === undefined || Number.isNaN(pubDate.getTime())) return []
    const about = plainText(description ?? null)
    return [
      {
        companyDomain,
        title: headline,
        summary: about === null ? headline : `${headline}: ${about}`.slice(0, SUMMARY_CHARS_MAX),
        observedAt: pubDate.toISOString(),
        evidenceUrl: link !== undefined && URL.canParse(link, url) ? new URL(link, url).href : url,
        newsType: newsTypeOf(headline)
      }
    ]
  })

/** What companies tell of themselves in their feeds. */
export const feeds = defineVendor({
  ...FACTS,
  settings: NoSettings,
  make: (config, _settings, { web }) =>
    Effect.sync(() => ({
      sources: {
        intent_source: {
          ...declaredOf(config, FACTS.name, "intent_source", { costMicros: 0, missRate: 0.5, latencyMillis: 2_500 }),
          signals: ["news" as const],
          check: ({ companyDomain, limit }) =>
            Effect.gen(function* () {
              const visit = yield* web.visit({
                companyDomain,
                pagesMax: PAGES_MAX,
                choose: feedsOf,
                alsoTypes: FEED_TYPES
              })
              if (visit._tag === "Unreadable") {
                const failure = unreadableSite(FACTS.name, visit.reason)
                return failure === null ? NOWHERE : yield* Effect.fail(failure)
              }
              const entries = visit.pages.slice(1).flatMap((page) => entriesIn(companyDomain, page))
              const each = new Map(entries.map((one) => [one.evidenceUrl, one]))
              const newestFirst = byDate([...each.values()], limit)
              const [newest] = newestFirst
              const now = yield* Clock.currentTimeMillis
              // A feed without a dated entry, or that nobody writes any more, does not say that there is no news.
              return newest === undefined || Date.parse(newest.observedAt) < now - ABANDONED_MILLIS
                ? NOWHERE
                : newestFirst
            })
        }
      },
      account: Effect.succeed({ left: null, missing: [] })
    }))
})
