import { spelled, type Spelled, type Spelling } from "./names.js"

/** How companies write the local parts of their people's addresses. */
export const PATTERNS = [
  "first.last",
  "flast",
  "firstlast",
  "f.last",
  "first_last",
  "first-last",
  "last.first",
  "lastfirst",
  "first",
  "firstl",
  "lastf",
  "last"
] as const

export type Pattern = (typeof PATTERNS)[number]

/** How usual each is among companies of which nothing is known, in our judgement of public lists of them. */
const USUAL: Readonly<Record<Pattern, number>> = {
  "first.last": 0.5,
  flast: 0.16,
  firstlast: 0.1,
  "f.last": 0.08,
  first_last: 0.03,
  "first-last": 0.02,
  "last.first": 0.02,
  lastfirst: 0.01,
  first: 0.1,
  firstl: 0.03,
  lastf: 0.02,
  last: 0.02
}

/**
 * Those that several people of a company may share: a mailbox of that name proves little. They are tried only where the
 * company is known to write so.
 */
const SHARED: ReadonlySet<Pattern> = new Set<Pattern>(["first", "firstl", "last", "lastf"])
/** Those with an initial. They are tried where nothing is known, but not where another pattern is. */
const SHORT: ReadonlySet<Pattern> = new Set<Pattern>(["flast", "f.last"])

const written = (pattern: Pattern, first: string, last: string): string => {
  const [f, l] = [first.slice(0, 1), last.slice(0, 1)]
  switch (pattern) {
    case "first.last":
      return `${first}.${last}`
    case "flast":
      return `${f}${last}`
    case "firstlast":
      return `${first}${last}`
    case "f.last":
      return `${f}.${last}`
    case "first_last":
      return `${first}_${last}`
    case "first-last":
      return `${first}-${last}`
    case "last.first":
      return `${last}.${first}`
    case "lastfirst":
      return `${last}${first}`
    case "first":
      return first
    case "firstl":
      return `${first}${l}`
    case "lastf":
      return `${last}${f}`
    case "last":
      return last
  }
}

/** Every spelling of a name by a pattern, with its weight. */
const spellings = (pattern: Pattern, { first, last }: Spelled): ReadonlyArray<Spelling> =>
  first.flatMap((one) =>
    last.map((other) => ({ text: written(pattern, one.text, other.text), weight: one.weight * other.weight }))
  )

export interface NamedAddress {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly fullName: string | null
  readonly email: string
}

const localOf = (email: string): string => email.slice(0, email.lastIndexOf("@"))

/** The patterns that a known person's address is written by. */
export const patternsOf = (person: NamedAddress): ReadonlyArray<Pattern> => {
  const name = spelled(person)
  if (name === null) return []
  const local = localOf(person.email)
  return PATTERNS.filter((pattern) => spellings(pattern, name).some(({ text }) => text === local))
}

/** How many known people of a company are written by each pattern. An address that fits two counts for the more usual. */
export const learnt = (people: ReadonlyArray<NamedAddress>): ReadonlyMap<Pattern, number> => {
  const counts = new Map<Pattern, number>()
  for (const email of new Set(people.map((person) => person.email))) {
    const person = people.find((one) => one.email === email)
    const [pattern] = person === undefined ? [] : patternsOf(person)
    if (pattern !== undefined) counts.set(pattern, (counts.get(pattern) ?? 0) + 1)
  }
  return counts
}

/** Published addresses tell the pattern where it can be seen without the name: two words of letters and a mark. */
const SEEN: ReadonlyArray<readonly [RegExp, Pattern]> = [
  [/^[a-z]{2,}\.[a-z]{2,}(?:-[a-z]+)?$/, "first.last"],
  [/^[a-z]\.[a-z]{3,}$/, "f.last"],
  [/^[a-z]{2,}_[a-z]{2,}$/, "first_last"]
]

/** Mailboxes of a job, which tell nothing of how people are written. */
const JOBS =
  /^(?:info|sales|support|press|presse|jobs|careers?|hello|contact|kontakt|office|admin|team|mail|service|legal|privacy|datenschutz|data|marketing|security|billing|accounts?|hr|no-?reply)(?:$|[._-])|[._-](?:team|office|info|support|sales|service|germany|france|uk|us|europe)$/

/** The pattern of an address of a person whose name is unknown; null: it can't be seen. */
export const seenPattern = (email: string): Pattern | null => {
  const local = localOf(email)
  if (JOBS.test(local)) return null
  return SEEN.find(([form]) => form.test(local))?.[1] ?? null
}

export interface Candidate {
  readonly email: string
  readonly pattern: Pattern
  /** How many known people are written so. */
  readonly support: number
}

/** One known person in so many is worth as much as all that is usual. */
const LEARNT_WEIGHT = 3

/**
 * Addresses that a person may have at a company, the likeliest first. `known`: patterns by the people who are written so.
 * `taken`: addresses that are others'.
 */
export const candidatesOf = (
  name: Spelled,
  companyDomain: string,
  known: ReadonlyMap<Pattern, number>,
  taken: ReadonlySet<string>,
  candidatesMax: number
): ReadonlyArray<Candidate> => {
  const total = [...known.values()].reduce((sum, count) => sum + count, 0)
  const allowed = (pattern: Pattern): boolean =>
    known.has(pattern) || !(SHARED.has(pattern) || (total > 0 && SHORT.has(pattern)))
  const best = new Map<string, Candidate & { readonly weight: number }>()
  for (const pattern of PATTERNS.filter(allowed)) {
    const support = known.get(pattern) ?? 0
    const likely = USUAL[pattern] + (total === 0 ? 0 : LEARNT_WEIGHT * support)
    for (const { text, weight } of spellings(pattern, name)) {
      const email = `${text}@${companyDomain}`
      const before = best.get(email)
      const scored = weight * likely
      if (taken.has(email) || (before !== undefined && before.weight >= scored)) continue
      best.set(email, { email, pattern, support, weight: scored })
    }
  }
  return [...best.values()]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, candidatesMax)
    .map(({ email, pattern, support }) => ({ email, pattern, support }))
}
