import type { Company } from "./Companies.js"
import { COUNTRIES } from "./Places.js"
import { technologiesOf } from "./Technologies.js"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { type World } from "./World.js"
import { hash, pick, share } from "./Hash.js"

export interface JobPosting {
  readonly title: string
  /** Published so many days before the day of the question: 0 is today, at midnight UTC. */
  readonly ageDays: number
  readonly text: string
  readonly confidence: "high" | "low"
  /** Stable: one per company and posting. */
  readonly key: number
}

/** No posting is older. */
export const POSTING_DAYS = 90
export const POSTINGS_MAX = 12

const What = { count: 0x91, title: 0x92, age: 0x93, work: 0x94, sure: 0x95 } as const

const LOW_CONFIDENCE_SHARE = 0.1

const WORK: ReadonlyArray<string> = [
  "You will build a new team",
  "You will own your numbers from the first day",
  "You will work with customers in several countries",
  "You will join a remote team",
  "You will take over a growing area",
  "You will work in a hybrid setting"
]

/** The most postings that a company of that size has at once. */
const openingsOf = (headcount: number): number =>
  headcount < 10 ? 1 : headcount <= 50 ? 3 : headcount <= 200 ? 6 : headcount <= 1000 ? 9 : POSTINGS_MAX

const titlesHired = new WeakMap<World, ReadonlyArray<string>>()

/** Chiefs are not found by a posting. */
const titlesOf = (world: World): ReadonlyArray<string> => {
  const known = titlesHired.get(world)
  if (known !== undefined) return known
  const titles = world.titles.filter(({ seniority }) => seniority !== "chief").map(({ text }) => text)
  titlesHired.set(world, titles)
  return titles
}

const draw = (world: World, company: Company, place: number): Omit<JobPosting, "text"> => {
  const key = company.index * POSTINGS_MAX + place
  return {
    title: pick(hash(world.seed, What.title, key), titlesOf(world)),
    ageDays: hash(world.seed, What.age, key) % POSTING_DAYS,
    confidence: share(hash(world.seed, What.sure, key)) < LOW_CONFIDENCE_SHARE ? "low" : "high",
    key
  }
}

const textOf = (world: World, company: Company, title: string, key: number): string => {
  const country = COUNTRIES[company.country]
  const city = country?.cities[company.city]?.name ?? ""
  const tools = technologiesOf(world.seed, company)
    .map(({ technology }) => technology.name)
    .slice(0, 6)
  const work = pick(hash(world.seed, What.work, key), WORK)
  const with_ = tools.length === 0 ? "" : ` Our tools: ${tools.join(", ")}.`
  return `${company.name} in ${city}, ${country?.name ?? ""}, is looking for a ${title}. ${work}.${with_}`
}

/** The postings that a company has open, those published last first. */
export const postingsOf = (
  world: World,
  company: Company,
  fits: (title: string, ageDays: number) => boolean = () => true
): ReadonlyArray<JobPosting> => {
  const count = Math.floor(
    share(hash(world.seed, What.count, company.index)) ** 1.3 * (openingsOf(company.headcount) + 1)
  )
  return Array.from({ length: count }, (_, place) => draw(world, company, place))
    .filter(({ ageDays, title }) => fits(title, ageDays))
    .map((posting) => ({ ...posting, text: textOf(world, company, posting.title, posting.key) }))
    .sort((a, b) => a.ageDays - b.ageDays || a.key - b.key)
}

/** When something of that age was published, for a question asked at that time; RFC 3339. */
export const publishedAt = (ageDays: number, nowMillis: number): string =>
  new Date((Math.floor(nowMillis / DAY_MILLIS) - ageDays) * DAY_MILLIS).toISOString()

/** How many a company published in the 30 days before the question. */
export const jobsLast30Days = (world: World, company: Company): number =>
  postingsOf(world, company, (_, ageDays) => ageDays < 30).length
