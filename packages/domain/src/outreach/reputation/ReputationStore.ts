import { Context } from "effect"
import type { Job } from "../../kernel/ports/LongWork.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { SendingDomainRef } from "../domains/SendingDomainStore.js"
import type { DomainWatch, ReputationRule, SourceDay } from "./DomainWatch.js"

/** What makes a report the same as another. */
export interface ReportKey {
  readonly workspaceId: string
  /** The policy domain. */
  readonly domain: string
  readonly organisation: string
  readonly reportId: string
  readonly isProven: boolean
}

/** Most counts that are read of a domain at once, the newest first. */
export const SOURCE_DAYS_MAX = 20_000

export const watchJob = ({ domainId, workspaceId }: SendingDomainRef): Job => ({
  kind: "watch",
  key: `${workspaceId}/${domainId}`
})

/** DMARC counts, looks at sending domains, and what a workspace does about them. */
export class ReputationStore extends Context.Service<
  ReputationStore,
  {
    /** The workspace's rule, or the default. */
    readonly rule: (workspaceId: string) => FromStore<ReputationRule>
    readonly setRule: (workspaceId: string, rule: ReputationRule) => InTx<void>
    /** A domain's watch; null: it was never looked at. */
    readonly watch: (workspaceId: string, domainId: string) => FromStore<DomainWatch | null>
    /** The same, made if absent; other transactions wait for this one. Null: there is no such domain. */
    readonly lockWatch: (workspaceId: string, domainId: string, nowMillis: number) => InTx<DomainWatch | null>
    /** Rewrites a locked watch. */
    readonly updateWatch: (watch: DomainWatch) => InTx<void>
    /** Domains that were never looked at, or whose look is overdue by then. */
    readonly unwatched: (beforeMillis: number, limit: number) => FromStore<ReadonlyArray<SendingDomainRef>>
    /** False: it was counted before, or a proven one with its id was. */
    readonly addReport: (key: ReportKey, receivedAtMillis: number) => InTx<boolean>
    /** How many unproven reports on the domain were counted since then. */
    readonly unprovenSince: (workspaceId: string, domain: string, sinceMillis: number) => FromStore<number>
    /** Adds to the counts of each day and address. */
    readonly addCounts: (workspaceId: string, domainId: string, days: ReadonlyArray<SourceDay>) => InTx<void>
    /** Newest first. */
    readonly sourceDays: (
      workspaceId: string,
      domainId: string,
      sinceDay: string
    ) => FromStore<ReadonlyArray<SourceDay>>
    /** Deletes what is older: counts of the domain, and reports of the workspace. */
    readonly forget: (of: SendingDomainRef, beforeDay: string, beforeMillis: number) => InTx<void>
  }
>()("@outbound/domain/outreach/reputation/ReputationStore") {}
