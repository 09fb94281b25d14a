interface Placed<A> {
  readonly value: A
  /** Where it is among all; -1: no longer there. */
  place: number
}

/**
 * Values of which many come and go, in no order. Use it instead of a long-lived `Set`, whose former tables V8 links:
 * until a full collection they keep everything in memory that was in them (decision 0087).
 */
export class Bag<A> implements Iterable<A> {
  readonly #all: Array<Placed<A>> = []

  /** Returns what takes it out again. */
  add(value: A): () => void {
    const placed = { value, place: this.#all.length }
    this.#all.push(placed)
    return () => this.#remove(placed)
  }

  get size(): number {
    return this.#all.length
  }

  *[Symbol.iterator](): Iterator<A> {
    for (const { value } of this.#all) yield value
  }

  /** The last one takes its place. */
  #remove(placed: Placed<A>): void {
    const { place } = placed
    if (place < 0) return
    placed.place = -1
    const last = this.#all.pop()
    if (last === undefined || last === placed) return
    last.place = place
    this.#all[place] = last
  }
}
