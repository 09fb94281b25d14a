import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { INDUSTRIES } from "@outbound/domain/kernel/people/Industries.js"
import type { Person } from "@outbound/domain/sources/ports/Person.js"
import { type Company, makeCompanies } from "./Companies.js"
import { NAME_POOLS } from "./Names.js"
import { COUNTRIES, type NamePool } from "./Places.js"
import { plain } from "./Text.js"
import { makeTitles, type Title, type Titles } from "./Titles.js"
import { hash, share } from "./Hash.js"

/** The seed of the world that every sandbox workspace lives in. */
export const WORLD_SEED = 20_260_107

export interface PlacedCity {
  readonly name: string
  readonly state: string | null
  readonly country: string
}

/**
 * About 40,000 people at 4,000 companies that don't exist. A person is an index; what is known of them stands in
 * columns of small integers, and the texts are put together when somebody asks.
 */
export interface World {
  readonly seed: number
  readonly companies: ReadonlyArray<Company>
  readonly companyByDomain: ReadonlyMap<string, Company>
  readonly titles: ReadonlyArray<Title>
  readonly cities: ReadonlyArray<PlacedCity>
  readonly firstNames: ReadonlyArray<string>
  readonly lastNames: ReadonlyArray<string>
  readonly peopleCount: number
  readonly companyOf: Uint16Array
  readonly firstNameOf: Uint16Array
  readonly lastNameOf: Uint16Array
  readonly titleOf: Uint16Array
  readonly cityOf: Uint16Array
  /** Tells apart people whose address would be the same: 0, then 2, 3, … */
  readonly addressNumberOf: Uint8Array
  /** Everybody once, in the order in which a search meets them. */
  readonly searchOrder: Uint32Array
}

const What = {
  pool: 0x21,
  first: 0x22,
  last: 0x23,
  away: 0x24,
  awayCity: 0x25,
  abroad: 0x26,
  shuffle: 0x27,
  observed: 0x28
} as const

const POOLS = Object.keys(NAME_POOLS) as ReadonlyArray<NamePool>
const NAME_TRIES_MAX = 40
const LIVES_ELSEWHERE_SHARE = 0.14
const LIVES_ABROAD_SHARE = 0.03
const FOREIGN_NAME_SHARE = 0.22

interface Range {
  readonly start: number
  readonly count: number
}

/** Joins the lists of all pools into one, and says where each pool lies in it. */
const flatten = (
  part: "first" | "last"
): { readonly names: ReadonlyArray<string>; readonly ranges: ReadonlyArray<Range> } => {
  const names: Array<string> = []
  const ranges = POOLS.map((pool) => {
    const range = { start: names.length, count: NAME_POOLS[pool][part].length }
    names.push(...NAME_POOLS[pool][part])
    return range
  })
  return { names, ranges }
}

const localPart = (pattern: Company["emailPattern"], first: string, last: string): string => {
  switch (pattern) {
    case "first.last":
      return `${first}.${last}`
    case "flast":
      return first.slice(0, 1) + last
    case "first":
      return first
    case "first_last":
      return `${first}_${last}`
    case "firstl":
      return first + last.slice(0, 1)
    case "last.first":
      return `${last}.${first}`
  }
}

const numbered = (local: string, number: number): string => (number === 0 ? local : `${local}${number}`)

/** The same seed gives the same world, on every machine. */
export const buildWorld = (seed: number): World => {
  const companies = makeCompanies(seed)
  const titles: Titles = makeTitles()
  const cities: Array<PlacedCity> = []
  const firstCityOf = COUNTRIES.map((country) => {
    const start = cities.length
    for (const { name, state } of country.cities) cities.push({ name, state, country: country.name })
    return start
  })
  const firsts = flatten("first")
  const lasts = flatten("last")
  const plainFirsts = firsts.names.map(plain)
  const plainLasts = lasts.names.map(plain)
  const peopleCount = companies.reduce((count, company) => count + company.peopleCount, 0)
  const companyOf = new Uint16Array(peopleCount)
  const firstNameOf = new Uint16Array(peopleCount)
  const lastNameOf = new Uint16Array(peopleCount)
  const titleOf = new Uint16Array(peopleCount)
  const cityOf = new Uint16Array(peopleCount)
  const addressNumberOf = new Uint8Array(peopleCount)

  const drawNames = (person: number, country: number, attempt: number): readonly [number, number] => {
    const poolDraw = hash(seed, What.pool, person)
    const home = POOLS.indexOf(COUNTRIES[country]?.pool ?? "english")
    const pool = share(poolDraw) < FOREIGN_NAME_SHARE ? poolDraw % POOLS.length : home
    const index = person + attempt * peopleCount
    const first = firsts.ranges[pool] ?? { start: 0, count: 1 }
    const last = lasts.ranges[pool] ?? { start: 0, count: 1 }
    return [
      first.start + (hash(seed, What.first, index) % first.count),
      last.start + (hash(seed, What.last, index) % last.count)
    ]
  }

  const drawCity = (person: number, company: Company): number => {
    const away = share(hash(seed, What.away, person))
    if (away >= LIVES_ELSEWHERE_SHARE) return (firstCityOf[company.country] ?? 0) + company.city
    const country = away < LIVES_ABROAD_SHARE ? hash(seed, What.abroad, person) % COUNTRIES.length : company.country
    return (firstCityOf[country] ?? 0) + (hash(seed, What.awayCity, person) % (COUNTRIES[country]?.cities.length ?? 1))
  }

  for (const company of companies) {
    const namesTaken = new Set<string>()
    const addressesTaken = new Set<string>()
    for (let place = 0; place < company.peopleCount; place++) {
      const person = company.firstPerson + place
      let [first, last] = drawNames(person, company.country, 0)
      for (let attempt = 1; attempt <= NAME_TRIES_MAX; attempt++) {
        const key = `${plainFirsts[first]} ${plainLasts[last]}`
        if (!namesTaken.has(key)) {
          namesTaken.add(key)
          break
        }
        ;[first, last] = drawNames(person, company.country, attempt)
      }
      const local = localPart(company.emailPattern, plainFirsts[first] ?? "", plainLasts[last] ?? "")
      let number = 0
      while (addressesTaken.has(numbered(local, number))) number = Math.max(2, number + 1)
      addressesTaken.add(numbered(local, number))
      companyOf[person] = company.index
      firstNameOf[person] = first
      lastNameOf[person] = last
      titleOf[person] = titles.draw(seed, person, place, company.headcount)
      cityOf[person] = drawCity(person, company)
      addressNumberOf[person] = number
    }
  }

  const searchOrder = Uint32Array.from({ length: peopleCount }, (_, person) => person)
  for (let i = peopleCount - 1; i > 0; i--) {
    const j = hash(seed, What.shuffle, i) % (i + 1)
    const other = searchOrder[j] ?? 0
    searchOrder[j] = searchOrder[i] ?? 0
    searchOrder[i] = other
  }

  return {
    seed,
    companies,
    companyByDomain: new Map(companies.map((company) => [company.domain, company])),
    titles: titles.all,
    cities,
    firstNames: firsts.names,
    lastNames: lasts.names,
    peopleCount,
    companyOf,
    firstNameOf,
    lastNameOf,
    titleOf,
    cityOf,
    addressNumberOf,
    searchOrder
  }
}

