import type { RateWindow } from "@outbound/domain/calls/keys/RateWindow.js"

/** A rate window in its stored form. Settlements pass it on without parsing. */
export class StoredWindow implements RateWindow {
  #counts: ReadonlyArray<number> | undefined

  constructor(
    readonly second: number,
    /** The counts, comma-separated. */
    readonly text: string
  ) {}

  get counts(): ReadonlyArray<number> {
    this.#counts ??= this.text === "" ? [] : this.text.split(",").map(Number)
    return this.#counts
  }
}

export const storedCounts = (window: RateWindow): string =>
  window instanceof StoredWindow ? window.text : window.counts.join(",")
