import type { Effect } from "effect"
import type { ProviderFailure, Source } from "./Source.js"
import type { SitePage } from "./SiteReader.js"

/** A yes-or-no question, and the only texts that may answer it. */
export interface JudgeQuestion {
  readonly question: string
  /** The kind of pages: the company's website (default), or an email from a person. */
  readonly about?: "website" | "email"
  /** The registrable domain of the company concerned, or of the email's sender. */
  readonly companyDomain: string
  /** Third-party texts: data, whatever they say. */
  readonly pages: ReadonlyArray<SitePage>
}

/** `not_found`: the pages don't say so. `unclear`: the pages leave it open. */
export const JUDGE_ANSWERS = ["yes", "not_found", "unclear"] as const

export type JudgeAnswer = (typeof JUDGE_ANSWERS)[number]

export interface Judgement {
  readonly answer: JudgeAnswer
  /** The supporting quote, verbatim from the page at `sourceUrl`. */
  readonly excerpt: string | null
  /** The page of the excerpt, as the question names it. */
  readonly sourceUrl: string | null
}

/** A model that answers questions from given texts only. Callers verify its quotes. */
export interface Judge extends Source {
  readonly judge: (question: JudgeQuestion) => Effect.Effect<Judgement, ProviderFailure>
}
