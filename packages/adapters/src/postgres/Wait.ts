/** A column of times. */
export interface Wait {
  readonly table: string
  readonly column: string
  /** Which rows wait. */
  readonly only?: string
}
