import type { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import type { ProviderSet } from "@outbound/domain/sources/ports/Providers.js"
import type { Context } from "effect"
import { sandboxBriefs } from "./SandboxBriefs.js"
import { sandboxCompanies, sandboxLocal } from "./SandboxCompanies.js"
import { sandboxCompanyBroad, sandboxCompanyIndex } from "./SandboxCompanyDatasets.js"
import { sandboxChatModels } from "./SandboxChat.js"
import { sandboxContactsBroad, sandboxContactsIndex, sandboxMobiles } from "./SandboxContacts.js"
import { sandboxJobs, sandboxWatch } from "./SandboxIntent.js"
import { sandboxJudge } from "./SandboxJudge.js"
import { sandboxLeads, sandboxPremiumLeads } from "./SandboxLeads.js"
import { sandboxPosts } from "./SandboxPosts.js"
import { makeSandboxSending } from "./SandboxSending.js"
import { sandboxSites } from "./SandboxSites.js"
import { sandboxProbe, sandboxProbeDeep } from "./SandboxVerifiers.js"

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
