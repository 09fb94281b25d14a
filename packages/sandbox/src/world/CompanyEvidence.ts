import { INDUSTRIES } from "@outbound/domain/kernel/people/Industries.js"
import { titleFits } from "@outbound/domain/data/matching/titles.js"
import type { CompanyEvidence, CompanySearch, HiringSearch } from "@outbound/domain/sources/ports/CompanySource.js"
import { type Company, COMPANIES_COUNT } from "./Companies.js"
import { countryCodeOfCompany, placeOf } from "./CompanyFacts.js"
import { postingsOf, publishedAt } from "./Jobs.js"
import { magicPhrase } from "./MagicCompanies.js"
import { overlap, steeringWords } from "./Search.js"
import { profileOf, specialtiesOf } from "./Specialties.js"
import { technologiesNamed, technologiesOf } from "./Technologies.js"
import { observedAt, type World } from "./World.js"
import { hash, hashText, share } from "./Hash.js"

/** What speaks for a company; nothing where it does not match. */
export type Finder = (company: Company) => ReadonlyArray<CompanyEvidence>

const EVIDENCE_MAX = 5
const WHAT_FIT = 0xd1

const JOBS_PREFIX = "https://jobs.example/"

const hundredths = (score: number): number => Math.round(Math.min(1, Math.max(0, score)) * 100) / 100

/** As the service matches: contained, whatever the case. */
const holdsAny = (text: string, phrases: ReadonlyArray<string>): boolean => {
  const lower = text.toLowerCase()
  return phrases.length === 0 || phrases.some((phrase) => lower.includes(phrase.normalize("NFKC").toLowerCase().trim()))
}

const hiring = (world: World, wanted: HiringSearch, nowMillis: number): Finder => {
  const magic = magicPhrase(wanted.titles)
  if (magic !== null) {
    return (company) => [
      {
        signal: "hiring",
        subject: magic.phrase,
        text: null,
        summary: `Hiring: ${magic.phrase}`,
        evidenceUrl: `${JOBS_PREFIX}${company.domain}/magic`,
        observedAt: publishedAt(0, nowMillis),
        score: 1,
        confidence: "high"
      }
    ]
  }
  const isSought = titleFits(wanted.titles)
  return (company) =>
    postingsOf(world, company, (title, age) => age < wanted.postedWithinDays && isSought(title) === true)
      .filter(({ text }) => holdsAny(text, wanted.descriptionContains))
      .slice(0, EVIDENCE_MAX)
      .map(({ ageDays, confidence, key, text, title }) => ({
        signal: "hiring",
        subject: title,
        text,
        summary: `Hiring: ${title}`,
        evidenceUrl: `${JOBS_PREFIX}${company.domain}/${key}`,
        observedAt: publishedAt(ageDays, nowMillis),
        score: hundredths((confidence === "high" ? 1 : 0.45) - ageDays / 300),
        confidence
      }))
}

const technology = (world: World, wanted: ReadonlyArray<string>): Finder => {
  const magic = magicPhrase(wanted)
  if (magic !== null) {
    return (company) => [
      {
        signal: "technology",
        subject: magic.phrase,
        text: null,
        summary: `Uses ${magic.phrase}`,
        evidenceUrl: `https://${company.domain}/`,
        observedAt: observedAt(world.seed, company.index),
        score: 1,
        confidence: "high"
      }
    ]
  }
  const among = [...new Set(wanted.flatMap(technologiesNamed))]
  return (company) =>
    technologiesOf(world.seed, company, among)
      .slice(0, EVIDENCE_MAX)
      .map((used) => ({
        signal: "technology",
        subject: used.technology.name,
        text: null,
        summary: `Uses ${used.technology.name} (${used.technology.category})`,
        evidenceUrl: `https://${company.domain}/`,
        observedAt: observedAt(world.seed, used.key),
        score: used.score,
        confidence: used.confidence
      }))
}

