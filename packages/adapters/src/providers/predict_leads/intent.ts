import { credibleTimestamp } from "@outbound/domain/data/people/Credible.js"
import { registrableDomain } from "@outbound/domain/kernel/people/Domain.js"
import type { FoundSignal, IntentQuery, IntentSource, NewsType } from "@outbound/domain/sources/ports/IntentSource.js"
import { Effect, Schema } from "effect"
import { addressOf, maybeTexts } from "../shape.js"
import { byDate } from "../signals.js"
import { dateOf, FinancingEvent, type FinancingRow, roundOf } from "./funding.js"
import { CALL_CREDITS, type PredictLeadsSettings, type Row, rowsOf } from "./http.js"
import type { VendorParts } from "../Vendor.js"

/** Its news categories in our terms; all others are `other`. */
const NEWS_TYPE_OF: Readonly<Record<string, NewsType>> = {
  receives_financing: "funding",
  goes_public: "funding",
  launches: "product",
  is_developing: "product",
  integrates_with: "product",
  partners_with: "partnership",
  signs_new_client: "customers",
  expands_offices_in: "expansion",
  expands_offices_to: "expansion",
  expands_facilities: "expansion",
  opens_new_location: "expansion",
  increases_headcount_by: "expansion",
  hires: "leadership",
  promotes: "leadership",
  leaves: "leadership",
  retires_from: "leadership",
  decreases_headcount_by: "layoffs",
  closes_offices_in: "layoffs",
  acquires: "acquisition",
  merges_with: "acquisition",
  sells_assets_to: "acquisition",
  invests_into: "acquisition",
  invests_into_assets: "acquisition",
  has_issues_with: "challenges",
  files_suit_against: "challenges",
  receives_award: "recognition",
  recognized_as: "recognition"
}

const newsTypeOf = (category: string | null): NewsType | null =>
  category === null ? null : (NEWS_TYPE_OF[category] ?? "other")

const JobOpening = Schema.Struct(maybeTexts("title", "url", "first_seen_at"))

const NewsEvent = Schema.Struct(maybeTexts("summary", "category", "found_at", "effective_date"))

type Unsorted = Omit<FoundSignal, "companyDomain" | "newsType" | "observedAt"> & {
  readonly companyDomain?: string
  readonly newsType?: FoundSignal["newsType"]
  readonly observedAt: string | null
}

const hiring = ({ attributes: { first_seen_at, title, url } }: Row<typeof JobOpening.Type>): Unsorted | null =>
  title === null ? null : { title, summary: `Hiring: ${title}`, observedAt: first_seen_at, evidenceUrl: addressOf(url) }

const dollars = (amount: number): string => `$${new Intl.NumberFormat("en-US").format(amount)}`

const funding = (row: FinancingRow): Unsorted => {
  const { amount, amount_normalized, source_urls } = row.attributes
  const round = roundOf(row)
  const raised = amount_normalized === null ? amount : dollars(amount_normalized)
  return {
    title: round,
    summary: `Raised ${raised ?? "an amount that was not told"}${round === null ? "" : ` (${round})`}`,
    observedAt: dateOf(row),
    evidenceUrl: addressOf(source_urls[0] ?? null)
  }
}

/** An event has at most two companies. It is about the requested one if that is either. */
const aboutWhom = (row: Row<unknown>, companyDomain: string): string => {
  const named = [...row.related("company1"), ...row.related("company2")].flatMap(
    ({ domain }) => registrableDomain(domain ?? "") ?? []
  )
  return named.includes(companyDomain) ? companyDomain : (named[0] ?? companyDomain)
}

const news =
  (companyDomain: string) =>
  (row: Row<typeof NewsEvent.Type>): Unsorted | null => {
    const { category, effective_date, found_at, summary } = row.attributes
    const [article] = row.related("most_relevant_source")
    if (summary === null) return null
    return {
      companyDomain: aboutWhom(row, companyDomain),
      title: null,
      summary,
      // Planned events have a future date.
      observedAt: article?.published_at ?? found_at ?? effective_date,
      evidenceUrl: addressOf(article?.url ?? null),
      newsType: newsTypeOf(category)
    }
  }

/** The row order is undocumented. Reading at least this many makes it likelier to get the newest, at no extra cost. */
const ROWS_MIN = 100

export const makeIntent = (parts: VendorParts<PredictLeadsSettings>): IntentSource => {
  const rowsFor = (limit: number): number => Math.min(Math.max(limit, ROWS_MIN), parts.settings.rows_max)

  const ask = <A, I>(
    { companyDomain, limit }: IntentQuery,
    rows: string,
    attributes: Schema.Codec<A, I>,
    read: (row: Row<A>) => Unsorted | null
  ) =>
    Effect.map(rowsOf(parts, attributes, { companyDomain, rows, limit: rowsFor(limit) }), (found) => {
      const signals = found.map(read).flatMap((one): ReadonlyArray<FoundSignal> => {
        if (one === null || one.observedAt === null || credibleTimestamp(one.observedAt) === null) return []
        return [{ companyDomain, newsType: null, ...one, observedAt: one.observedAt }]
      })
      // Rows about another company are ignored.
      return byDate(
        signals.filter((signal) => signal.companyDomain === companyDomain),
        limit
      )
    })

  return {
    ...parts.declared("intent_source", { units: CALL_CREDITS, missRate: 0.35, latencyMillis: 1_000 }),
    signals: ["hiring", "funding", "news"],
    check: (query) => {
      switch (query.signal) {
        case "hiring":
          return ask(query, "job_openings", JobOpening, hiring)
        case "funding":
          return ask(query, "financing_events", FinancingEvent, funding)
        case "news":
          return ask(query, "news_events", NewsEvent, news(query.companyDomain))
        default:
          return Effect.fail(parts.http.failed("invalid", `it does not watch for ${query.signal}`))
      }
    }
  }
}
