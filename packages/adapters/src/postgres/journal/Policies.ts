import type { ApiKey } from "@outbound/domain/calls/keys/KeyStore.js"
import { POLICIES_MAX } from "./limits.js"
import { fromPolicy } from "./State.js"
import type { Row } from "./Statements.js"

/**
 * Decoded policies. Every batch reads each policy's version under lock and reuses only the decoding of a known version.
 * So the database's current policy always decides.
 */
export class Policies {
  readonly #known = new Map<string, { readonly version: string; readonly key: ApiKey }>()

  versionOf(keyId: string): string {
    return this.#known.get(keyId)?.version ?? ""
  }

  /** Returns the policies in the rows of `READ_KEYS`, by key. */
  decode(rows: ReadonlyArray<Row>): ReadonlyMap<string, ApiKey> {
    // Take known policies first: adding new ones may evict them.
    const keys = new Map<string, ApiKey>()
    for (const row of rows) {
      const known = this.#known.get(row[0] ?? "")
      if (known !== undefined && known.version === row[5]) keys.set(row[0] ?? "", known.key)
    }
    for (const row of rows) {
      const [keyId, version, policy] = [row[0], row[5], row[6]]
      if (keyId == null || version == null || policy == null) continue
      keys.set(keyId, this.#keep(keyId, version, fromPolicy(policy)))
    }
    return keys
  }

  #keep(keyId: string, version: string, key: ApiKey): ApiKey {
    this.#known.delete(keyId)
    this.#known.set(keyId, { version, key })
    if (this.#known.size > POLICIES_MAX) {
      const [oldest] = this.#known.keys()
      if (oldest !== undefined) this.#known.delete(oldest)
    }
    return key
  }
}
