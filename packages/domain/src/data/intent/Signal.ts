import { credibleProse } from "../companies/credibleCompany.js"
import { credibleTimestamp, credibleUrl } from "../people/Credible.js"
import { registrableDomain } from "../../kernel/people/Domain.js"
import { type FoundSignal, type IntentSignalKind, NEWS_TYPES } from "../../sources/ports/IntentSource.js"
import { type IntentSignal, SIGNAL_TITLE_CHARS_MAX } from "../../verbs/FindIntent.js"
import { ageDays, isAhead } from "./Window.js"

const SUMMARY_CHARS_MAX = 500

/** Until this age an unjudged signal is a reason to write today. */
export const WHY_NOW_DAYS = 30

/** A source's signal, without implausible fields. */
export interface Signal extends FoundSignal {
  readonly kind: IntentSignalKind
  /** RFC 3339 UTC with milliseconds. */
  readonly observedAt: string
}

const credibleSignal =
  (companyDomain: string, kind: IntentSignalKind, nowMillis: number) =>
  (found: FoundSignal): ReadonlyArray<Signal> => {
    const title = credibleProse(found.title, SIGNAL_TITLE_CHARS_MAX)
    const summary = credibleProse(found.summary, SUMMARY_CHARS_MAX)
    const observedAt = credibleTimestamp(found.observedAt)
    if (summary === null || observedAt === null || isAhead(observedAt, nowMillis)) return []
    // Signals of another company don't answer the question.
    if (registrableDomain(found.companyDomain) !== companyDomain) return []
    const isSorted = found.newsType !== null && NEWS_TYPES.includes(found.newsType)
    return [
      {
        companyDomain,
        kind,
        title,
        summary,
        observedAt,
        evidenceUrl: credibleUrl(found.evidenceUrl),
        newsType: kind === "news" ? (isSorted ? found.newsType : "other") : null
      }
    ]
  }

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Newest first. Ties don't depend on which source was asked first. */
export const byRecency = (a: Signal, b: Signal): number =>
  compare(b.observedAt, a.observedAt) ||
  compare(a.companyDomain, b.companyDomain) ||
  compare(a.kind, b.kind) ||
  compare(a.summary, b.summary)

/** The plausible signals of an answer, each once, newest first; null if none is left. */
export const credibleSignals = (
  companyDomain: string,
  kind: IntentSignalKind,
  found: ReadonlyArray<FoundSignal>,
  nowMillis: number
): ReadonlyArray<Signal> | null => {
  const signals = found.flatMap(credibleSignal(companyDomain, kind, nowMillis))
  if (signals.length === 0 && found.length > 0) return null
  const keyOf = ({ evidenceUrl, observedAt, summary, title }: Signal) =>
    JSON.stringify([title, summary, observedAt, evidenceUrl])
  return [...new Map(signals.map((signal) => [keyOf(signal), signal])).values()].sort(byRecency)
}

/** A detection today doesn't date when a technology was adopted. */
export const isFresh = (signal: Signal, nowMillis: number): boolean =>
  signal.kind !== "technology" && ageDays(signal.observedAt, nowMillis) <= WHY_NOW_DAYS

/** The wire form, without a judgement. */
export const wireSignal = (signal: Signal): IntentSignal => ({
  company_domain: signal.companyDomain,
  signal: signal.kind,
  summary: signal.summary,
  observed_at: signal.observedAt,
  evidence_url: signal.evidenceUrl,
  ...(signal.title === null ? {} : { title: signal.title }),
  ...(signal.newsType === null ? {} : { news_type: signal.newsType })
})
