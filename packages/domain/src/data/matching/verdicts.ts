import type { InterpretedPlace } from "../../sources/ports/LeadSource.js"

/** Whether a result matches a filter. Null: too little is known. */
export type Verdict = boolean | null

export const fold = (text: string): string => text.normalize("NFKC").toLowerCase().trim()

/** Whether the text contains any phrase, case-folded. No phrases: matches. */
export const containsAny = (phrases: ReadonlyArray<string>, text: string | null): Verdict => {
  if (phrases.length === 0) return true
  if (text === null) return null
  const folded = fold(text)
  return phrases.some((phrase) => folded.includes(fold(phrase)))
}

export const headcountFits = (
  bounds: { readonly headcountMin: number | null; readonly headcountMax: number | null },
  headcount: number | null
): Verdict => {
  if (bounds.headcountMin === null && bounds.headcountMax === null) return true
  if (headcount === null) return null
  return headcount >= (bounds.headcountMin ?? 1) && headcount <= (bounds.headcountMax ?? Number.MAX_SAFE_INTEGER)
}

/** Whether the name is in the list. An empty list matches. */
export const isOneOf = (names: ReadonlyArray<string>, name: string | null): Verdict =>
  names.length === 0 || (name === null ? null : names.includes(name))

export const placeFits = (
  locations: ReadonlyArray<string>,
  places: ReadonlyArray<InterpretedPlace>,
  at: { readonly city: string | null; readonly country: string | null }
): Verdict => {
  if (locations.length === 0) return true
  if (at.city === null && at.country === null) return null
  const interpreted = new Map(places.map((place) => [fold(place.requested), place]))
  const own = [at.city, at.country].flatMap((name) => (name === null ? [] : [fold(name)]))
  return locations.some((wanted) => {
    const place = interpreted.get(fold(wanted))
    // A region that the source interpreted itself is taken on trust.
    if (place !== undefined) return place.cities.length === 0 || place.cities.some((city) => own.includes(fold(city)))
    return own.some((name) => fold(wanted).includes(name) || name.includes(fold(wanted)))
  })
}

export interface MatchCounts {
  readonly status: "checked" | "partial" | "unchecked"
  readonly kept: number
  readonly withheld: number
  readonly not_checked: number
}

/** The wire form of a check's counts. `returned` includes those not checked. */
export const matchCounts = (returned: number, withheld: number, notChecked: number): MatchCounts => ({
  status: notChecked === 0 ? "checked" : notChecked === returned ? "unchecked" : "partial",
  kept: returned - notChecked,
  withheld,
  not_checked: notChecked
})
