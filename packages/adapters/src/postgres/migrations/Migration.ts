/** One step of the schema. Forward-only: what was applied once is never edited. */
export interface Migration {
  /** Consecutive from 1. */
  readonly id: number
  readonly name: string
  /** What it is for, in one sentence. */
  readonly note: string
  /** Statements, run as one transaction. */
  readonly sql: string
}
