import { NO_WORDS } from "@outbound/domain/kernel/words/notice.js"
import { overlapOf } from "./MemorySuppressionStore.js"
import { zero } from "@outbound/domain/kernel/money/Credits.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect } from "effect"
import { Memory } from "./Memory.js"
import { standing } from "./MemorySentReplyStore.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending } from "./Table.js"
import type { Tables } from "./Tables.js"

const sendingOf = (tables: Tables, workspaceId: string) =>
  tables.sending.get(workspaceId) ?? { suspendedAtMillis: null, suspendedReason: null }

const ownerEmailOf = (tables: Tables, workspaceId: string): string | null => {
  const [first] = tables.memberships
    .filter((membership) => membership.workspaceId === workspaceId && membership.role === "owner")
    .sort(
      ascending(
        ({ atMillis }) => atMillis,
        ({ userId }) => userId
      )
    )
  const [owner] = tables.users.filter(({ userId }) => userId === first?.userId)
  return owner?.email ?? null
}

export const layer = memoryStore(WorkspaceStore, "WorkspaceStore", ({ read, write }) => ({
  insert: (workspace) =>
    write((tables) => {
      tables.workspaces.insert(workspace.workspaceId, workspace)
      tables.accounts.insert(workspace.workspaceId, { balance: zero, reserved: zero, hasPaymentMethod: false })
      tables.sending.insert(workspace.workspaceId, { suspendedAtMillis: null, suspendedReason: null })
    }),
  get: (workspaceId) => read(({ workspaces }) => workspaces.find(workspaceId)),
  list: (max) =>
    read((tables) =>
      tables.workspaces
        .filter(() => true)
        .sort(
          ascending(
            ({ createdAtMillis }) => createdAtMillis,
            ({ workspaceId }) => workspaceId
          )
        )
        .slice(0, max)
        .map(({ kind, name, workspaceId }) => ({
          workspaceId,
          name,
          kind,
          ownerEmail: ownerEmailOf(tables, workspaceId)
        }))
    ),
  lockSending: (workspaceId) => read((tables) => sendingOf(tables, workspaceId)),
  setSending: (workspaceId, state) => write(({ sending }) => sending.update(workspaceId, () => state)),
  lock: (workspaceId) => read(({ workspaces }) => workspaces.find(workspaceId)),
  update: ({ caps, postalAddress, workspaceId }) =>
    write(({ workspaces }) => workspaces.update(workspaceId, (row) => ({ ...row, caps, postalAddress }))),
  shareSending: (workspaceId) => read((tables) => sendingOf(tables, workspaceId)),
  sending: (workspaceId) => read((tables) => sendingOf(tables, workspaceId)),
  replySend: (workspaceId) => read(({ replySendOff }) => !replySendOff.has(workspaceId)),
  setReplySend: (workspaceId, enabled) =>
    write(({ replySendOff }) => (enabled ? replySendOff.delete(workspaceId) : replySendOff.set(workspaceId, true))),
  overlap: (workspaceId) => read((tables) => overlapOf(tables, workspaceId)),
  setOverlap: (workspaceId, overlap) =>
    write(({ queuedOverlaps }) =>
      overlap === "queue" ? queuedOverlaps.set(workspaceId, true) : queuedOverlaps.delete(workspaceId)
    ),
  words: (workspaceId) => read(({ recipientWords }) => recipientWords.get(workspaceId) ?? NO_WORDS),
  setWords: (workspaceId, words) => write(({ recipientWords }) => recipientWords.set(workspaceId, words)),
  retention: (workspaceId) =>
    read(({ retentions }) => retentions.get(workspaceId) ?? { callMonths: null, trailMonths: null }),
  setRetention: (workspaceId, retention) => write(({ retentions }) => retentions.set(workspaceId, retention)),
  sentToday: (workspaceId, dayStartMillis) =>
    read((tables) => {
      const { messages, trail } = tables
      const events = trail.where("workspace", workspaceId).filter((event) => event.observedAtMillis >= dayStartMillis)
      return {
        sends: messages
          .where("workspace", workspaceId)
          .filter(({ sentAtMillis, state }) => MessageMachine.is.left(state) && (sentAtMillis ?? 0) >= dayStartMillis)
          .length,
        launches: events.filter((event) => event.kind === "launched").length,
        replies: standing(tables, workspaceId).filter(({ createdAtMillis }) => createdAtMillis >= dayStartMillis).length
      }
    })
}))

/** What a kill does to the workspace's sending row, and clearing it takes back. */
export const suspendSending = (
  workspaceId: string,
  suspension: { readonly atMillis: number; readonly reason: string } | null
): Effect.Effect<void, never, Memory> =>
  Effect.flatMap(Memory, (memory) =>
    memory.atomically(
      memory.write(({ sending }) =>
        sending.set(workspaceId, {
          suspendedAtMillis: suspension?.atMillis ?? null,
          suspendedReason: suspension?.reason ?? null
        })
      )
    )
  )
