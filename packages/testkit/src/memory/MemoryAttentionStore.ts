import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { AttentionStore } from "@outbound/domain/control/attention/AttentionStore.js"
import type { Plan } from "@outbound/domain/control/attention/plan.js"
import { Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending, descending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

const keyOfPlan = ({ approvalId, userId, workspaceId }: Pick<Plan, "approvalId" | "userId" | "workspaceId">): string =>
  keyOf(workspaceId, approvalId, userId)

const emailOf = ({ users }: Tables, userId: string): string =>
  users.filter((user) => user.userId === userId)[0]?.email ?? ""

export const layer = memoryStore(AttentionStore, "AttentionStore", ({ read, write }) => ({
  keep: (plan) =>
    write(({ attention }) => {
      const key = keyOfPlan(plan)
      if (attention.get(key) === undefined) attention.insert(key, { plan, looks: [] })
    }),
  ofApproval: (workspaceId, approvalId) =>
    read((tables) =>
      tables.attention
        .filter(({ plan }) => plan.workspaceId === workspaceId && plan.approvalId === approvalId)
        .sort(
          ascending(
            ({ plan }) => plan.drawnAtMillis,
            ({ plan }) => plan.userId
          )
        )
        .map((one) => ({ ...one, email: emailOf(tables, one.plan.userId) }))
    ),
  find: (workspaceId, approvalId, userId) =>
    read(({ attention }) => Option.fromNullishOr(attention.get(keyOf(workspaceId, approvalId, userId)))),
  say: (plan, look) =>
    write(({ attention }) =>
      attention.update(keyOfPlan(plan), (one) => ({
        ...one,
        looks: [...one.looks.filter(({ position }) => position !== look.position), look].sort(
          ascending(({ position }) => position)
        )
      }))
    ),
  latest: (workspaceId, limit) =>
    read((tables) =>
      tables.attention
        .filter(({ plan }) => {
          const state = tables.approvals.get(keyOf(workspaceId, plan.approvalId))?.state
          return plan.workspaceId === workspaceId && state !== undefined && !ApprovalMachine.is.undecided(state)
        })
        .sort(
          descending(
            ({ plan }) => plan.drawnAtMillis,
            ({ plan }) => plan.userId
          )
        )
        .slice(0, limit)
        .map((one) => ({ ...one, email: emailOf(tables, one.plan.userId) }))
    )
}))
