import { INDUSTRIES } from "@outbound/domain/kernel/people/Industries.js"
import type {
  CompanyDatasets,
  CompanyFunding,
  CompanyProfile,
  CompanyRelationship,
  CompanyTechnology,
  FundingRound,
  RelationshipKind
} from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import type { Company } from "./Companies.js"
import { placeOf, socialUrl } from "./CompanyFacts.js"
import { fundingOf } from "./Funding.js"
import { technologiesOf } from "./Technologies.js"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { observedAt, type World } from "./World.js"
import { hash, hashText, pick, share } from "./Hash.js"
import { profileOf } from "./Specialties.js"

const What = { firstSeen: 0xc1, investor: 0xc2, related: 0xc3, kind: 0xc4, count: 0xc5 } as const

const DAYS_IN_USE_MAX = 2500
const RELATED_MAX = 5
const MONTHS_BETWEEN_ROUNDS = 18

const INVESTORS: ReadonlyArray<string> = [
  "Northgate Ventures",
  "Harbour Lane Capital",
  "Blue Quarry Partners",
  "Tall Pine Growth",
  "Meridian Seed",
  "Old Mill Capital",
  "Fourth Bridge",
  "Lantern Angels"
]

const KINDS: ReadonlyArray<RelationshipKind> = ["customer", "supplier", "partner", "competitor"]

/** Days as dates: what was seen on a day is known no closer. */
const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

const websiteOf = (domain: string): string => `https://${domain}/`

const profile = (world: World, company: Company): CompanyProfile => ({
  name: company.name,
  description: profileOf(world.seed, company),
  industry: INDUSTRIES[company.industry] ?? null,
  headcount: company.headcount,
  foundedYear: company.foundedYear,
  ...placeOf(company),
  socialUrl: socialUrl(company.domain),
  website: websiteOf(company.domain)
})

const technologies = (world: World, company: Company): ReadonlyArray<CompanyTechnology> =>
  technologiesOf(world.seed, company).map(({ key, technology }) => {
    const lastSeen = Date.parse(observedAt(world.seed, key))
    const inUse = hash(world.seed, What.firstSeen, key) % DAYS_IN_USE_MAX
    return {
      name: technology.name,
      category: technology.category,
      firstSeen: dayOf(lastSeen - inUse * DAY_MILLIS),
      lastSeen: dayOf(lastSeen)
    }
  })

const roundType = (amountUsd: number): string =>
  amountUsd < 2_000_000
    ? "Seed"
    : amountUsd < 15_000_000
      ? "Series A"
      : amountUsd < 60_000_000
        ? "Series B"
        : "Series C"

const investorsOf = (world: World, company: Company, round: number): ReadonlyArray<string> => {
  const drawn = hash(world.seed, What.investor, company.index * 2 + round)
  return [...new Set([pick(drawn, INVESTORS), pick(drawn >>> 8, INVESTORS)])]
}

/** The last round, and one before it where more has come in than that. */
const funding = (world: World, company: Company): CompanyFunding => {
  const known = fundingOf(world.seed, company)
  if (known === null) return { totalUsd: null, rounds: [] }
  const round = (date: string, amountUsd: number, index: number): FundingRound => ({
    date,
    type: roundType(amountUsd),
    amountUsd,
    investors: investorsOf(world, company, index)
  })
  const last = new Date(known.lastRoundDate)
  const before = Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - MONTHS_BETWEEN_ROUNDS, 15)
  const earlierUsd = known.totalUsd - known.lastRoundUsd
  return {
    totalUsd: known.totalUsd,
    rounds: [
      round(known.lastRoundDate, known.lastRoundUsd, 0),
      ...(earlierUsd > 0 ? [round(dayOf(before), earlierUsd, 1)] : [])
    ]
  }
}

const relationships = (world: World, company: Company): ReadonlyArray<CompanyRelationship> => {
  const count = hash(world.seed, What.count, company.index) % (RELATED_MAX + 1)
  return Array.from({ length: count }, (_, place) => company.index * RELATED_MAX + place).flatMap((key) => {
    const other = pick(hash(world.seed, What.related, key), world.companies)
    if (other.index === company.index) return []
    const kind = pick(hash(world.seed, What.kind, key), KINDS)
    return [
      {
        companyDomain: other.domain,
        kind,
        evidenceUrl: `${websiteOf(kind === "supplier" ? other.domain : company.domain)}news/${key % 1000}`,
        observedAt: observedAt(world.seed, key)
      }
    ]
  })
}

/** All that is known of a company; what is not known is empty. */
export const datasetsOf = (world: World, company: Company): CompanyDatasets => ({
  profile: profile(world, company),
  technologies: technologies(world, company),
  funding: funding(world, company),
  relationships: relationships(world, company)
})

const MAGIC = /^(hit|empty|unavailable)-\d+\.test$/

export type MagicDatasets = "hit" | "empty" | "unavailable"

/** What a domain such as `hit-12.test` stands for; null where it is no such domain. */
export const magicDatasets = (domain: string): MagicDatasets | null =>
  (MAGIC.exec(domain)?.[1] as MagicDatasets | undefined) ?? null

const examples = new WeakMap<World, ReadonlyArray<Company>>()

/** Companies of which everything is known. */
const examplesIn = (world: World): ReadonlyArray<Company> => {
  const known = examples.get(world)
  if (known !== undefined) return known
  const found = world.companies.filter(
    (company) =>
      fundingOf(world.seed, company) !== null &&
      technologies(world, company).length > 0 &&
      relationships(world, company).length > 0
  )
  examples.set(world, found)
  return found
}

/** What is known of the company with that domain; null for those that nobody knows. */
export const datasetsByDomain = (world: World, domain: string): CompanyDatasets | null => {
  if (magicDatasets(domain) === "hit") {
    const example = pick(hashText(world.seed, domain), examplesIn(world))
    return datasetsOf(world, { ...example, domain })
  }
  const company = world.companyByDomain.get(domain)
  return company === undefined ? null : datasetsOf(world, company)
}

/** Whether a source that knows only a part of the companies knows this one. Magic ones everybody knows. */
export const isWellKnown = (world: World, domain: string, knownShare: number): boolean =>
  magicDatasets(domain) !== null || share(hashText(world.seed ^ 0xd1, domain)) < knownShare
