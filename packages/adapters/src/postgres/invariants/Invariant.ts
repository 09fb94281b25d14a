/** A rule about the stored data. */
export interface Invariant {
  readonly name: string
  /** The rule in one sentence. */
  readonly rule: string
  /** Read-only. Returns one row (`workspace_id`, `breach`) per breach. */
  readonly sql: string
}

/** An invariant by its name, its rule in one sentence, and the query for its breaches. */
export const rule =
  (name: string, sentence: string) =>
  (sql: string): Invariant => ({ name, rule: sentence, sql })
