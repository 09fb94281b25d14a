import type { SendingDomain } from "@outbound/domain/outreach/domains/SendingDomainStore.js"
import type { DomainWatch, ReputationRule, SourceDay } from "@outbound/domain/outreach/reputation/DomainWatch.js"
import type { ReportKey } from "@outbound/domain/outreach/reputation/ReputationStore.js"
import type { SeenSignature } from "@outbound/domain/outreach/mail/MailProbe.js"
import type { DomainLook } from "@outbound/domain/outreach/authentication/Look.js"
import { Table, type UndoLog } from "./Table.js"

/** A domain's counts of a day, from one address. */
type CountRow = SourceDay & { readonly workspaceId: string; readonly domainId: string }

/** A report that was counted. */
type ReportRow = ReportKey & { readonly receivedAtMillis: number }

/** What mail of a domain was seen to be signed with. */
type SignatureRow = SeenSignature & { readonly seenAtMillis: number }

/** Sending domains and their reputation: rules by workspace, watches, looks and signatures by workspace and domain, reports and counts by what each is. */
export const reputationTables = (log: UndoLog) => ({
  sendingDomains: new Table<SendingDomain>(log),
  reputationRules: new Table<ReputationRule>(log),
  domainWatches: new Table<DomainWatch>(log),
  domainLooks: new Table<DomainLook>(log),
  seenSignatures: new Table<ReadonlyArray<SignatureRow>>(log),
  /** By workspace and mailbox: since when too many of its messages bounce. */
  bouncesHigh: new Table<number>(log),
  dmarcReports: new Table<ReportRow>(log),
  dmarcCounts: new Table<CountRow>(log)
})
