import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { titleFits } from "@outbound/domain/data/matching/titles.js"
import { containsAny } from "@outbound/domain/data/matching/verdicts.js"
import type {
  CompanyEvidence,
  CompanyPage,
  CompanyQuery,
  CompanySource,
  FoundCompany,
  HiringSearch
} from "@outbound/domain/sources/ports/CompanySource.js"
import type { Source } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Effect } from "effect"
import { SEARCH_MILLIS_MAX } from "../pages.js"
import type { CompanyBoards } from "./CompanyBoards.js"
import type { Posting } from "./postings.js"

/** The most companies whose boards one search reads, and how many at once. */
const COMPANIES_MAX = 60
const AT_ONCE = 8
/** The most postings told of a company. */
const EVIDENCE_MAX = 3
/** No company is begun in the last part of a search. */
const LAST_MILLIS = 5_000
const TEXT_CHARS_MAX = 5_000

const NOBODY: CompanyPage = { companies: [], moreAvailable: null, places: [] }

const fits = ({ descriptionContains, postedWithinDays, titles }: HiringSearch, nowMillis: number) => {
  const isSought = titleFits(titles)
  return ({ publishedAt, text, title }: Posting): boolean =>
    isSought(title) === true &&
    (descriptionContains.length === 0 || containsAny(descriptionContains, text) === true) &&
    publishedAt !== null &&
    Date.parse(publishedAt) >= nowMillis - postedWithinDays * DAY_MILLIS
}

const evidenceOf = ({ publishedAt, text, title, url }: Posting): CompanyEvidence => ({
  signal: "hiring",
  subject: title,
  text: text === null ? null : text.slice(0, TEXT_CHARS_MAX),
  summary: `Hiring: ${title}`,
  evidenceUrl: url,
  observedAt: publishedAt ?? "",
  score: 1,
  confidence: "high"
})

const firmographic = (query: CompanyQuery): CompanyQuery => ({
  ...query,
  search: { kind: "firmographic", locations: [], keywords: [], excludeKeywords: [] },
  limit: COMPANIES_MAX,
  lowConfidenceLimit: 0
})

/** Companies of the workspace's own lists that hire, as their boards say. */
export const makeHiring = (declared: Source, boards: CompanyBoards, companies: CompanySource | null): CompanySource => {
  const hiringAt = (company: FoundCompany, search: HiringSearch, untilMillis: number) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (now > untilMillis - LAST_MILLIS) return null
      // One company whose board can't be read takes nothing from the others.
      const openings = yield* boards.openings(company.domain).pipe(
        Effect.timeoutOrElse({ duration: untilMillis - now, orElse: () => Effect.succeed(null) }),
        Effect.catch(() => Effect.succeed(null))
      )
      if (openings === null || openings.kind === "nowhere") return null
      const fitting = openings.postings
        .filter(fits(search, now))
        .sort((a, b) => (b.publishedAt ?? "").localeCompare(a.publishedAt ?? ""))
      return fitting.length === 0
        ? null
        : { ...company, evidence: fitting.slice(0, EVIDENCE_MAX).map(evidenceOf), jobsLast30Days: null }
    })

  return {
    ...declared,
    kinds: ["hiring"],
    search: (query) =>
      Effect.gen(function* () {
        const { search } = query
        if (companies === null || search.kind !== "signals" || search.hiring === null) return NOBODY
        const { hiring } = search
        const untilMillis = (yield* Clock.currentTimeMillis) + SEARCH_MILLIS_MAX
        const { companies: known } = yield* companies.search(firmographic(query))
        const found = yield* Effect.forEach(known, (company) => hiringAt(company, hiring, untilMillis), {
          concurrency: AT_ONCE
        })
        return {
          companies: found.flatMap((company) => company ?? []).slice(0, query.limit),
          moreAvailable: null,
          places: []
        }
      })
  }
}
