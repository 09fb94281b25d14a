/** An index of a table that may be large. It is built while the hosts go on reading and writing. */
export interface LateIndex {
  readonly name: string
  /** `ON table (columns) WHERE …` */
  readonly definition: string
}

/**
 * One step of the schema. Forward-only: an applied migration is never edited. Hosts of the program before it run on: it
 * expands what they know. What they may still use is removed by a later migration, which says with `needs` who must be
 * gone by then. A test compares what each migration makes of the database with this rule.
 */
export interface Migration {
  /** Consecutive from 1. */
  readonly id: number
  readonly name: string
  /** Its purpose in one sentence. */
  readonly note: string
  /** Statements, run as one transaction. */
  readonly sql: string
  /** Built before the statements, outside a transaction. They may name only what earlier migrations made. */
  readonly indexes?: ReadonlyArray<LateIndex>
  /**
   * Run one by one before the statements, outside a transaction: what reads a large table while hosts go on. Each does
   * nothing if it was done before.
   */
  readonly before?: ReadonlyArray<string>
  /**
   * It contracts: a program must know this migration, an earlier one, to run on the database from here on. Absent: any
   * program that runs on the database before this one runs on it after.
   */
  readonly needs?: number
  /** Who waits while it runs, in a sentence, if it locks a table for longer than an instant. */
  readonly stalls?: string
}
