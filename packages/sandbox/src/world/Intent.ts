import type {
  FoundSignal,
  IntentQuery,
  IntentSignalKind,
  NewsType
} from "@outbound/domain/sources/ports/IntentSource.js"
import type { Company } from "./Companies.js"
import { fundingOf } from "./Funding.js"
import { postingsOf, publishedAt } from "./Jobs.js"
import { technologiesOf } from "./Technologies.js"
import { observedAt, personOf, type World } from "./World.js"
import { hash, pick, share } from "./Hash.js"

const MAGIC_INTENT = /^(hiring|funding|news|job_change|quiet|unavailable)-(\d+)\.test$/

/** What every magic domain's name says of it. */
export interface MagicIntent {
  readonly outcome: IntentSignalKind | "quiet" | "unavailable"
  /** How many days ago its signal was published: 0 to 29. */
  readonly ageDays: number
}

const MAGIC_DAYS = 30

/** The magic of a domain such as `hiring-7.test`; null where it has none. */
export const magicIntentOf = (domain: string): MagicIntent | null => {
  const [, outcome, digits = ""] = MAGIC_INTENT.exec(domain) ?? []
  return outcome === undefined
    ? null
    : { outcome: outcome as MagicIntent["outcome"], ageDays: Number(digits.slice(-6)) % MAGIC_DAYS }
}

/** For this role a magic company always looks too when it is asked for roles. */
export const MAGIC_OTHER_TITLE = "Head Gardener"
export const MAGIC_TITLE = "Account Executive"

const magicSignals = (query: IntentQuery, magic: MagicIntent, nowMillis: number): ReadonlyArray<FoundSignal> => {
  if (magic.outcome !== query.signal) return []
  const { companyDomain, roles } = query
  const signal = (title: string, summary: string, newsType: NewsType | null = null): FoundSignal => ({
    companyDomain,
    title,
    summary,
    observedAt: publishedAt(magic.ageDays, nowMillis),
    evidenceUrl: `https://${companyDomain}/`,
    newsType
  })
  switch (magic.outcome) {
    case "hiring": {
      const [role] = roles
      const titles = role === undefined ? [MAGIC_TITLE] : [role.replaceAll('"', ""), MAGIC_OTHER_TITLE]
      return titles.map((title) => signal(title, `Hiring: ${title}`))
    }
    case "funding":
      return [signal("Series A", "Raised 5,000,000 USD in a Series A")]
    case "news":
      return [signal("A new office", "Opened an office in London", "expansion")]
    case "job_change":
      return [signal("VP of Sales", "A new VP of Sales has joined")]
    default:
      return []
  }
}

const NEWS: ReadonlyArray<readonly [type: NewsType, headline: string]> = [
  ["product", "launches a new product"],
  ["partnership", "announces a partnership"],
  ["customers", "wins a large customer"],
  ["expansion", "opens an office abroad"],
  ["leadership", "changes its board"],
  ["layoffs", "reduces its staff"],
  ["acquisition", "acquires a competitor"],
  ["challenges", "misses its targets"],
  ["recognition", "wins an award"],
  ["other", "moves to a new building"]
]

const What = { news: 0xe1, newsKind: 0xe2, newsAge: 0xe3, change: 0xe4, person: 0xe5, changeAge: 0xe6 } as const

const NEWS_ITEMS_MAX = 3
const NEWS_SHARE = 0.5
const NEWS_DAYS = 365
const CHANGE_SHARE = 0.3
const CHANGE_DAYS = 180
const NEWS_PREFIX = "https://news.example/"

const newsOf = (world: World, company: Company, nowMillis: number): ReadonlyArray<FoundSignal> =>
  Array.from({ length: NEWS_ITEMS_MAX }, (_, place) => company.index * NEWS_ITEMS_MAX + place)
    .filter((key) => share(hash(world.seed, What.news, key)) < NEWS_SHARE)
    .map((key) => {
      const [newsType, headline] = pick(hash(world.seed, What.newsKind, key), NEWS)
      return {
        companyDomain: company.domain,
        title: `${company.name} ${headline}`,
        summary: `${company.name} ${headline}.`,
        observedAt: publishedAt(hash(world.seed, What.newsAge, key) % NEWS_DAYS, nowMillis),
        evidenceUrl: `${NEWS_PREFIX}${company.domain}/${key}`,
        newsType
      }
    })

