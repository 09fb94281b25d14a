import { leftOutReads } from "./leftOut.js"
import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import type { Approval, ApprovalSummary } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { ConsoleReads, OPEN_REPLIES_MAX } from "@outbound/domain/control/console/ConsoleReads.js"
import { ASKS_NOTHING } from "@outbound/domain/outreach/meaning/Classification.js"
import { OPEN_ALERTS_MAX } from "@outbound/domain/control/alerts/AlertStore.js"
import { ChangeRequestMachine } from "@outbound/domain/control/ChangeRequestMachine.js"
import { Option } from "effect"
import { accountReads } from "./console/accountReads.js"
import { campaignReads } from "./console/campaignReads.js"
import { conversationReads } from "./console/conversationReads.js"
import { part, type Placed } from "./console/part.js"
import { periodReads } from "./console/periodReads.js"
import { sendingReads } from "./console/sendingReads.js"
import { memoryStore } from "./MemoryStore.js"
import { isOpenAlert } from "./openAlerts.js"
import { descending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

const summaryOf = (tables: Tables, approval: Approval): ApprovalSummary => ({
  approval,
  askedByEmail: tables.users.filter((user) => user.userId === approval.askedByUserId)[0]?.email ?? null,
  keyName: tables.keys.get(approval.keyId)?.key.name ?? "",
  decidedByEmail: tables.users.filter((user) => user.userId === approval.decidedByUserId)[0]?.email ?? null
})

const placeOfApproval = (approval: Approval): Placed => ({ at: approval.createdAtMillis, id: approval.approvalId })

export const layer = memoryStore(ConsoleReads, "ConsoleReads", (access) => ({
  ...accountReads(access),
  ...campaignReads(access),
  ...leftOutReads(access),
  ...conversationReads(access),
  ...sendingReads(access),
  ...periodReads(access),

  standing: (workspaceId, nowMillis) =>
    access.read((tables) => ({
      approvalsPending: tables.approvals.filter(
        (approval) =>
          approval.workspaceId === workspaceId &&
          ApprovalMachine.is.undecided(approval.state) &&
          approval.expiresAtMillis > nowMillis
      ).length,
      repliesOpen: Math.min(
        OPEN_REPLIES_MAX,
        tables.replies
          .where("workspace", workspaceId)
          .filter(
            ({ classification, replyId }) =>
              (classification === null || !ASKS_NOTHING.includes(classification)) &&
              (tables.handling.get(keyOf(workspaceId, replyId))?.handledAtMillis ?? null) === null
          ).length
      ),
      changeRequestsOpen: tables.changeRequests.filter(
        (request) => request.workspaceId === workspaceId && ChangeRequestMachine.is.open(request.state)
      ).length,
      alertsOpen: tables.alerts
        .filter(({ alert }) => alert.workspaceId === workspaceId)
        .sort(descending(({ alert }) => alert.alertId))
        .slice(0, OPEN_ALERTS_MAX)
        .filter(({ alert }) => isOpenAlert(tables, alert, nowMillis)).length,
      suspendedAtMillis: tables.sending.get(workspaceId)?.suspendedAtMillis ?? null
    })),

  approvals: (workspaceId, which, wanted) =>
    access.read((tables) => {
      const found = tables.approvals.filter(
        (approval) =>
          approval.workspaceId === workspaceId && ApprovalMachine.is.undecided(approval.state) === (which === "pending")
      )
      return part(found, placeOfApproval, wanted).map((approval) => summaryOf(tables, approval))
    }),

  approvedBy: (workspaceId, userId, approvalIds) =>
    access.read(({ approvalVotes }) =>
      approvalIds.filter((approvalId) => approvalVotes.has(keyOf(workspaceId, approvalId, userId)))
    ),

  earlierApproval: (workspaceId, approvalId) =>
    access.read((tables) => {
      const current = tables.approvals.get(keyOf(workspaceId, approvalId))
      if (current === undefined) return Option.none()
      const same = tables.approvals.filter(
        (approval) =>
          approval.workspaceId === workspaceId && approval.target === current.target && approval.verb === current.verb
      )
      const after = { atMillis: current.createdAtMillis, id: approvalId }
      const [earlier] = part(same, placeOfApproval, { after, limit: 1 })
      return Option.map(Option.fromNullishOr(earlier), (approval) => summaryOf(tables, approval))
    })
}))
