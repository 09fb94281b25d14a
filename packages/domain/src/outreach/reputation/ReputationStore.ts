import { Context, type Effect } from "effect"
import type { Job } from "../../kernel/ports/LongWork.js"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"
import type { SendingDomainRef } from "../domains/SendingDomainStore.js"
import type { SourceDay } from "./alignment.js"
import type { DomainWatch } from "./DomainWatch.js"
import type { ReputationRule } from "./ReputationRule.js"

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
export class ReputationStore extends Context.Tag("@outbound/domain/outreach/reputation/ReputationStore")<
  ReputationStore,
  {
    /** The workspace's rule, or the default. */
    readonly rule: (workspaceId: string) => Effect.Effect<ReputationRule, StoreUnavailable>
    readonly setRule: (workspaceId: string, rule: ReputationRule) => Effect.Effect<void, StoreUnavailable, Tx>
    /** A domain's watch; null: it was never looked at. */
    readonly watch: (workspaceId: string, domainId: string) => Effect.Effect<DomainWatch | null, StoreUnavailable>
    /** The same, made if absent; other transactions wait for this one. Null: there is no such domain. */
    readonly lockWatch: (
      workspaceId: string,
      domainId: string,
      nowMillis: number
    ) => Effect.Effect<DomainWatch | null, StoreUnavailable, Tx>
    /** Rewrites a locked watch. */
    readonly updateWatch: (watch: DomainWatch) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Domains that were never looked at, or whose look is overdue by then. */
    readonly unwatched: (
      beforeMillis: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SendingDomainRef>, StoreUnavailable>
    /** False: it was counted before, or a proven one with its id was. */
    readonly addReport: (key: ReportKey, receivedAtMillis: number) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /** How many unproven reports on the domain were counted since then. */
    readonly unprovenSince: (
      workspaceId: string,
      domain: string,
      sinceMillis: number
    ) => Effect.Effect<number, StoreUnavailable>
    /** Adds to the counts of each day and address. */
    readonly addCounts: (
      workspaceId: string,
      domainId: string,
      days: ReadonlyArray<SourceDay>
    ) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Newest first. */
    readonly sourceDays: (
      workspaceId: string,
      domainId: string,
      sinceDay: string
    ) => Effect.Effect<ReadonlyArray<SourceDay>, StoreUnavailable>
    /** Deletes what is older: counts of the domain, and reports of the workspace. */
    readonly forget: (
      of: SendingDomainRef,
      beforeDay: string,
      beforeMillis: number
    ) => Effect.Effect<void, StoreUnavailable, Tx>
  }
>() {}
