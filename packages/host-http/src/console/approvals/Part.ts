import type { ApprovalSummary } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { ListedNotice } from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import type { ListedAttention } from "@outbound/domain/control/attention/AttentionStore.js"
import type { ApprovalStanding } from "@outbound/domain/control/console/Console.js"
import type { LeadLine } from "@outbound/domain/control/console/ConsoleReads.js"
import type { RiskFacts } from "@outbound/domain/control/risks/Risk.js"
import type { JSX } from "preact"
import type { Viewer } from "../Viewer.js"
import type { LinksTo } from "./linksOf.js"
import type { Sitting } from "./sitting.js"
import type { PageContent } from "./readContent.js"

export interface PeopleFound {
  readonly text: string
  /** One more than is shown if there are more. */
  readonly people: ReadonlyArray<LeadLine>
}

/** What a request's page shows. */
export interface ShownApproval {
  readonly viewer: Viewer
  readonly of: ApprovalSummary
  /** The previous request for the same thing. */
  readonly earlier: ApprovalSummary | null
  /** A search among the leads, and its results. */
  readonly search: PeopleFound | null
  /** The merged messages; null for requests that have none. */
  readonly content: PageContent | null
  /** The text searched for among them, and whether all hosts are listed. */
  readonly asked: { readonly text: string | null; readonly isAllHosts: boolean }
  /** Who has approved, and who else has to. */
  readonly standing: ApprovalStanding
  /** Who was told of it. */
  readonly told: ReadonlyArray<ListedNotice>
  /** Where links in its messages would lead now. */
  readonly links: ReadonlyArray<LinksTo>
  /** What its risks are read from. */
  readonly facts: RiskFacts
  /** How those looked at it who were asked to, where it is decided. */
  readonly attended: ReadonlyArray<ListedAttention>
  /** The viewer decides several requests one after another. Absent: this one alone. */
  readonly sitting?: Sitting
  readonly isPending: boolean
  readonly nowMillis: number
}

/** A part of a request's page; null where the request has no such part. */
export type Part = (props: ShownApproval) => JSX.Element | null
