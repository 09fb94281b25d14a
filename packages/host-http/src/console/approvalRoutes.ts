import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import type { Approval, ApprovalSummary } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { PEOPLE_FOUND_MAX } from "@outbound/domain/control/console/ConsoleReads.js"
import { fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import { isWireError } from "@outbound/domain/kernel/errors/Wire.js"
import { Effect, Option } from "effect"
import { seeOther } from "../web/Page.js"
import { approvalPage, type Notice } from "./ApprovalPage.js"
import { contentRoutes } from "./approvals/contentRoutes.js"
import { readContent } from "./approvals/readContent.js"
import { waitingFor } from "./approvals/waiting.js"
import { approvalsPage } from "./ApprovalsPage.js"
import { afterOf, afterWords, CARDS_MAX, pageOf } from "./paging.js"
import type { ConsoleServices } from "./ConsoleServices.js"
import { makeInOwnName } from "./inOwnName/inOwnName.js"
import { searchOf } from "./searching.js"
import { messagePage, missingPage } from "./Shell.js"
import type { Inside, Page, Route } from "./Visit.js"

/** The most pending approvals that the list shows at once. */
const PENDING_MAX = 50

const cursorOf = ({ approval }: ApprovalSummary): string =>
  afterWords({ atMillis: approval.createdAtMillis, id: approval.approvalId })

export const approvalRoutes = (services: ConsoleServices): ReadonlyArray<Route> => {
  const { console, credits, forecasts, notices, reads, workspaces } = services
  const inOwnName = makeInOwnName(services)

  const list = ({ by, nowMillis, query, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const after = afterOf(query.get("after"))
      const pending =
        after === null ? yield* waitingFor(reads, { viewer, workspaceId }, { after, limit: PENDING_MAX }) : null
      const closed = yield* reads.approvals(workspaceId, "closed", { after, limit: CARDS_MAX + 1 })
      const channels = after === null ? yield* notices.channels(by) : []
      return approvalsPage({ viewer, pending, channels, ...pageOf(closed, CARDS_MAX, cursorOf, after), nowMillis })
    })

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

  const show = ({ by, id, nowMillis, query, viewer, workspaceId }: Inside, notice?: Notice): Page =>
    Effect.gen(function* () {
      const of = yield* console.approval(workspaceId, id)
      if (Option.isNone(of)) return missingPage(viewer)
      const earlier = Option.getOrNull(yield* reads.earlierApproval(workspaceId, id))
      const text = searchOf(query.get("q"))
      const { approval } = of.value
      const content = yield* readContent(services, approval, { text, earlier: earlier?.approval ?? null })
      const search = content === null ? yield* found(workspaceId, of.value, text) : null
      const balance = approval.snapshot.kind === "purchase" ? yield* credits.balance(workspaceId) : null
      return approvalPage({
        viewer,
        of: of.value,
        earlier,
        search,
        content,
        asked: { text, isAllHosts: query.get("hosts") === "all", overlap: yield* workspaces.overlap(workspaceId) },
        standing: yield* console.standing(of.value.approval),
        told: yield* notices.ofApproval(by, id),
        forecast: yield* forecastOf(approval),
        available: balance === null ? null : fromMicros(balance.balance - balance.reserved),
        nowMillis,
        ...(notice === undefined ? {} : { notice })
      })
    })

  const decide =
    (decision: "approve" | "decline") =>
    (visit: Inside): Page =>
      Effect.flatMap(
        console.decide(visit.by, visit.id, decision, visit.form.get("digest") ?? "", {
          winnerRule: visit.form.get("winner_rule") === "on"
        }),
        Option.match({
          onNone: () => Effect.succeed(missingPage(visit.viewer)),
          onSome: (result) =>
            result === "approved" || result === "counted" || result === "declined"
              ? Effect.as(
                  // Nobody else does what a person asked for themselves.
                  result === "approved"
                    ? inOwnName.completeApproved(visit.workspaceId, visit.id)
                    : Effect.succeed(null),
                  seeOther(`/console/approvals/${visit.id}`)
                )
              : show(visit, result)
        })
      )

  /** For what was approved and not done, because the host died in between or something stood against it. */
  const finish = ({ id, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      if (Option.isNone(yield* console.approval(workspaceId, id))) return missingPage(viewer)
      const result = yield* inOwnName.completeApproved(workspaceId, id)
      const to = { path: `/console/approvals/${id}`, text: "Go back" } as const
      return result?._tag === "refused"
        ? messagePage({ status: 409, title: "Not done yet", text: result.message, viewer, to })
        : seeOther(to.path)
    })

  return [
    { access: "member", path: "/console/approvals", get: list },
    { access: "member", path: "/console/approvals/:id", get: (visit) => show(visit) },
    ...contentRoutes(services),
    { access: "member", path: "/console/approvals/:id/approve", post: decide("approve") },
    { access: "member", path: "/console/approvals/:id/decline", post: decide("decline") },
    { access: "member", path: "/console/approvals/:id/finish", post: finish }
  ]
}
