import { INDUSTRIES } from "@outbound/domain/kernel/people/Industries.js"
import type { SitePage, SiteReading } from "@outbound/domain/sources/ports/SiteReader.js"
import { type Company, descriptionOf } from "./Companies.js"
import { COUNTRIES } from "./Places.js"
import type { World } from "./World.js"
import { hash, hashText, share } from "./Hash.js"

/** What each magic site comes to, whatever is asked. */
export const SITE_OUTCOMES = ["yes", "not-found", "unclear", "unreadable"] as const

export type SiteOutcome = (typeof SITE_OUTCOMES)[number]

const MAGIC_SITE = /^(yes|not-found|unclear|unreadable)-\d+\.test$/

/** What `yes-7.test` and its like come to; null for any other domain. */
export const siteOutcomeOf = (domain: string): SiteOutcome | null =>
  (MAGIC_SITE.exec(domain)?.[1] as SiteOutcome | undefined) ?? null

/** What a company may say of its offering, and which share of the companies does. */
const OFFERINGS: ReadonlyArray<readonly [path: "product" | "pricing" | "about", share: number, sentence: string]> = [
  ["product", 0.4, "There is a public API for developers, with documentation."],
  ["product", 0.5, "It integrates with the CRM that your team already uses."],
  ["product", 0.3, "A mobile app for iOS and Android comes with it."],
  ["product", 0.35, "Single sign-on is included for enterprise customers."],
  ["product", 0.45, "Customer support answers around the clock, by phone and chat."],
  ["product", 0.25, "On-premise installation is available on request."],
  ["pricing", 0.5, "You can start with a free trial of 14 days, without a credit card."],
  ["pricing", 0.55, "Prices are public and start at 49 euros per month."],
  ["pricing", 0.3, "Annual contracts get a discount of 20 percent."],
  ["pricing", 0.25, "There is a free plan for small teams."],
  ["about", 0.4, "We hold an ISO 27001 certification for information security."],
  ["about", 0.3, "We sell through partners and resellers in several countries."],
  ["about", 0.35, "We serve enterprise customers and small businesses alike."],
  ["about", 0.3, "We ship to customers worldwide."],
  ["about", 0.2, "We work with public authorities and the government."]
]

const What = { offering: 0x91, unreadable: 0x92 } as const

const UNREADABLE_SHARE = 0.05

const page = (domain: string, path: string, title: string, lines: ReadonlyArray<string>): SitePage => ({
  url: `https://${domain}/${path}`,
  title,
  text: lines.join("\n")
})

const offered = (world: World, company: Company, path: string): ReadonlyArray<string> =>
  OFFERINGS.flatMap(([where, shareOf, sentence], index) =>
    where === path && share(hash(world.seed, What.offering + index * 0x100, company.index)) < shareOf ? [sentence] : []
  )

const pagesOf = (world: World, company: Company): ReadonlyArray<SitePage> => {
  const trade = (INDUSTRIES[company.industry] ?? "").toLowerCase()
  const country = COUNTRIES[company.country]
  const city = country?.cities[company.city]?.name ?? ""
  const { domain, name } = company
  return [
    page(domain, "", name, [name, descriptionOf(company), `Everything about ${trade} from one hand.`]),
    page(domain, "product", `Product | ${name}`, [
      `What ${name} offers`,
      `Our offering is made for teams in ${trade}.`,
      ...offered(world, company, "product")
    ]),
    page(domain, "pricing", `Pricing | ${name}`, [
      "Pricing",
      "Talk to us about what you need.",
      ...offered(world, company, "pricing")
    ]),
    page(domain, "about", `About | ${name}`, [
      `About ${name}`,
      `We were founded in ${company.foundedYear} and our headquarters are in ${city}, ${country?.name ?? ""}.`,
      ...offered(world, company, "about")
    ])
  ]
}

const magicPages = (domain: string): ReadonlyArray<SitePage> => [
  page(domain, "", domain, [`Welcome to ${domain}.`, `Whatever you ask about ${domain}, this sentence is its answer.`]),
  page(domain, "about", `About | ${domain}`, [`${domain} exists in the sandbox alone.`])
]

/** What reading the website of a domain gives, the same on every machine. */
export const readSite = (world: World, domain: string, pagesMax: number): SiteReading => {
  const outcome = siteOutcomeOf(domain)
  if (outcome === "unreadable") return { _tag: "Unreadable", reason: "forbidden" }
  if (outcome !== null) return { _tag: "Read", pages: magicPages(domain).slice(0, pagesMax) }
  const company = world.companyByDomain.get(domain)
  if (company === undefined || share(hashText(world.seed ^ What.unreadable, domain)) < UNREADABLE_SHARE) {
    return { _tag: "Unreadable", reason: "unreachable" }
  }
  return { _tag: "Read", pages: pagesOf(world, company).slice(0, pagesMax) }
}
