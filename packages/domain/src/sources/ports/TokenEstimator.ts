import type { NowOrLater } from "../../kernel/NowOrLater.js"

/** Counts text as a model reads it. Exact for the sandbox; for real models, as close as their tokenizer is known. */
export interface TokenEstimator {
  /** The number of tokens in the texts. Long ones are counted later, piece by piece. Strange texts take no longer. */
  readonly count: (texts: ReadonlyArray<string>) => NowOrLater<number>
}
