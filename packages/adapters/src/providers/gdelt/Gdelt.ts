import { fold } from "@outbound/domain/data/matching/verdicts.js"
import { parseRepaired } from "@outbound/domain/kernel/text.js"
import { type FoundSignal, NOWHERE } from "@outbound/domain/sources/ports/IntentSource.js"
import { Effect, Option, Schema } from "effect"
import { markupOf } from "../../site/markup.js"
import { namesOf } from "../open/names.js"
import { newsTypeOf } from "../open/newsType.js"
import { makeOpenHttp, type OpenAnswer } from "../open/OpenHttp.js"
import { listOf, maybeTexts } from "../shape.js"
import { byDate } from "../signals.js"
import type { Classified } from "../classify.js"
import { safely } from "../saying.js"
import { declaredOf, defineVendor, NoSettings, type VendorFacts } from "../Vendor.js"

const FACTS = {
  name: "gdelt",
  title: "GDELT",
  baseUrl: "https://api.gdeltproject.org/api/v2",
  callsPerMinute: 12,
  unit: "search",
  unitMicros: 0,
  serves: ["intent_source"],
  isOpen: true,
  terms: "free for any use with a reference to the GDELT Project (gdeltproject.org); one request in 5 seconds",
  limits: [
    "Needs no account. Signals: news and funding, of the last three months.",
    "It matches words, not companies: a story counts only if it names the company's domain and its headline the company's exact name.",
    "At most one request in 5 seconds, so it is asked after other sources."
  ],
  known: "documentation"
} as const satisfies VendorFacts

const RECORDS_MAX = 75
const REST_SECONDS = 5

const Articles = Schema.Struct({ articles: listOf(Schema.Struct(maybeTexts("url", "title", "seendate", "domain"))) })

/** Its errors are sentences, with any status. */
const classify = ({ status, text }: OpenAnswer): Classified | null => {
  if (status === 429 || /limit requests|too many requests/i.test(text.slice(0, 500))) {
    return { reason: "rate_limited", retryAfterSeconds: REST_SECONDS }
  }
  if (status >= 200 && status < 300 && !text.trimStart().startsWith("{") && text.trim() !== "") {
    return { reason: "transient", cause: `it says: ${safely(text.slice(0, 300))}` }
  }
  return null
}

/** `20261101T101500Z`. */
const SEEN = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/

const timeOf = (seen: string | null): string | null => {
  const [, year, month, day, hour, minute, second] = SEEN.exec(seen ?? "") ?? []
  return year === undefined ? null : `${year}-${month}-${day}T${hour}:${minute}:${second}Z`
}

const words = (text: string): string =>
  ` ${fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `

/** A name of few letters, or the domain itself, is in too many headlines, or in none. */
const NAME_CHARS_MIN = 4

/** Stories about companies in the world's news. */
export const gdelt = defineVendor({
  ...FACTS,
  settings: NoSettings,
  make: (config, _settings, { contact, web }) =>
    Effect.map(
      makeOpenHttp({ name: FACTS.name, contact, callsPerMinute: config.callsPerMinute, keepSeconds: 900, classify }),
      (http) => {
        const search = (companyDomain: string) =>
          Effect.gen(function* () {
            const query = new URLSearchParams({
              query: `"${companyDomain}"`,
              mode: "ArtList",
              format: "json",
              sort: "DateDesc",
              timespan: "3months",
              maxrecords: String(RECORDS_MAX)
            })
            const { status, text } = yield* http.get(`${config.baseUrl}/doc/doc?${query.toString()}`)
            if (status >= 400) return yield* Effect.fail(http.failed("transient", `status ${status}`))
            const read = yield* Effect.try({
              try: () => Schema.decodeUnknownOption(Articles)(text.trim() === "" ? {} : parseRepaired(text)),
              catch: () => http.failed("transient", "its answer is not JSON")
            })
            return Option.isSome(read)
              ? read.value.articles
              : yield* Effect.fail(http.failed("transient", "its answer is not as documented"))
          })
        return {
          sources: {
            intent_source: {
              ...declaredOf(config, FACTS.name, "intent_source", {
                costMicros: 0,
                missRate: 0.8,
                latencyMillis: 6_000
              }),
              signals: ["news" as const, "funding" as const],
              check: ({ companyDomain, limit, signal }) =>
                Effect.gen(function* () {
                  const visit = yield* web.visit({ companyDomain, pagesMax: 1, choose: () => [] })
                  const pages = visit._tag === "Visited" ? visit.pages.map(({ html }) => markupOf(html)) : []
                  const names = namesOf(companyDomain, pages).filter(
                    (name) => name.length >= NAME_CHARS_MIN && name !== companyDomain
                  )
                  // Without a name that a headline could have, no story could be proven.
                  if (names.length === 0) return NOWHERE
                  const articles = yield* search(companyDomain)
                  const signals = articles.flatMap(({ seendate, title, url }): ReadonlyArray<FoundSignal> => {
                    const observedAt = timeOf(seendate)
                    const headline = title?.replace(/\s+/g, " ").trim() ?? ""
                    const isNamed = names.some((name) => words(headline).includes(words(name)))
                    if (observedAt === null || url === null || !isNamed) return []
                    const newsType = newsTypeOf(headline)
                    if (signal === "funding" && newsType !== "funding") return []
                    return [
                      {
                        companyDomain,
                        title: headline,
                        summary: headline,
                        observedAt,
                        evidenceUrl: url,
                        newsType: signal === "news" ? newsType : null
                      }
                    ]
                  })
                  const each = new Map(signals.map((one) => [one.title, one]))
                  return byDate([...each.values()], limit)
                })
            }
          },
          account: Effect.succeed({ left: null, missing: [] })
        }
      }
    )
})
