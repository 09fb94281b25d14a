import type { ApprovalSummary } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { DECLINE_REASON_CHARS_MAX } from "@outbound/domain/control/console/Console.js"
import { Effect, Option } from "effect"
import { seeOther } from "../web/Page.js"
import { attentionRoutes } from "./approvals/attentionRoutes.js"
import { contentRoutes } from "./approvals/contentRoutes.js"
import { makeShowApproval, SHOWING } from "./showApproval.js"
import { homeAddress, queueAddress, skippedOf } from "./approvals/sitting.js"
import { queueRoute } from "./approvalQueue.js"
import { PENDING_MAX, waitingFor } from "./approvals/waiting.js"
import { approvalsPage } from "./ApprovalsPage.js"
import { IN_OWN_NAME, makeInOwnName } from "./inOwnName/inOwnName.js"
import { pages } from "./pages.js"
import { afterOf, afterWords, CARDS_MAX, pageOf } from "./paging.js"
import { messagePage, missingPage } from "./Shell.js"
import { type Inside, member, type Page } from "./Visit.js"

const cursorOf = ({ approval }: ApprovalSummary): string =>
  afterWords({ atMillis: approval.createdAtMillis, id: approval.approvalId })

/** Where a decision leads: to the request, in a sitting to the next one, or back to the list where it was decided. */
const afterDecision = ({ form, id }: Inside, result: "approved" | "counted" | "declined" | "withdrawn") => {
  const after = form.get("after")
  if (result === "withdrawn" || (after !== "next" && after !== "home")) return `/console/approvals/${id}` as const
  const last = { done: result, approvalId: id }
  return after === "home" ? homeAddress(last) : queueAddress(skippedOf(form.get("skip")), last)
}

const NEEDS = { ...IN_OWN_NAME, ...SHOWING }

export const approvalPages = pages(NEEDS, (services) => {
  const { console, notices, reads } = services
  const inOwnName = makeInOwnName(services)
  const show = makeShowApproval(services)

  const list = ({ by, nowMillis, query, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const after = afterOf(query.get("after"))
      const pending =
        after === null ? yield* waitingFor(reads, { viewer, workspaceId }, { after, limit: PENDING_MAX }) : null
      const closed = yield* reads.approvals(workspaceId, "closed", { after, limit: CARDS_MAX + 1 })
      const channels = after === null ? yield* notices.channels(by) : []
      return approvalsPage({ viewer, pending, channels, ...pageOf(closed, CARDS_MAX, cursorOf, after), nowMillis })
    })

  const decide =
    (decision: "approve" | "decline") =>
    (visit: Inside): Page => {
      const reason = (visit.form.get("reason") ?? "").trim()
      if (reason.length > DECLINE_REASON_CHARS_MAX) return tooLong(visit)
      return Effect.flatMap(
        console.decide(visit.by, visit.id, decision, visit.form.get("digest") ?? "", {
          winnerRule: visit.form.get("winner_rule") === "on",
          reason: reason === "" ? null : reason
        }),
        Option.match({
          onNone: () => Effect.succeed(missingPage(visit.viewer)),
          onSome: (result) =>
            result === "approved" || result === "counted" || result === "declined" || result === "withdrawn"
              ? Effect.as(
                  // Nobody else does what a person asked for themselves.
                  result === "approved"
                    ? inOwnName.completeApproved(visit.workspaceId, visit.id)
                    : Effect.succeed(null),
                  seeOther(afterDecision(visit, result))
                )
              : show(visit, visit.id, { notice: result })
        })
      )
    }

  const tooLong = ({ id, viewer }: Inside): Page =>
    Effect.succeed(
      messagePage({
        status: 400,
        title: "Nothing was changed",
        text: `A reason has at most ${DECLINE_REASON_CHARS_MAX} characters.`,
        viewer,
        to: { path: `/console/approvals/${id}`, text: "Go back" }
      })
    )

  const withdraw = (visit: Inside): Page =>
    Effect.flatMap(
      console.withdraw(visit.by, visit.id),
      Option.match({
        onNone: () => Effect.succeed(missingPage(visit.viewer)),
        onSome: (result) =>
          result === "closed" || result === "excluded"
            ? show(visit, visit.id, { notice: result })
            : Effect.succeed(seeOther(`/console/approvals/${visit.id}`))
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
    member("/console/approvals", { get: list }),
    queueRoute(services, show),
    member("/console/approvals/:id", { get: (visit) => show(visit, visit.id) }),
    ...attentionRoutes(services),
    ...contentRoutes(services),
    member("/console/approvals/:id/approve", { post: decide("approve") }),
    member("/console/approvals/:id/decline", { post: decide("decline") }),
    member("/console/approvals/:id/withdraw", { post: withdraw }),
    member("/console/approvals/:id/finish", { post: finish })
  ]
})
