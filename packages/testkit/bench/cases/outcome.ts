/** What became of a case: it holds if nothing failed. */
export interface Outcome {
  readonly id: string
  readonly kind: string
  readonly failures: ReadonlyArray<string>
}
