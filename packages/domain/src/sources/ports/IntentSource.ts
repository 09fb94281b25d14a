import type { Effect } from "effect"
import type { ProviderFailure, Source } from "./Source.js"

/** Signs that a company needs something now. */
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

/** A check of one company for one kind of signal. */
export interface IntentQuery {
  /** The registrable domain, lower-case ASCII. */
  readonly companyDomain: string
  readonly signal: IntentSignalKind
  /** The roles to look for. Only for hiring, and only a hint: the caller filters. */
  readonly roles: ReadonlyArray<string>
  readonly limit: number
}

export interface FoundSignal {
  /** The company concerned. */
  readonly companyDomain: string
  /** The title of the posting, name of the technology, or headline; null if nothing has a name. */
  readonly title: string | null
  /** One sentence. */
  readonly summary: string
  /** When it was published or happened, else when the source first saw it; RFC 3339, or a date. */
  readonly observedAt: string
  readonly evidenceUrl: string | null
  /** Only for news. Null: the source doesn't classify it. */
  readonly newsType: NewsType | null
}

/** The company has no place where such signals would stand: not the same as a place without any, and nothing to pay. */
export const NOWHERE = "nowhere"

/** The company's signals, newest first, of any age. An empty list is an answer. */
export type SignalsFound = ReadonlyArray<FoundSignal> | typeof NOWHERE

/** Finds signals about companies, of the kinds it serves. */
export interface IntentSource extends Source {
  readonly signals: ReadonlyArray<IntentSignalKind>
  readonly check: (query: IntentQuery) => Effect.Effect<SignalsFound, ProviderFailure>
}
