import type { FoundSignal } from "@outbound/domain/sources/ports/IntentSource.js"

/** The newest signals, at most `limit`. */
export const byDate = (signals: ReadonlyArray<FoundSignal>, limit: number): ReadonlyArray<FoundSignal> =>
  [...signals].sort((a, b) => Date.parse(b.observedAt) - Date.parse(a.observedAt)).slice(0, limit)
