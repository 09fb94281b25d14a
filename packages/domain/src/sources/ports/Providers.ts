import { Context } from "effect"
import type { BriefWriter } from "./BriefWriter.js"
import type { ChatModel } from "./ChatUpstream.js"
import type { CompanyDatasetSource } from "./CompanyDatasetSource.js"
import type { CompanySource } from "./CompanySource.js"
import type { ContactEnricher, MobileFinder } from "./ContactEnricher.js"
import type { EmailVerifier } from "./EmailVerifier.js"
import type { IntentSource } from "./IntentSource.js"
import type { Judge } from "./Judge.js"
import type { LeadSource } from "./LeadSource.js"
import type { PostSource } from "./PostSource.js"
import type { OutboundScheduled, SendingCapacity } from "./SendingProvider.js"
import type { SiteReader } from "./SiteReader.js"
import type { VendorScheduled } from "./VendorScheduled.js"
import type { FollowUpSource } from "./FollowUpSource.js"

/** Sends from mailboxes that it provides: at the time that outbound says, or by a schedule that it was given. */
export type SendingProvider = OutboundScheduled | VendorScheduled

/** Where the provider sells mailboxes; null: it only sends from those that are there. */
export const capacityOf = (provider: SendingProvider): SendingCapacity | null =>
  provider.schedules === "outbound" ? provider : provider.capacity

/** The sources that serve one kind of workspace. An empty list: the verb is `tool_unavailable` there. */
export interface ProviderSet {
  readonly leadSources: ReadonlyArray<LeadSource>
  readonly companySources: ReadonlyArray<CompanySource>
  readonly companyDatasetSources: ReadonlyArray<CompanyDatasetSource>
  readonly briefWriters: ReadonlyArray<BriefWriter>
  readonly intentSources: ReadonlyArray<IntentSource>
  readonly postSources: ReadonlyArray<PostSource>
  readonly contactEnrichers: ReadonlyArray<ContactEnricher>
  readonly mobileFinders: ReadonlyArray<MobileFinder>
  readonly emailVerifiers: ReadonlyArray<EmailVerifier>
  /** The chat allowlist. */
  readonly chatModels: ReadonlyArray<ChatModel>
  readonly siteReaders: ReadonlyArray<SiteReader>
  readonly judges: ReadonlyArray<Judge>
  readonly sending: SendingProvider | null
  /** The sources whose answers may come after the call. */
  readonly followUps: ReadonlyArray<FollowUpSource>
}

export const noProviders: ProviderSet = {
  leadSources: [],
  companySources: [],
  companyDatasetSources: [],
  briefWriters: [],
  intentSources: [],
  postSources: [],
  contactEnrichers: [],
  mobileFinders: [],
  emailVerifiers: [],
  chatModels: [],
  siteReaders: [],
  judges: [],
  sending: null,
  followUps: []
}

/**
 * Sandbox workspaces always get the sandbox, live ones the configured providers. A workspace never changes its kind, so
 * test leads never get real mail.
 */
export class Providers extends Context.Service<
  Providers,
  { readonly sandbox: ProviderSet; readonly live: ProviderSet }
>()("@outbound/domain/sources/ports/Providers") {}
