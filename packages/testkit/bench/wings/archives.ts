import type { Effect, Redacted } from "effect"
import { archive } from "./archive/archive.js"

/** Moves what is older into a folder. */
type Archiving = (
  url: Redacted.Redacted,
  folder: string,
  kept: { readonly callMonths: number; readonly trailMonths: number | null },
  nowMillis: number
) => Effect.Effect<unknown, unknown>

/** What the bench of years archives with, a line each: one at most. */
export const ARCHIVING: ReadonlyArray<Archiving> = [archive]
