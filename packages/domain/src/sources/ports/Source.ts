/** What every source declares of itself, for the order in which a route asks. Lower is better for all three. */
/** In which order the sources of one question are asked. */
export const ROUTES = ["balanced", "cheapest", "broadest", "fastest"] as const
export type Route = (typeof ROUTES)[number]

export interface Source {
  /** Stable name, in `snake_case`. */
  readonly name: string
  /** What one answer costs us, in micro-dollars. */
  readonly costMicros: number
  /** The share of requests that it finds nothing for, 0 to 1. */
  readonly missRate: number
  /** Its usual latency in milliseconds. */
  readonly latencyMillis: number
}
