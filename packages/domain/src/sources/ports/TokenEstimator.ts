import type { Effect } from "effect"

/** Counts text as a model reads it. Exact for the sandbox; of a real model, as near as its tokenizer is known. */
export interface TokenEstimator {
  /** How many tokens the texts come to. Takes any text, and no longer for strange ones than for ordinary ones. */
  readonly count: (texts: ReadonlyArray<string>) => Effect.Effect<number>
}
