/** What a source declares of itself, to order the sources. Lower is better for all three numbers. */
/** How to order the sources of a question. */
export const ROUTES = ["balanced", "cheapest", "broadest", "fastest"] as const
export type Route = (typeof ROUTES)[number]

export interface Source {
  /** Stable name, in `snake_case`. */
  readonly name: string
  /** The cost of one answer to us, in micro-dollars. */
  readonly costMicros: number
  /** The share of requests without a result, 0 to 1. */
  readonly missRate: number
  /** Its usual latency in milliseconds. */
  readonly latencyMillis: number
}
