import type { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import type { ProviderSet } from "@outbound/domain/sources/ports/Providers.js"
import { Clock, type Context, Effect, Option } from "effect"
import type { SiteReader } from "@outbound/domain/sources/ports/SiteReader.js"
import type { Platform, PostSource } from "@outbound/domain/sources/ports/PostSource.js"
import type { BriefWriter } from "@outbound/domain/sources/ports/BriefWriter.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import type { LeadCriteria, LeadPage, LeadQuery, LeadSource } from "@outbound/domain/sources/ports/LeadSource.js"
import { sandboxCompanies, sandboxLocal } from "./SandboxCompanies.js"
import { sandboxCompanyBroad, sandboxCompanyIndex } from "./SandboxCompanyDatasets.js"
import { sandboxChatModels } from "./SandboxChat.js"
import { sandboxContactsBroad, sandboxContactsIndex, sandboxMobiles } from "./SandboxContacts.js"
import { sandboxJobs, sandboxWatch } from "./SandboxIntent.js"
import { sandboxJudge } from "./SandboxJudge.js"
import { makeSandboxSending } from "./SandboxSending.js"
import { sandboxProbe, sandboxProbeDeep } from "./SandboxVerifiers.js"
import { readSite } from "../world/Sites.js"
import { world } from "../world/World.js"
import { postsOfProfile, searchPosts } from "../world/Posts.js"
import { briefOf } from "../world/Briefs.js"
import { datasetsByDomain, magicDatasets } from "../world/CompanyDatasets.js"
import { search } from "../world/Search.js"

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
            Option.map(Option.fromNullable(datasetsByDomain(world(), companyDomain)), (known) => briefOf(known, depth))
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
  read: ({ companyDomain, pagesMax }) => Effect.sync(() => readSite(world(), companyDomain, pagesMax))
}

/** The providers of every sandbox workspace. Its personas answer through the inbox, unless `sending` does otherwise. */
export const providerSet = (
  inbound: Context.Tag.Service<typeof Inbound>,
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
