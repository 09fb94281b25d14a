import type { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import type { ProviderSet } from "@outbound/domain/sources/ports/Providers.js"
import { Clock, Effect, Option } from "effect"
import type { SiteReader } from "@outbound/domain/sources/ports/SiteReader.js"
import type { Platform, PostSource } from "@outbound/domain/sources/ports/PostSource.js"
import type { BriefWriter } from "@outbound/domain/sources/ports/BriefWriter.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { LeadCriteria, LeadPage, LeadQuery, LeadSource } from "@outbound/domain/sources/ports/LeadSource.js"
import type { ContactEnricher, EnrichedContact, MobileFinder } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import type { EmailCheck, EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { sandboxCompanies, sandboxLocal } from "./SandboxCompanies.js"
import { sandboxCompanyBroad, sandboxCompanyIndex } from "./SandboxCompanyDatasets.js"
import { sandboxChatModels } from "./SandboxChat.js"
import { sandboxJobs, sandboxWatch } from "./SandboxIntent.js"
import { sandboxJudge } from "./SandboxJudge.js"
import { makeSandboxSending } from "./SandboxSending.js"
import { readPage } from "../world/CitedPages.js"
import { readSite } from "../world/Sites.js"
import { slugOf, world } from "../world/World.js"
import { postsOfProfile, searchPosts } from "../world/Posts.js"
import { briefOf } from "../world/Briefs.js"
import { datasetsByDomain, magicDatasets } from "../world/CompanyDatasets.js"
import { search } from "../world/Search.js"
import { checkStranger, type Contact, contactOf, identify, personByEmail, toEnriched } from "../world/Contacts.js"
import { MAGIC_DOMAIN, magicContact, magicOf, magicOfEmail, magicPerson, SLOW_MILLIS } from "../world/Magic.js"
import { hashText, share } from "../world/Hash.js"

/** The truth about an address, the same for every verifier. */
const check = (email: string): EmailCheck => {
  const theWorld = world()
  const domain = email.slice(email.lastIndexOf("@") + 1)
  const magic = magicOfEmail(email)
  if (magic !== null) return { status: magic.truth, isCatchAllDomain: magic.truth.startsWith("catch_all") }
  if (domain === MAGIC_DOMAIN) return { status: "invalid", isCatchAllDomain: false }
  const company = theWorld.companyByDomain.get(domain)
  if (company === undefined) return checkStranger(theWorld.seed, email, domain)
  const person = personByEmail(theWorld, email)
  if (person !== null) return { status: contactOf(theWorld, person).truth, isCatchAllDomain: company.isCatchAll }
  return { status: company.isCatchAll ? "catch_all_unknown" : "invalid", isCatchAllDomain: company.isCatchAll }
}

const verifier = (declared: Omit<EmailVerifier, "verify">, establishes: (email: string) => boolean): EmailVerifier => ({
  ...declared,
  // It knows the answer, so the effect is the outcome: no fiber needs to run for it.
  verify: (requested) => {
    const email = requested.trim().toLowerCase()
    const magic = magicOfEmail(email)
    if (magic?.finds === "unavailable") {
      return Effect.fail(new ProviderFailure({ provider: declared.name, reason: "transient" }))
    }
    const found = check(email)
    const checked = Effect.succeed<EmailCheck>(
      magic !== null || establishes(email) ? found : { ...found, status: "unknown" }
    )
    return magic?.slow === true ? Effect.delay(checked, SLOW_MILLIS) : checked
  }
})

const PROBE_SHARE = 0.88

/** The cheap one: for one address in eight it can't establish what is true. */
export const sandboxProbe: EmailVerifier = verifier(
  { name: "sandbox_probe", costMicros: 1_000, missRate: 0.15, latencyMillis: 60 },
  (email) => share(hashText(world().seed ^ 0x71, email)) < PROBE_SHARE
)

/** The thorough one: establishes what can be established at all. */
export const sandboxProbeDeep: EmailVerifier = verifier(
  { name: "sandbox_probe_deep", costMicros: 4_000, missRate: 0.05, latencyMillis: 250 },
  () => true
)

interface Known {
  /** Stable, one per person: decides which of the sources knows them. */
  readonly key: string
  readonly contact: Contact
  readonly enriched: EnrichedContact
}

const knownOf = (identity: PersonIdentity): Known | null => {
  const theWorld = world()
  const magic = magicOf(identity)
  if (magic !== null) {
    const contact = magicContact(theWorld.seed, magic)
    if (contact === null) return null
    const { mobile, workEmail, workEmailStatus, emailVerdict } = contact
    const mobilePhone = mobile?.comesWithEmail === true ? mobile.number : null
    const enriched = { ...magicPerson(theWorld.seed, magic), workEmail, workEmailStatus, emailVerdict, mobilePhone }
    return { key: magic.email, contact, enriched }
  }
  const person = identify(theWorld, identity)
  if (person === null) return null
  const contact = contactOf(theWorld, person)
  return { key: slugOf(theWorld, person), contact, enriched: toEnriched(theWorld, person, contact) }
}

const ask = <A>(
  source: string,
  identity: PersonIdentity,
  answer: (known: Known | null) => Option.Option<A>
): Effect.Effect<Option.Option<A>, ProviderFailure> =>
  Effect.suspend(() => {
    const magic = magicOf(identity)
    if (magic?.finds === "unavailable")
      return Effect.fail(new ProviderFailure({ provider: source, reason: "transient" }))
    const answered = Effect.sync(() => answer(knownOf(identity)))
    return magic?.slow === true ? Effect.delay(answered, SLOW_MILLIS) : answered
  })

const enricher = (declared: Omit<ContactEnricher, "lookup">, knows: (known: Known) => boolean): ContactEnricher => ({
  ...declared,
  lookup: (identity) =>
    ask(declared.name, identity, (known) =>
      known !== null && knows(known) ? Option.some(known.enriched) : Option.none()
    )
})

const INDEX_SHARE = 0.6

/** The cheap one: knows three in five of those who have an address, and of them all that the broad one knows. */
export const sandboxContactsIndex: ContactEnricher = enricher(
  { name: "sandbox_contacts_index", costMicros: 8_000, missRate: 0.5, latencyMillis: 40 },
  ({ contact, key }) => contact.workEmail !== null && share(hashText(world().seed ^ 0x61, key)) < INDEX_SHARE
)

/** The broad one: knows everybody, also those without an address. */
export const sandboxContactsBroad: ContactEnricher = enricher(
  { name: "sandbox_contacts_broad", costMicros: 24_000, missRate: 0.15, latencyMillis: 120 },
  () => true
)

/** Knows every mobile number there is. */
export const sandboxMobiles: MobileFinder = {
  name: "sandbox_mobiles",
  costMicros: 90_000,
  missRate: 0.6,
  latencyMillis: 200,
  find: (identity) => ask("sandbox_mobiles", identity, (known) => Option.fromNullishOr(known?.contact.mobile?.number))
}

/** An audience that holds it is one that the standard source finds only a part of (contract: surfaces, sandbox). */
const OFFER_MARK = "[[offer]]"

const needsPremium = ({ audience }: LeadCriteria): boolean => audience.includes(OFFER_MARK)

/** Those of whom the standard source knows: half of as many as are wanted. */
const partOf = (query: LeadQuery): LeadPage => {
  const page = search(world(), { ...query, limit: Math.floor(query.limit / 2) })
  return { ...page, totalFound: page.people.length }
}

/** Everybody of the sandbox's world, by structured filters. */
export const sandboxLeads: LeadSource = {
  name: "sandbox_leads",
  costMicros: 2_000,
  missRate: 0.05,
  latencyMillis: 20,
  search: (query) => Effect.sync(() => (needsPremium(query) ? partOf(query) : search(world(), query)))
}

const premium = (declared: Pick<LeadSource, "name" | "costMicros" | "missRate" | "latencyMillis">): LeadSource => ({
  ...declared,
  tier: "premium",
  serves: needsPremium,
  search: (query) => Effect.sync(() => search(world(), query))
})

/** Two dearer ones for the rest. Both know all of the same people. */
export const sandboxPremiumLeads: ReadonlyArray<LeadSource> = [
  premium({ name: "sandbox_leads_premium", costMicros: 20_000, missRate: 0.4, latencyMillis: 200 }),
  premium({ name: "sandbox_leads_premium_broad", costMicros: 60_000, missRate: 0.05, latencyMillis: 900 })
]

const NAME = "sandbox_briefs"

/** Writes about the companies of the sandbox's world. */
const sandboxBriefs: BriefWriter = {
  name: NAME,
  costMicros: 60_000,
  missRate: 0.1,
  latencyMillis: 900,
  depths: ["fast", "deep"],
  write: ({ companyDomain, depth }) =>
    Effect.suspend(() =>
      magicDatasets(companyDomain) === "unavailable"
        ? Effect.fail(new ProviderFailure({ provider: NAME, reason: "transient" }))
        : Effect.succeed(
            Option.map(Option.fromNullishOr(datasetsByDomain(world(), companyDomain)), (known) => briefOf(known, depth))
          )
    )
}

const source = (platform: Platform, declared: Omit<PostSource, "platform" | "search" | "ofProfile">): PostSource => ({
  ...declared,
  platform,
  search: (query) => Effect.map(Clock.currentTimeMillis, (now) => searchPosts(world(), platform, query, now)),
  ofProfile: (query) => Effect.map(Clock.currentTimeMillis, (now) => postsOfProfile(world(), platform, query, now))
})

/** What the people of the sandbox's world write, one source per platform. */
export const sandboxPosts: ReadonlyArray<PostSource> = [
  source("social", { name: "sandbox_posts_social", costMicros: 4_000, missRate: 0.1, latencyMillis: 80 }),
  source("x", { name: "sandbox_posts_x", costMicros: 3_000, missRate: 0.1, latencyMillis: 60 }),
  source("reddit", { name: "sandbox_posts_reddit", costMicros: 2_000, missRate: 0.2, latencyMillis: 70 }),
  source("youtube", { name: "sandbox_posts_youtube", costMicros: 2_000, missRate: 0.3, latencyMillis: 90 })
]

/** The websites of the sandbox's companies, and of the magic ones. */
const sandboxSites: SiteReader = {
  name: "sandbox_sites",
  costMicros: 100,
  missRate: 0.05,
  latencyMillis: 300,
  pages: ({ companyDomain, urls }) =>
    Effect.map(Clock.currentTimeMillis, (now) => urls.map((url) => readPage(world(), companyDomain, url, now))),
  read: ({ companyDomain, pagesMax }) => Effect.sync(() => readSite(world(), companyDomain, pagesMax))
}

/** The providers of every sandbox workspace. Its personas answer through the inbox, unless `sending` does otherwise. */
export const providerSet = (
  inbound: Inbound["Service"],
  sending: ProviderSet["sending"] = makeSandboxSending(inbound)
): ProviderSet => ({
  leadSources: [sandboxLeads, ...sandboxPremiumLeads],
  companySources: [sandboxCompanies, sandboxLocal],
  companyDatasetSources: [sandboxCompanyIndex, sandboxCompanyBroad],
  briefWriters: [sandboxBriefs],
  intentSources: [sandboxJobs, sandboxWatch],
  postSources: sandboxPosts,
  contactEnrichers: [sandboxContactsIndex, sandboxContactsBroad],
  mobileFinders: [sandboxMobiles],
  emailVerifiers: [sandboxProbe, sandboxProbeDeep],
  chatModels: sandboxChatModels,
  siteReaders: [sandboxSites],
  judges: [sandboxJudge],
  sending,
  followUps: []
})
