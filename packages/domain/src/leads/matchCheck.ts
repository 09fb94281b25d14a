import type { InterpretedPlace, LeadQuery } from "../ports/providers/LeadSource.js"
import type { Person } from "../ports/providers/Person.js"

/** Whether a person matches one filter: null where what is known of them does not say. */
type Verdict = boolean | null

const fold = (text: string): string => text.normalize("NFKC").toLowerCase().trim()

const titleMatches = (query: LeadQuery, person: Person): Verdict => {
  if (query.titles.length === 0) return true
  if (person.title === null) return null
  const title = fold(person.title)
  return query.titles.some((wanted) => title.includes(fold(wanted)))
}

const companyMatches = (query: LeadQuery, person: Person): Verdict =>
  query.companyDomains.length === 0 ||
  // A lead whose company can't be told is never one of the companies asked for (interface.md §4.2).
  (person.companyDomain !== null && query.companyDomains.includes(person.companyDomain))

const headcountMatches = (query: LeadQuery, person: Person): Verdict => {
  if (query.headcountMin === null && query.headcountMax === null) return true
  if (person.companyHeadcount === null) return null
  return (
    person.companyHeadcount >= (query.headcountMin ?? 1) &&
    person.companyHeadcount <= (query.headcountMax ?? Number.MAX_SAFE_INTEGER)
  )
}

const industryMatches = (query: LeadQuery, person: Person): Verdict => {
  if (query.industries.length === 0) return true
  return person.companyIndustry === null ? null : query.industries.includes(person.companyIndustry)
}

const placeMatches = (query: LeadQuery, places: ReadonlyArray<InterpretedPlace>, person: Person): Verdict => {
  if (query.locations.length === 0) return true
  if (person.city === null && person.country === null) return null
  const interpreted = new Map(places.map((place) => [fold(place.requested), place]))
  const own = [person.city, person.country].flatMap((name) => (name === null ? [] : [fold(name)]))
  return query.locations.some((wanted) => {
    const place = interpreted.get(fold(wanted))
    // What a source understands by a region that it names itself is its own to say.
    if (place !== undefined) return place.cities.length === 0 || place.cities.some((city) => own.includes(fold(city)))
    return own.some((name) => fold(wanted).includes(name) || name.includes(fold(wanted)))
  })
}

export interface MatchCheckResult {
  readonly kept: ReadonlyArray<Person>
  readonly counts: {
    readonly status: "checked" | "partial" | "unchecked"
    readonly kept: number
    readonly withheld: number
    readonly not_checked: number
  }
  /** Of the withheld, those whose title was the reason. */
  readonly titleWithheld: number
}

/**
 * Checks what a source returned against what was asked, and withholds what does not match: it is neither returned nor
 * charged. Who can't be checked is kept and counted.
 */
export const matchCheck = (
  query: LeadQuery,
  places: ReadonlyArray<InterpretedPlace>,
  people: ReadonlyArray<Person>
): MatchCheckResult => {
  const filtered =
    query.titles.length + query.locations.length + query.industries.length + query.companyDomains.length > 0 ||
    query.headcountMin !== null ||
    query.headcountMax !== null
  if (!filtered) {
    return {
      kept: people,
      counts: { status: "unchecked", kept: 0, withheld: 0, not_checked: people.length },
      titleWithheld: 0
    }
  }
  const kept: Array<Person> = []
  let notChecked = 0
  let withheld = 0
  let titleWithheld = 0
  for (const person of people) {
    const title = titleMatches(query, person)
    const verdicts = [
      title,
      companyMatches(query, person),
      headcountMatches(query, person),
      industryMatches(query, person),
      placeMatches(query, places, person)
    ]
    if (verdicts.includes(false)) {
      withheld += 1
      if (title === false) titleWithheld += 1
      continue
    }
    kept.push(person)
    if (verdicts.includes(null)) notChecked += 1
  }
  return {
    kept,
    counts: {
      status: notChecked === 0 ? "checked" : notChecked === kept.length ? "unchecked" : "partial",
      kept: kept.length - notChecked,
      withheld,
      not_checked: notChecked
    },
    titleWithheld
  }
}
