interface Entry<A> {
  readonly value: A
  readonly untilMillis: number
}

/** What a vendor said of its own words, kept for a while: at most so many, the oldest of them first forgotten. */
export class Remembered<A> {
  readonly #entries = new Map<string, Entry<A>>()

  constructor(
    private readonly entriesMax: number,
    private readonly keptMillis: number
  ) {}

  get(key: string, nowMillis: number): A | undefined {
    const entry = this.#entries.get(key)
    return entry === undefined || entry.untilMillis <= nowMillis ? undefined : entry.value
  }

  set(key: string, value: A, nowMillis: number): void {
    this.#entries.delete(key)
    const oldest = this.#entries.keys().next()
    if (this.#entries.size >= this.entriesMax && oldest.done === false) this.#entries.delete(oldest.value)
    this.#entries.set(key, { value, untilMillis: nowMillis + this.keptMillis })
  }
}