const PEOPLE_CONSIDERED = 5

const changesOf = (world: World, company: Company, nowMillis: number): ReadonlyArray<FoundSignal> => {
  const first = world.companyOf.indexOf(company.index)
  if (first < 0 || share(hash(world.seed, What.change, company.index)) >= CHANGE_SHARE) return []
  const drawn = first + (hash(world.seed, What.person, company.index) % PEOPLE_CONSIDERED)
  const { fullName, socialUrl, title } = personOf(world, world.companyOf[drawn] === company.index ? drawn : first)
  return [
    {
      companyDomain: company.domain,
      title,
      summary: `${fullName} has joined ${company.name} as ${title}`,
      observedAt: publishedAt(hash(world.seed, What.changeAge, company.index) % CHANGE_DAYS, nowMillis),
      evidenceUrl: socialUrl,
      newsType: null
    }
  ]
}

const roundsOf = (world: World, company: Company): ReadonlyArray<FoundSignal> => {
  const funding = fundingOf(world.seed, company)
  if (funding === null) return []
  const amount = `${funding.lastRoundUsd.toLocaleString("en-US")} USD`
  return [
    {
      companyDomain: company.domain,
      title: `Raised ${amount}`,
      summary: `${company.name} raised ${amount} in its last round`,
      observedAt: funding.lastRoundDate,
      evidenceUrl: `${NEWS_PREFIX}${company.domain}/funding`,
      newsType: null
    }
  ]
}

const jobsOf = (world: World, company: Company, nowMillis: number): ReadonlyArray<FoundSignal> =>
  postingsOf(world, company)
    .filter(({ confidence }) => confidence === "high")
    .map(({ ageDays, key, title }) => ({
      companyDomain: company.domain,
      title,
      summary: `Hiring: ${title}`,
      observedAt: publishedAt(ageDays, nowMillis),
      evidenceUrl: `https://jobs.example/${company.domain}/${key}`,
      newsType: null
    }))

const toolsOf = (world: World, company: Company): ReadonlyArray<FoundSignal> =>
  technologiesOf(world.seed, company)
    .filter(({ confidence }) => confidence === "high")
    .map(({ key, technology }) => ({
      companyDomain: company.domain,
      title: technology.name,
      summary: `Uses ${technology.name} (${technology.category})`,
      observedAt: observedAt(world.seed, key),
      evidenceUrl: `https://${company.domain}/`,
      newsType: null
    }))

const worldSignals = (
  world: World,
  company: Company,
  signal: IntentSignalKind,
  nowMillis: number
): ReadonlyArray<FoundSignal> => {
  switch (signal) {
    case "hiring":
      return jobsOf(world, company, nowMillis)
    case "technology":
      return toolsOf(world, company)
    case "funding":
      return roundsOf(world, company)
    case "news":
      return newsOf(world, company, nowMillis)
    case "job_change":
      return changesOf(world, company, nowMillis)
  }
}

/** What is known of a company by now, the newest first. Of a domain that is no company's nothing is. */
export const intentOf = (world: World, query: IntentQuery, nowMillis: number): ReadonlyArray<FoundSignal> => {
  const magic = magicIntentOf(query.companyDomain)
  const company = world.companyByDomain.get(query.companyDomain)
  const signals =
    magic !== null
      ? magicSignals(query, magic, nowMillis)
      : company === undefined
        ? []
        : worldSignals(world, company, query.signal, nowMillis)
  return signals
    .filter(({ observedAt }) => Date.parse(observedAt) <= nowMillis)
    .sort((a, b) => Date.parse(b.observedAt) - Date.parse(a.observedAt))
    .slice(0, query.limit)
}
