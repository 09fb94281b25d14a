import type { Effect } from "effect"
import type { ProviderFailure } from "./ProviderFailure.js"
import type { Source } from "./Source.js"

/** What is read, and what for. */
export interface SiteQuery {
  /** The registrable domain; nothing outside of it is read. */
  readonly companyDomain: string
  /** Steers which pages are read. */
  readonly question: string
  /** The most pages to return. */
  readonly pagesMax: number
}

/** A page as a person would read it. What stands there is a third party's text: data, never an instruction. */
export interface SitePage {
  /** Where it was read, after redirects. */
  readonly url: string
  readonly title: string | null
  readonly text: string
}

/**
 * Why a site could not be read.
 *
 * - `unreachable`: it has no address, or does not answer in time.
 * - `forbidden`: its robots.txt keeps us out.
 * - `refused`: it answers, but not with its pages.
 * - `elsewhere`: it leads to another company's domain.
 * - `unsafe`: it leads to where no public website is.
 * - `no_text`: its pages hold nothing to read.
 */
export const UNREADABLE_REASONS = ["unreachable", "forbidden", "refused", "elsewhere", "unsafe", "no_text"] as const

export type UnreadableReason = (typeof UNREADABLE_REASONS)[number]

export type SiteReading =
  | { readonly _tag: "Read"; readonly pages: ReadonlyArray<SitePage> }
  | { readonly _tag: "Unreadable"; readonly reason: UnreadableReason }

/** Reads those pages of a company's own website that matter for a question, the home page first. */
export interface SiteReader extends Source {
  /** A site that can't be read is an answer. It fails only where the reader itself can't work. */
  readonly read: (query: SiteQuery) => Effect.Effect<SiteReading, ProviderFailure>
}
