const HEADCOUNT_MAX = 10_000_000

/** The headcount range in the vendor's form; empty if not requested. */
export const headcountRange = (min: number | null, max: number | null): ReadonlyArray<string> =>
  min === null && max === null ? [] : [`${min ?? 1},${max ?? HEADCOUNT_MAX}`]
