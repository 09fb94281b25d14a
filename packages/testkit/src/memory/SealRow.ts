import type { TrailSeal } from "@outbound/domain/kernel/trail/seals.js"

/** A seal, and the events that it covers: by id, with the commitment to each one's person. */
export interface SealRow {
  readonly seal: TrailSeal
  readonly members: ReadonlyArray<{ readonly eventId: string; readonly person: string | null }>
}
