import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import type { Approval, ApprovalSummary } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { Attention } from "@outbound/domain/control/attention/Attention.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { ConsoleReads, PEOPLE_FOUND_MAX } from "@outbound/domain/control/console/ConsoleReads.js"
import type { RiskFacts } from "@outbound/domain/control/risks/Risk.js"
import { Forecasts } from "@outbound/domain/control/Forecasts.js"
import { Notices } from "@outbound/domain/control/notices/Notices.js"
import { isWireError } from "@outbound/domain/kernel/errors/Wire.js"
import { fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { LinkBases } from "@outbound/domain/outreach/suppression/linkBases.js"
import { ContentStore } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import { Effect, Option } from "effect"
import type { ComponentChildren } from "preact"
import type { Sitting } from "./approvals/sitting.js"
import { approvalPage, type Notice } from "./ApprovalPage.js"
import { linksOf } from "./approvals/linksOf.js"
import { type Given, maybe } from "./pages.js"
import { searchOf } from "./searching.js"
import { missingPage } from "./Shell.js"
import type { Inside, Page } from "./Visit.js"
import { readContent } from "./approvals/readContent.js"

/** What a request's page is read from. */
export const SHOWING = {
  attention: Attention,
  console: Console,
  content: ContentStore,
  credits: CreditStore,
  forecasts: Forecasts,
  links: maybe(LinkBases),
  notices: Notices,
  reads: ConsoleReads,
  workspaces: WorkspaceStore
}

/** Shows a request's page. */
export const makeShowApproval = (services: Given<typeof SHOWING>) => {
  const { attention, console, credits, forecasts, notices, reads, workspaces } = services

  /** The leads of a launch that match the search. */
  const found = (workspaceId: string, { approval }: ApprovalSummary, text: string | null) =>
    text !== null && "campaign_id" in approval.snapshot
      ? Effect.map(
          reads.leads(workspaceId, approval.snapshot.campaign_id, {
            text,
            state: null,
            after: null,
            limit: PEOPLE_FOUND_MAX + 1
          }),
          (people) => ({ text, people })
        )
      : Effect.succeed(null)

  /** What a launch that waits for a decision would do. */
  const forecastOf = ({ snapshot, state, workspaceId }: Approval) =>
    snapshot.kind === "launch" && ApprovalMachine.is.undecided(state)
      ? forecasts.ofLaunch(workspaceId, snapshot.campaign_id).pipe(
          Effect.map(Option.getOrNull),
          Effect.catchIf(isWireError, () => Effect.succeed("unavailable" as const))
        )
      : Effect.succeed(null)

  const factsOf = (approval: Approval, userId: string) =>
    Effect.gen(function* () {
      const { snapshot, state, workspaceId } = approval
      const isWaiting = snapshot.kind === "purchase" && ApprovalMachine.is.undecided(state)
      const balance = isWaiting ? yield* credits.balance(workspaceId) : null
      const facts: RiskFacts = {
        snapshot,
        forecast: yield* forecastOf(approval),
        available: balance === null ? null : fromMicros(balance.balance - balance.reserved),
        overlap: yield* workspaces.overlap(workspaceId),
        attention: ApprovalMachine.is.undecided(state) ? yield* attention.standing(approval, userId) : null
      }
      return facts
    })

  return (
    { by, nowMillis, query, viewer, workspaceId }: Inside,
    id: string,
    also: { readonly notice?: Notice; readonly sitting?: Sitting; readonly said?: ComponentChildren } = {}
  ): Page =>
    Effect.gen(function* () {
      const of = yield* console.approval(workspaceId, id)
      if (Option.isNone(of)) return missingPage(viewer)
      const earlier = Option.getOrNull(yield* reads.earlierApproval(workspaceId, id))
      const text = searchOf(query.get("q"))
      const { approval } = of.value
      const lead = query.get("lead")
      const content = yield* readContent(services.content, approval, {
        text,
        lead: lead !== null && isUuid(lead) ? lead.toLowerCase() : null,
        earlier: earlier?.approval ?? null
      })
      return approvalPage({
        viewer,
        of: of.value,
        earlier,
        search: content === null ? yield* found(workspaceId, of.value, text) : null,
        content,
        asked: { text, isAllHosts: query.get("hosts") === "all" },
        standing: yield* console.standing(approval),
        told: yield* notices.ofApproval(by, id),
        links: yield* linksOf(services.links, approval),
        facts: yield* factsOf(approval, viewer.signedIn.user.userId),
        attended: ApprovalMachine.is.undecided(approval.state) ? [] : yield* attention.ofApproval(workspaceId, id),
        nowMillis,
        ...also
      })
    })
}