/** Hiring and technologies together: a company needs something of both. */
const both =
  (finders: ReadonlyArray<Finder>): Finder =>
  (company) => {
    const found = finders.map((finder) => finder(company))
    return found.some((evidence) => evidence.length === 0) ? [] : found.flat()
  }

const fact = (
  world: World,
  company: Company,
  signal: "similar" | "firmographic",
  score: number,
  confidence: "high" | "low",
  why: string
): CompanyEvidence => {
  const { city, country } = placeOf(company)
  const industry = INDUSTRIES[company.industry] ?? ""
  return {
    signal,
    subject: industry,
    text: null,
    summary: `${why}: ${industry}, ${company.headcount} employees, ${city}, ${country}`,
    evidenceUrl: `https://${company.domain}/`,
    observedAt: observedAt(world.seed, company.index),
    score: hundredths(score),
    confidence
  }
}

const SIMILAR_SURE = 0.65
/** Headcounts that differ by this factor are not alike at all. */
const SIZE_FACTOR_MAX = 20

/** A domain that this world does not know looks like one of its companies, always the same. */
const seedCompany = (world: World, domain: string): Company | undefined =>
  world.companyByDomain.get(domain) ?? world.companies[hashText(world.seed, domain) % COMPANIES_COUNT]

const similar = (world: World, domain: string): Finder => {
  const like = seedCompany(world, domain)
  return (company) => {
    if (like === undefined || company.domain === domain || company.industry !== like.industry) return []
    const factor = Math.abs(Math.log(company.headcount / like.headcount)) / Math.log(SIZE_FACTOR_MAX)
    const country = countryCodeOfCompany(company) === countryCodeOfCompany(like) ? 0.15 : 0
    const score = 0.6 + 0.25 * Math.max(0, 1 - factor) + country
    return [fact(world, company, "similar", score, score >= SIMILAR_SURE ? "high" : "low", `Like ${domain}`)]
  }
}

const QUERY_SURE = 0.5
const QUERY_UNSURE = 0.3

const query = (world: World, text: string): Finder => {
  const words = steeringWords(text)
  return (company) => {
    const share = words.length === 0 ? 0 : overlap(profileOf(world.seed, company), words) / words.length
    if (share < QUERY_UNSURE) return []
    return [fact(world, company, "firmographic", share, share >= QUERY_SURE ? "high" : "low", "Fits the query")]
  }
}

const firmographic = (
  world: World,
  { excludeKeywords, keywords }: Extract<CompanySearch, { readonly kind: "firmographic" }>
): Finder => {
  const exclude = excludeKeywords.length > 0
  return (company) => {
    const profile = profileOf(world.seed, company)
    if (!holdsAny([profile, ...specialtiesOf(world.seed, company)].join("\n"), keywords)) return []
    if (exclude && holdsAny(profile, excludeKeywords)) return []
    const score = 0.8 + 0.2 * share(hash(world.seed, WHAT_FIT, company.index))
    return [fact(world, company, "firmographic", score, "high", "Fits the filters")]
  }
}

/** How companies of the world are found. Businesses around the corner are none of them. */
export const finderOf = (
  world: World,
  search: Exclude<CompanySearch, { readonly kind: "local" }>,
  nowMillis: number
): Finder => {
  switch (search.kind) {
    case "signals":
      return both([
        ...(search.hiring === null ? [] : [hiring(world, search.hiring, nowMillis)]),
        ...(search.technologies.length === 0 ? [] : [technology(world, search.technologies)])
      ])
    case "similar":
      return similar(world, search.companyDomain)
    case "query":
      return query(world, search.query)
    case "firmographic":
      return firmographic(world, search)
  }
}

/** How many companies a magic title or technology asks for, the fewest of both; null without one. */
export const magicTotal = (search: CompanySearch): number | null => {
  if (search.kind !== "signals") return null
  const counts = [magicPhrase(search.hiring?.titles ?? []), magicPhrase(search.technologies)].flatMap((magic) =>
    magic === null ? [] : [magic.count]
  )
  return counts.length === 0 ? null : Math.min(...counts)
}
