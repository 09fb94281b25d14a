import type { OwnSources } from "./open/OwnSource.js"
import { makeProber } from "./prober/Prober.js"

/** A line each. Absent: this program does without it. */
export const OWN_SOURCES: OwnSources = { makeProber }
