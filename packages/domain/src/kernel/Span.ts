/** A time span that doesn't grow when the clock is set back. Times are clock milliseconds. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** How much of the span is left; 0 also if the clock was set back to before it began. */
export const leftOf = (span: Span | null | undefined, nowMillis: number): number =>
  span == null || nowMillis < span.from ? 0 : Math.max(0, span.until - nowMillis)
