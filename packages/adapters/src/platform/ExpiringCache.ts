/** What was learnt, each for a time, of so many things at most: what was learnt first is forgotten first. */
export class ExpiringCache<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly from: number; readonly until: number }>()

  /** `keptMillis`: for how long, where `set` does not say. */
  constructor(
    private readonly entriesMax: number,
    private readonly keptMillis = 0
  ) {}

  get(key: string, nowMillis: number): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    // An entry from the future was learnt before the clock was set back.
    if (nowMillis < entry.until && nowMillis >= entry.from) return entry.value
    this.#entries.delete(key)
    return undefined
  }

  set(key: string, value: V, nowMillis: number, keepMillis = this.keptMillis): void {
    this.#entries.delete(key)
    if (keepMillis <= 0) return
    if (this.#entries.size >= this.entriesMax) {
      const [first] = this.#entries.keys()
      if (first !== undefined) this.#entries.delete(first)
    }
    this.#entries.set(key, { value, from: nowMillis, until: nowMillis + keepMillis })
  }

  forget(key: string): void {
    this.#entries.delete(key)
  }
}
