import { ADMISSION_WAIT_MILLIS, type KeyLocation } from "@outbound/domain/calls/CallJournal.js"
import type pg from "pg"
import { BATCH_ITEMS_MAX, CATALOGUE_KEYS_MAX } from "./limits.js"
import { textArray } from "./Literals.js"

interface Waiting {
  readonly found: (location: KeyLocation | undefined) => void
  readonly failed: (cause: unknown) => void
}

const LOOK_UP = `
  SELECT c.secret_hash, c.workspace_id::text, c.key_id::text, w.kind
  FROM key_catalogue c JOIN workspaces w ON w.workspace_id = c.workspace_id
  WHERE c.secret_hash = ANY($1::text[])`

/**
 * Maps a secret's hash to its workspace and key. These never change, so they are cached (least recently used go first).
 * What the key may do is read from the database every time. Hashes requested during a look-up share the next one.
 */
export class KeyCatalogue {
  readonly #known = new Map<string, KeyLocation>()
  #asked = new Map<string, Array<Waiting>>()
  #running = false

  constructor(private readonly pool: pg.Pool) {}

  /** Undefined: not cached. */
  remembered(hash: string): KeyLocation | undefined {
    const location = this.#known.get(hash)
    if (location !== undefined) {
      this.#known.delete(hash)
      this.#known.set(hash, location)
    }
    return location
  }

  /** Undefined: no such key. */
  async find(hash: string): Promise<KeyLocation | undefined> {
    const location = this.remembered(hash)
    if (location !== undefined) return location
    return new Promise((found, failed) => {
      const waiting = this.#asked.get(hash)
      if (waiting === undefined) this.#asked.set(hash, [{ found, failed }])
      else waiting.push({ found, failed })
      void this.#run()
    })
  }

  async #run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    while (this.#asked.size > 0) {
      const page = [...this.#asked].slice(0, BATCH_ITEMS_MAX)
      for (const [hash] of page) this.#asked.delete(hash)
      await this.#look(page)
    }
    this.#running = false
  }

  async #look(page: ReadonlyArray<readonly [string, ReadonlyArray<Waiting>]>): Promise<void> {
    try {
      const { rows } = await this.pool.query<{
        secret_hash: string
        workspace_id: string
        key_id: string
        kind: string
      }>(
        Object.assign(
          { text: LOOK_UP, values: [textArray(page.map(([hash]) => hash))] },
          { query_timeout: ADMISSION_WAIT_MILLIS }
        )
      )
      for (const row of rows) {
        const workspaceKind = row.kind === "live" ? "live" : "sandbox"
        this.#keep(row.secret_hash, { workspaceId: row.workspace_id, keyId: row.key_id, workspaceKind })
      }
      for (const [hash, waiting] of page) for (const { found } of waiting) found(this.#known.get(hash))
    } catch (cause) {
      for (const [, waiting] of page) for (const { failed } of waiting) failed(cause)
    }
  }

  #keep(hash: string, location: KeyLocation): void {
    this.#known.set(hash, location)
    if (this.#known.size <= CATALOGUE_KEYS_MAX) return
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}
