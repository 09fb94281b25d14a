import type { Effect } from "effect"
import type { ProviderFailure } from "./ProviderFailure.js"
import type { Source } from "./Source.js"

/** What speaks for a company's need right now. */
export type IntentSignalKind = "hiring" | "technology" | "funding" | "news" | "job_change"

export const NEWS_TYPES = [
  "funding",
  "product",
  "partnership",
  "customers",
  "expansion",
  "leadership",
  "layoffs",
  "acquisition",
  "challenges",
  "recognition",
  "other"
] as const

export type NewsType = (typeof NEWS_TYPES)[number]

/** One check of one company for one kind of signal. */
export interface IntentQuery {
  /** The registrable domain, lower-case ASCII. */
  readonly companyDomain: string
  readonly signal: IntentSignalKind
  /** The roles that are looked for. A hint, and only for hiring: what does not fit is left out by whoever asks. */
  readonly roles: ReadonlyArray<string>
  /** The most signals to return. */
  readonly limit: number
}

/** One signal as a source knows it. */
export interface FoundSignal {
  /** The company that it is about. */
  readonly companyDomain: string
  /** The title of the posting, the name of the technology, the headline; null where there is nothing to name. */
  readonly title: string | null
  /** In one sentence. */
  readonly summary: string
  /** When it was published or happened, else when the source first saw it; RFC 3339, or the date alone. */
  readonly observedAt: string
  readonly evidenceUrl: string | null
  /** Only of news; null where the source does not sort it. */
  readonly newsType: NewsType | null
}

/** Watches companies, for the kinds of signal that it serves. */
export interface IntentSource extends Source {
  readonly signals: ReadonlyArray<IntentSignalKind>
  /** What it knows of the company, the newest first, however old. Nothing is an answer. */
  readonly check: (query: IntentQuery) => Effect.Effect<ReadonlyArray<FoundSignal>, ProviderFailure>
}
