import { Context } from "effect"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"

export const HEALTH_STATES = ["good", "watch", "bad", "unknown"] as const
export type HealthState = (typeof HEALTH_STATES)[number]

/** Where mail of a domain was found at an organisation. */
export interface Placement {
  readonly inbox: number
  readonly junk: number
  /** It left, and was in no folder for long. */
  readonly missing: number
  readonly lookedAtMillis: number
}

/** What was measured of a domain's mail at one receiving organisation, beside what became of its messages to people. */
export interface Measured {
  readonly domain: string
  readonly organisation: string
  /** Who measured: a name for people. */
  readonly by: string
  /** `unknown`: it proves no state. */
  readonly state: HealthState
  /** What was found, for people to read. */
  readonly says: string
  readonly atMillis: number
  readonly placement: Placement | null
  /** What to do about it; null: nothing. */
  readonly advice: { readonly text: string; readonly effect: string } | null
}

/** What one measure knows of a workspace's mail now. */
export type Measure = (workspaceId: string, nowMillis: number) => FromStore<ReadonlyArray<Measured>>

/** What all measures know of a workspace's mail. Without any, nothing is measured. */
export class Measurements extends Context.Service<Measurements, Measure>()(
  "@outbound/domain/outreach/health/Measurements"
) {}
