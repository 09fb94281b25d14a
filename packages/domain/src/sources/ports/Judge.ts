import type { Effect } from "effect"
import type { ProviderFailure } from "./ProviderFailure.js"
import type { SitePage } from "./SiteReader.js"
import type { Source } from "./Source.js"

/** A question that can be answered by yes, and all that the answer may come from. */
export interface JudgeQuestion {
  readonly question: string
  /** What the pages are: of a company's own website, where it is not said, or an e-mail that somebody wrote. */
  readonly about?: "website" | "email"
  /** The registrable domain of the company that is asked about, or that the e-mail's address is of. */
  readonly companyDomain: string
  /** Third parties' texts: data, whatever they say. */
  readonly pages: ReadonlyArray<SitePage>
}

/** `not_found`: the pages do not say so. `unclear`: they leave it open. */
export const JUDGE_ANSWERS = ["yes", "not_found", "unclear"] as const

export type JudgeAnswer = (typeof JUDGE_ANSWERS)[number]

export interface Judgement {
  readonly answer: JudgeAnswer
  /** What it rests on, word for word from the page at `sourceUrl`. */
  readonly excerpt: string | null
  /** The page that holds the excerpt, as the question names it. */
  readonly sourceUrl: string | null
}

/** A model that answers questions from given texts alone. Whoever asks checks what it quotes. */
export interface Judge extends Source {
  readonly judge: (question: JudgeQuestion) => Effect.Effect<Judgement, ProviderFailure>
}
