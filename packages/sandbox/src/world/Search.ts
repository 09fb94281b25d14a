import { INDUSTRIES } from "@outbound/domain/kernel/people/Industries.js"
import type { LeadPage, LeadQuery } from "@outbound/domain/sources/ports/LeadSource.js"
import { locate } from "./Locations.js"
import { fold } from "./Text.js"
import { personOf, type World } from "./World.js"

const WORD_LENGTH_MIN = 3
const WORDS_MAX = 40
const STOP_WORDS: ReadonlySet<string> = new Set([
  "and",
  "the",
  "for",
  "with",
  "who",
  "that",
  "are",
  "from",
  "their",
  "people",
  "companies",
  "company"
])

/** The words of the audience that could stand in a title or in the name of an industry. */
export const steeringWords = (audience: string): ReadonlyArray<string> =>
  [...new Set(fold(audience).split(/[^\p{L}\p{N}]+/u))]
    .filter((word) => word.length >= WORD_LENGTH_MIN && !STOP_WORDS.has(word))
    .slice(0, WORDS_MAX)
    .map((word) => (word.length > 4 && word.endsWith("s") ? word.slice(0, -1) : word))

/** How many of the words a text holds. */
export const overlap = (text: string, words: ReadonlyArray<string>): number => {
  const folded = fold(text)
  return words.reduce((count, word) => (folded.includes(word) ? count + 1 : count), 0)
}

/** 1 for each company that the query's own filters let through. */
const companiesMask = (world: World, query: LeadQuery): Uint8Array => {
  const industries = new Set(query.industries.map(fold))
  const domains = new Set(query.companyDomains.map((domain) => domain.toLowerCase()))
  const industryMask = INDUSTRIES.map((name) => industries.size === 0 || industries.has(fold(name)))
  return Uint8Array.from(world.companies, (company) =>
    industryMask[company.industry] === true &&
    (domains.size === 0 || domains.has(company.domain)) &&
    (query.headcountMin === null || company.headcount >= query.headcountMin) &&
    (query.headcountMax === null || company.headcount <= query.headcountMax)
      ? 1
      : 0
  )
}

/**
 * Everybody who passes all filters, those first whose title and industry share most words with the audience. The
 * order is total and does not depend on `limit`: a longer list begins with the shorter one.
 */
export const search = (world: World, query: LeadQuery): LeadPage => {
  const needles = query.titles.map((title) => title.normalize("NFKC").toLowerCase().trim())
  const titleMask = Uint8Array.from(world.titles, ({ text }) => {
    const lower = text.toLowerCase()
    return needles.length === 0 || needles.some((needle) => lower.includes(needle)) ? 1 : 0
  })
  const { mask: cityMask, places } = locate(query.locations, world.cities)
  const everywhere = query.locations.length === 0
  const companyMask = companiesMask(world, query)

  const words = steeringWords(query.audience)
  const titleScore = world.titles.map(({ text }) => overlap(text, words))
  const industryScore = INDUSTRIES.map((name) => overlap(name, words))

  const limit = Math.max(0, Math.floor(query.limit))
  const byScore: Array<Array<number>> = []
  let totalFound = 0
  for (const person of world.searchOrder) {
    const company = world.companyOf[person] ?? 0
    const title = world.titleOf[person] ?? 0
    if (companyMask[company] !== 1 || titleMask[title] !== 1) continue
    if (!everywhere && cityMask[world.cityOf[person] ?? 0] !== 1) continue
    totalFound++
    const score = (titleScore[title] ?? 0) + (industryScore[world.companies[company]?.industry ?? 0] ?? 0)
    const bucket = (byScore[score] ??= [])
    if (bucket.length < limit) bucket.push(person)
  }
  const people: Array<number> = []
  for (let score = byScore.length - 1; score >= 0 && people.length < limit; score--) {
    people.push(...(byScore[score] ?? []).slice(0, limit - people.length))
  }
  return { people: people.map((person) => personOf(world, person)), totalFound, places }
}
