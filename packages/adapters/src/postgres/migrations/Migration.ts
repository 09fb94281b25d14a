/** One step of the schema. Forward-only: an applied migration is never edited. */
export interface Migration {
  /** Consecutive from 1. */
  readonly id: number
  readonly name: string
  /** Its purpose in one sentence. */
  readonly note: string
  /** Statements, run as one transaction. */
  readonly sql: string
}
