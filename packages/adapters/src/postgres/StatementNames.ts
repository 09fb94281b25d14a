/** Texts seen this often are named; a text built for one call never fills the map. */
const NAMED_AFTER_USES = 3
/** Most names in use. Every connection may hold a prepared statement for each. */
export const STATEMENT_NAMES_MAX = 512
/** Texts being counted that have no name yet. */
const TEXTS_COUNTED_MAX = 2048
/** Longer texts (large generated lists) are not worth preparing. */
const TEXT_LENGTH_MAX = 16_384

/**
 * Chooses which statement texts PostgreSQL prepares, and their names. A named statement is parsed and planned once per
 * connection instead of at every call. One instance serves one pool; all its maps are bounded.
 */
export class StatementNames {
  readonly #names = new Map<string, string>()
  readonly #uses = new Map<string, number>()
  #next = 0

  /** The name under which to send the text, or `undefined` to send it unnamed. */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text)
    if (name !== undefined || text.length > TEXT_LENGTH_MAX || this.#names.size >= STATEMENT_NAMES_MAX) return name
    const uses = (this.#uses.get(text) ?? 0) + 1
    this.#uses.delete(text)
    if (uses < NAMED_AFTER_USES) {
      this.#uses.set(text, uses)
      this.#evictOldestCount()
      return undefined
    }
    const fresh = `outbound_${(this.#next += 1)}`
    this.#names.set(text, fresh)
    return fresh
  }

  /** The server no longer accepts this statement (a column changed its type), so its next use gets a new name. */
  forget(text: string): void {
    this.#names.delete(text)
  }

  /** A text in use moves to the map's end, so the first one is the least recently used. */
  #evictOldestCount(): void {
    if (this.#uses.size <= TEXTS_COUNTED_MAX) return
    for (const oldest of this.#uses.keys()) {
      this.#uses.delete(oldest)
      return
    }
  }
}