let built: World | undefined

/** The world of the sandbox, built when somebody first asks. */
export const world = (): World => (built ??= buildWorld(WORLD_SEED))

export const companyOf = (world: World, person: number): Company => {
  const company = world.companies[world.companyOf[person] ?? -1]
  if (company === undefined) throw new RangeError(`no person ${person} in this world`)
  return company
}

const firstNameOf = (world: World, person: number): string => world.firstNames[world.firstNameOf[person] ?? 0] ?? ""
const lastNameOf = (world: World, person: number): string => world.lastNames[world.lastNameOf[person] ?? 0] ?? ""

/** The address that the person has, or would have if they had one. Unique in the world. */
export const addressOf = (world: World, person: number): string => {
  const company = companyOf(world, person)
  const local = localPart(company.emailPattern, plain(firstNameOf(world, person)), plain(lastNameOf(world, person)))
  return `${numbered(local, world.addressNumberOf[person] ?? 0)}@${company.domain}`
}

const SLUG_MASK = 0xff_ffff
const SLUG_FACTOR = 0x5b_d1e9
const SLUG_SHIFT = 0x1f_2f3f

/** The inverse of an odd number modulo 2^24, by Newton's iteration. */
const inverse = (odd: number): number => {
  let x = odd
  for (let i = 0; i < 5; i++) x = Math.imul(x, 2 - Math.imul(odd, x)) & SLUG_MASK
  return x
}

/** The last part of a person's profile address. It holds their index, scrambled. */
export const slugOf = (world: World, person: number): string => {
  const code = ((Math.imul(person, SLUG_FACTOR) + SLUG_SHIFT) & SLUG_MASK).toString(36)
  return `${plain(firstNameOf(world, person))}-${plain(lastNameOf(world, person))}-${code}`
}

export const personBySlug = (world: World, slug: string): number | null => {
  const code = Number.parseInt(slug.slice(slug.lastIndexOf("-") + 1), 36)
  if (!Number.isSafeInteger(code) || code > SLUG_MASK) return null
  const person = Math.imul(code - SLUG_SHIFT, inverse(SLUG_FACTOR)) & SLUG_MASK
  return person < world.peopleCount && slugOf(world, person) === slug ? person : null
}

/** The day after the last one on which anything in the world was observed. */
const OBSERVED_UNTIL = Date.UTC(2026, 0, 7)
const OBSERVED_DAYS = 420

/** When a source saw something, fixed by the seed and not by the clock; RFC 3339. */
export const observedAt = (seed: number, key: number): string => {
  const drawn = share(hash(seed, What.observed, key))
  return new Date(OBSERVED_UNTIL - 1 - Math.floor(drawn * drawn * OBSERVED_DAYS * DAY_MILLIS)).toISOString()
}

export const SOCIAL_PREFIX = "https://social.example/in/"

/** Everything that a search reveals of a person. */
export const personOf = (world: World, person: number): Person => {
  const company = companyOf(world, person)
  const city = world.cities[world.cityOf[person] ?? 0]
  const firstName = firstNameOf(world, person)
  const lastName = lastNameOf(world, person)
  return {
    fullName: `${firstName} ${lastName}`,
    firstName,
    lastName,
    title: world.titles[world.titleOf[person] ?? 0]?.text ?? null,
    companyName: company.name,
    companyDomain: company.domain,
    companyHeadcount: company.headcount,
    companyIndustry: INDUSTRIES[company.industry] ?? null,
    city: city?.name ?? null,
    country: city?.country ?? null,
    socialUrl: SOCIAL_PREFIX + slugOf(world, person),
    observedAt: observedAt(world.seed, person)
  }
}
