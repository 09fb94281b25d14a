import type { NowOrLater } from "../../kernel/NowOrLater.js"

/** Counts text as a model reads it. Exact for the sandbox; for real models, as close as their tokenizer is known. */
export interface TokenEstimator {
  /** The number of tokens in the texts; long texts are counted piece by piece, and later. Strange texts take no longer than ordinary ones. */
  readonly count: (texts: ReadonlyArray<string>) => NowOrLater<number>
}
