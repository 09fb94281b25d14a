import type { Effect } from "effect"

/** Counts text as a model reads it. Exact for the sandbox; for real models, as close as their tokenizer is known. */
export interface TokenEstimator {
  /** The number of tokens in the texts. Strange texts take no longer than ordinary ones. */
  readonly count: (texts: ReadonlyArray<string>) => Effect.Effect<number>
}
