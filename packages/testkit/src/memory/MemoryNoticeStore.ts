import { HOUR_MILLIS } from "@outbound/domain/kernel/durations.js"
import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { NoticeMachine } from "@outbound/domain/calls/approvals/notices/NoticeMachine.js"
import {
  type ClaimedNotice,
  NOTICE_KINDS,
  type NoticeKey,
  NOTICES_PER_HOUR_MAX,
  NoticeStore,
  SENDING_MAX,
  TURN_MILLIS_MAX
} from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import { summaryOf } from "./MemoryApprovalStore.js"
import { memoryStore } from "./MemoryStore.js"
import type { NoticeRow } from "./NoticeRow.js"
import { ascending, descending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

const keyOfNotice = ({ approvalId, kind, recipient, workspaceId }: NoticeKey): string =>
  keyOf(workspaceId, approvalId, kind, recipient)

const plainKey = ({ approvalId, kind, recipient, workspaceId }: NoticeKey): NoticeKey => ({
  workspaceId,
  approvalId,
  kind,
  recipient
})

const oldestFirst = ascending(
  (row: NoticeRow) => row.dueAtMillis,
  (row: NoticeRow) => row.approvalId,
  (row: NoticeRow) => row.kind
)

const isMuted = (tables: Tables, workspaceId: string, userId: string, what: Pick<NoticeRow, "topic" | "kind">) => {
  const muted: ReadonlyArray<string> = tables.mutedNotices.get(keyOf(workspaceId, userId)) ?? []
  return muted.includes(what.topic) || muted.includes(what.kind)
}

const isWanted = (tables: Tables, row: NoticeRow, nowMillis: number): boolean => {
  const { approvalId, channel, recipient, workspaceId } = row
  const approval = tables.approvals.get(keyOf(workspaceId, approvalId))
  if (approval === undefined || !ApprovalMachine.is.undecided(approval.state)) return false
  if (approval.expiresAtMillis <= nowMillis) return false
  if (channel !== "mail") return tables.chatChannels.has(keyOf(workspaceId, recipient))
  if (recipient === approval.excludedUserId || tables.approvalVotes.has(keyOf(workspaceId, approvalId, recipient)))
    return false
  return tables.memberships.has(keyOf(recipient, workspaceId)) && !isMuted(tables, workspaceId, recipient, row)
}

const emailOf = ({ users }: Tables, userId: string): string | null =>
  users.filter((user) => user.userId === userId)[0]?.email ?? null

const claimedOf = (tables: Tables, row: NoticeRow, claimId: string): ClaimedNotice => {
  const { approvalId, attempts, channel, recipient, workspaceId } = row
  const approval = tables.approvals.get(keyOf(workspaceId, approvalId))
  const workspace = tables.workspaces.get(workspaceId)
  const address =
    channel === "mail"
      ? emailOf(tables, recipient)
      : (tables.chatChannels.get(keyOf(workspaceId, recipient))?.sealedUrl ?? null)
  if (approval === undefined || workspace === undefined || address === null) throw new Error("a notice lacks its rows")
  return {
    ...plainKey(row),
    claimId,
    channel,
    attempts,
    address,
    of: summaryOf(tables, approval),
    workspaceName: workspace.name,
    workspaceKind: workspace.kind
  }
}

export const layer = memoryStore(NoticeStore, "NoticeStore", ({ read, write }) => ({
  announce: ({ approvalId, nowMillis, remindAtMillis, topic, workspaceId }) =>
    write((tables) => {
      const members = tables.memberships
        .filter((one) => one.workspaceId === workspaceId)
        .map(({ userId }) => ({ recipient: userId, channel: "mail" as const }))
      const channels = tables.chatChannels
        .filter((one) => one.workspaceId === workspaceId)
        .map(({ kind }) => ({ recipient: kind, channel: kind }))
      for (const { channel, recipient } of [...members, ...channels]) {
        const recent = tables.notices
          .where("recipient", keyOf(workspaceId, recipient))
          .filter(({ createdAtMillis, kind }) => kind === "asked" && createdAtMillis > nowMillis - HOUR_MILLIS)
        const isFull = recent.length >= NOTICES_PER_HOUR_MAX
        for (const kind of NOTICE_KINDS) {
          if (channel === "mail" && isMuted(tables, workspaceId, recipient, { topic, kind })) continue
          const row: NoticeRow = {
            workspaceId,
            approvalId,
            kind,
            recipient,
            channel,
            topic,
            state: isFull ? "failed" : NoticeMachine.initial,
            createdAtMillis: nowMillis,
            dueAtMillis: kind === "asked" ? nowMillis : remindAtMillis,
            attempts: 0,
            claim: null,
            attemptedAtMillis: null,
            failure: isFull ? "too_many" : null,
            status: null
          }
          tables.notices.insert(keyOfNotice(row), row)
        }
      }
    }),
  end: (nowMillis, limit) =>
    write((tables) => {
      const isLapsed = ({ claim }: NoticeRow) => claim !== null && claim.untilMillis <= nowMillis
      const over = tables.notices
        .filter(
          (row) =>
            isLapsed(row) ||
            (NoticeMachine.is.waiting(row.state) && row.dueAtMillis <= nowMillis && !isWanted(tables, row, nowMillis))
        )
        .slice(0, limit)
      for (const row of over) {
        tables.notices.update(keyOfNotice(row), () =>
          isLapsed(row)
            ? { ...row, state: "unknown", failure: "interrupted", claim: null }
            : { ...row, state: "cancelled" }
        )
      }
      return over.map(plainKey)
    }),
  claim: ({ claimId, leaseMillis, limit, nowMillis }) =>
    write((tables) => {
      const isDue = ({ dueAtMillis, state }: NoticeRow) => NoticeMachine.is.waiting(state) && dueAtMillis <= nowMillis
      const due = tables.notices
        .filter((row) => isDue(row) && isWanted(tables, row, nowMillis))
        .filter((row) => {
          const others = tables.notices.where("recipient", keyOf(row.workspaceId, row.recipient))
          const sending = others.filter(({ state }) => NoticeMachine.is.sending(state))
          return (
            sending.length < SENDING_MAX &&
            sending.every(({ attemptedAtMillis }) => (attemptedAtMillis ?? 0) <= nowMillis - TURN_MILLIS_MAX) &&
            others.filter(isDue).sort(oldestFirst)[0] === row
          )
        })
        .sort(oldestFirst)
        .slice(0, limit)
      return due.map((row) => {
        const claimed: NoticeRow = {
          ...row,
          state: "sending",
          claim: { claimId, untilMillis: nowMillis + leaseMillis },
          attempts: row.attempts + 1,
          attemptedAtMillis: nowMillis
        }
        tables.notices.set(keyOfNotice(row), claimed)
        return claimedOf(tables, claimed, claimId)
      })
    }),
  record: (claimed, { atMillis, dueAtMillis, failure, state, status }) =>
    write(({ notices }) => {
      const row = notices.get(keyOfNotice(claimed))
      if (row?.claim?.claimId !== claimed.claimId) return false
      notices.set(keyOfNotice(row), {
        ...row,
        state,
        failure,
        status,
        attemptedAtMillis: atMillis,
        dueAtMillis,
        claim: null
      })
      return true
    }),
  ofApproval: (workspaceId, approvalId, limit) =>
    read((tables) =>
      tables.notices
        .filter((row) => row.workspaceId === workspaceId && row.approvalId === approvalId)
        .map(({ attemptedAtMillis, attempts, channel, dueAtMillis, failure, kind, recipient, state, status }) => ({
          kind,
          channel,
          email: tables.memberships.has(keyOf(recipient, workspaceId)) ? emailOf(tables, recipient) : null,
          state,
          failure,
          status,
          attempts,
          dueAtMillis,
          attemptedAtMillis
        }))
        .sort(
          ascending(
            ({ kind }) => kind,
            ({ channel }) => (channel === "mail" ? "" : channel),
            ({ email }) => email ?? "\uffff"
          )
        )
        .slice(0, limit)
    ),
  purge: (beforeMillis, limit) =>
    write(({ notices }) =>
      notices.deleteFirst(
        limit,
        ({ createdAtMillis }) => createdAtMillis < beforeMillis,
        ascending(({ createdAtMillis }) => createdAtMillis)
      )
    ),
  muted: (workspaceId, userId) => read(({ mutedNotices }) => mutedNotices.get(keyOf(workspaceId, userId)) ?? []),
  setMuted: (workspaceId, userId, muted) =>
    write(({ memberships, mutedNotices }) => {
      if (memberships.has(keyOf(userId, workspaceId))) mutedNotices.set(keyOf(workspaceId, userId), muted)
    }),
  channels: (workspaceId) =>
    read((tables) =>
      tables.chatChannels
        .filter((one) => one.workspaceId === workspaceId)
        .sort(ascending(({ kind }) => kind))
        .map((channel) => {
          const [last] = tables.notices
            .where("recipient", keyOf(workspaceId, channel.kind))
            .filter(({ attemptedAtMillis }) => attemptedAtMillis !== null && attemptedAtMillis >= channel.setAtMillis)
            .sort(descending(({ attemptedAtMillis }) => attemptedAtMillis ?? 0))
          if (last === undefined) return { channel, last: null }
          const { attemptedAtMillis, failure, state, status } = last
          return { channel, last: { state, failure, status, attemptedAtMillis } }
        })
    ),
  setChannel: (channel) =>
    write(({ chatChannels }) => chatChannels.set(keyOf(channel.workspaceId, channel.kind), channel)),
  removeChannel: (workspaceId, kind) =>
    write(({ chatChannels }) => {
      const isThere = chatChannels.has(keyOf(workspaceId, kind))
      chatChannels.delete(keyOf(workspaceId, kind))
      return isThere
    })
}))
