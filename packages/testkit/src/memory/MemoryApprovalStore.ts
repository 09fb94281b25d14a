import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { type Approval, ApprovalStore, type ApprovalSummary } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { ONE_PERSON } from "@outbound/domain/calls/approvals/approvers.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending, descending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

/** Open: its time can still run out. */
const isOpen = ({ state }: Approval): boolean => ApprovalMachine.is.open(state)

const createdAt = (approval: Approval): number => approval.createdAtMillis
const id = (approval: Approval): string => approval.approvalId

/** An approval with the names that its row refers to. */
export const summaryOf = (tables: Tables, approval: Approval): ApprovalSummary => ({
  approval,
  askedByEmail: tables.users.filter((user) => user.userId === approval.askedByUserId)[0]?.email ?? null,
  keyName: tables.keys.get(approval.keyId)?.key.name ?? "",
  decidedByEmail: tables.users.filter((user) => user.userId === approval.decidedByUserId)[0]?.email ?? null
})

export const layer = memoryStore(ApprovalStore, "ApprovalStore", ({ read, write }) => ({
  insert: (approval) =>
    write(({ approvals }) => {
      if (approvals.some(({ tokenHash }) => tokenHash === approval.tokenHash)) {
        throw new Error("another approval has this token")
      }
      approvals.insert(keyOf(approval.workspaceId, approval.approvalId), approval)
    }),
  lockByToken: (workspaceId, tokenHash) =>
    read(({ approvals }) =>
      Option.fromNullishOr(
        approvals.filter((approval) => approval.workspaceId === workspaceId && approval.tokenHash === tokenHash)[0]
      )
    ),
  lock: (workspaceId, approvalId) => read(({ approvals }) => approvals.find(keyOf(workspaceId, approvalId))),
  update: (approval) =>
    write(({ approvals }) => approvals.update(keyOf(approval.workspaceId, approval.approvalId), () => approval)),
  lockOpen: (workspaceId, keyId) =>
    read(({ approvals }) =>
      approvals
        .filter((approval) => approval.workspaceId === workspaceId && isOpen(approval))
        .filter((approval) => keyId === null || approval.keyId === keyId)
        .sort(ascending(id))
    ),
  lockOpenOfTarget: (workspaceId, target) =>
    read(({ approvals }) =>
      approvals
        .filter((approval) => approval.workspaceId === workspaceId && approval.target === target && isOpen(approval))
        .sort(ascending(createdAt, id))
    ),
  lockExpired: (nowMillis, limit) =>
    read(({ approvals }) =>
      approvals
        .filter((approval) => isOpen(approval) && approval.expiresAtMillis <= nowMillis)
        .sort(ascending((approval) => approval.expiresAtMillis, id))
        .slice(0, limit)
    ),
  find: (workspaceId, approvalId) =>
    read((tables) =>
      Option.map(tables.approvals.find(keyOf(workspaceId, approvalId)), (approval) => summaryOf(tables, approval))
    ),
  votes: (workspaceId, approvalId) =>
    read(({ approvalVotes, memberships, users }) =>
      approvalVotes
        .filter((vote) => vote.workspaceId === workspaceId && vote.approvalId === approvalId)
        .sort(
          ascending(
            ({ atMillis }) => atMillis,
            ({ userId }) => userId
          )
        )
        .map(({ approvesWinnerRule, atMillis, beganBy, userId }) => ({
          userId,
          approvesWinnerRule,
          beganBy,
          atMillis,
          email: users.filter((user) => user.userId === userId)[0]?.email ?? "",
          isMember: memberships.has(keyOf(userId, workspaceId))
        }))
    ),
  addVote: (workspaceId, approvalId, vote) =>
    write(({ approvalVotes }) =>
      approvalVotes.insert(keyOf(workspaceId, approvalId, vote.userId), { workspaceId, approvalId, ...vote })
    ),
  rules: (workspaceId) => read(({ approvalRules }) => approvalRules.get(workspaceId) ?? ONE_PERSON),
  setRules: (workspaceId, rules) => write(({ approvalRules }) => approvalRules.set(workspaceId, rules)),
  keyOwner: (workspaceId, keyId) =>
    read(({ controlLog }) => {
      const [made] = controlLog.filter(
        (entry) =>
          entry.workspaceId === workspaceId &&
          entry.keyId === keyId &&
          entry.action === "create_key" &&
          entry.actor.kind === "user"
      )
      return made?.actor.kind === "user" ? Option.some(made.actor.userId) : Option.none()
    }),
  list: (workspaceId, which, limit) =>
    read((tables) =>
      tables.approvals
        .filter(
          (approval) =>
            approval.workspaceId === workspaceId &&
            ApprovalMachine.is.undecided(approval.state) === (which === "pending")
        )
        .sort(descending(createdAt, id))
        .slice(0, limit)
        .map((approval) => summaryOf(tables, approval))
    )
}))
