import type { Effect } from "effect"
import type { ProviderFailure, Source } from "./Source.js"

export interface SiteQuery {
  /** The registrable domain. Nothing outside it is read. */
  readonly companyDomain: string
  /** Guides the choice of pages. */
  readonly question: string
  readonly pagesMax: number
}

/** A page as people read it. Third-party text: data, never instructions. */
export interface SitePage {
  /** The final URL, after redirects. */
  readonly url: string
  readonly title: string | null
  readonly text: string
}

/**
 * Why a site could not be read.
 *
 * - `unreachable`: it has no address or doesn't answer in time.
 * - `forbidden`: its robots.txt excludes us.
 * - `refused`: it answers without its pages.
 * - `elsewhere`: it redirects to another company's domain.
 * - `unsafe`: it leads to an address that isn't public.
 * - `no_text`: its pages hold no text.
 */
export const UNREADABLE_REASONS = ["unreachable", "forbidden", "refused", "elsewhere", "unsafe", "no_text"] as const

export type UnreadableReason = (typeof UNREADABLE_REASONS)[number]

export type SiteReading =
  | { readonly _tag: "Read"; readonly pages: ReadonlyArray<SitePage> }
  | { readonly _tag: "Unreadable"; readonly reason: UnreadableReason }

/** A page that somebody named, with what it says of its own age. */
export interface DatedPage extends SitePage {
  /** When it says that it was published (ISO 8601); null: it doesn't say. */
  readonly publishedAt: string | null
}

export type PageReading =
  | { readonly _tag: "Read"; readonly page: DatedPage }
  | { readonly _tag: "Unreadable"; readonly reason: UnreadableReason }

export interface PagesQuery {
  /** The registrable domain of all of them. Nothing outside it is read. */
  readonly companyDomain: string
  readonly urls: ReadonlyArray<string>
}

/** Reads the pages of a company's website that matter for a question, home page first. */
export interface SiteReader extends Source {
  /** Reads just these pages, one after the other, and answers for each in their order. */
  readonly pages: (query: PagesQuery) => Effect.Effect<ReadonlyArray<PageReading>, ProviderFailure>
  /** An unreadable site is an answer. Fails only if the reader itself can't work. */
  readonly read: (query: SiteQuery) => Effect.Effect<SiteReading, ProviderFailure>
}
