import { type ClaimedFollowUp, type FollowUpKey, LaterStore } from "@outbound/domain/sources/LaterStore.js"
import { Clock, Effect, Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"
import type { FollowUpRow, Tables } from "./Tables.js"

const keyOfRow = ({ source, subjectHash, workspaceId }: FollowUpKey): string => keyOf(workspaceId, source, subjectHash)

/** The row that this claim still holds. */
const heldBy = ({ followUps }: Tables, claimed: ClaimedFollowUp): FollowUpRow | null => {
  const row = followUps.get(keyOfRow(claimed))
  const isHeld = row?.followUpId === claimed.followUpId && row.tries === claimed.tries && row.answeredAtMillis === null
  return isHeld ? row : null
}

const change = (tables: Tables, claimed: ClaimedFollowUp, changed: Partial<FollowUpRow>): boolean => {
  const row = heldBy(tables, claimed)
  if (row === null) return false
  tables.followUps.set(keyOfRow(claimed), { ...row, ...changed })
  return true
}

export const layer = memoryStore(LaterStore, "LaterStore", ({ read, write }) => {
  const now = Clock.currentTimeMillis
  return {
    find: (key) =>
      Effect.flatMap(now, (nowMillis) =>
        read(({ followUps }) => {
          const row = followUps.get(keyOfRow(key))
          if (row === undefined || row.keptUntilMillis <= nowMillis) return Option.none()
          const { answeredAtMillis, isUnknown, sealed } = row
          return Option.some({ sealed, answeredAtMillis, isUnknown })
        })
      ),

    insert: ({ afterMillis, keepMillis, ...followUp }) =>
      Effect.flatMap(now, (nowMillis) =>
        write(({ followUps }) => {
          const standing = followUps.get(keyOfRow(followUp))
          if (standing !== undefined && standing.keptUntilMillis > nowMillis) return false
          followUps.set(keyOfRow(followUp), {
            ...followUp,
            tries: 0,
            dueAtMillis: nowMillis + afterMillis,
            answeredAtMillis: null,
            isUnknown: false,
            keptUntilMillis: nowMillis + keepMillis
          })
          return true
        })
      ),

    claim: ({ lanes, leaseMillis, limit }) =>
      Effect.flatMap(now, (nowMillis) =>
        write((tables) => {
          const due = tables.followUps
            .filter(({ answeredAtMillis, dueAtMillis, keptUntilMillis }) => {
              const isPending = answeredAtMillis === null && keptUntilMillis > nowMillis
              return isPending && dueAtMillis <= nowMillis
            })
            .sort(ascending(({ dueAtMillis }) => dueAtMillis))
          return lanes
            .flatMap((lane) => due.filter(({ source }) => source === lane.source).slice(0, lane.limit))
            .sort(ascending(({ dueAtMillis }) => dueAtMillis))
            .slice(0, limit)
            .map((row) => {
              const held = { ...row, tries: row.tries + 1, dueAtMillis: nowMillis + leaseMillis }
              tables.followUps.set(keyOfRow(row), held)
              const { addressHashes, followUpId, sealed, source, subjectHash, tries, workspaceId } = held
              const workspaceKind = tables.workspaces.get(workspaceId)?.kind ?? "live"
              return { addressHashes, followUpId, sealed, source, subjectHash, tries, workspaceId, workspaceKind }
            })
        })
      ),

    due: (sources) =>
      Effect.flatMap(now, (nowMillis) =>
        read(({ followUps }) =>
          sources.flatMap((source) => {
            const dues = followUps
              .filter(
                (row) => row.source === source && row.answeredAtMillis === null && row.keptUntilMillis > nowMillis
              )
              .map(({ dueAtMillis }) => dueAtMillis)
            return dues.length === 0 ? [] : [{ source, inMillis: Math.max(0, Math.min(...dues) - nowMillis) }]
          })
        )
      ),

    revise: (key, before, { addressHashes, afterMillis, sealed }) =>
      Effect.flatMap(now, (nowMillis) =>
        write(({ followUps }) => {
          const row = followUps.get(keyOfRow(key))
          if (row === undefined || row.answeredAtMillis !== null || row.keptUntilMillis <= nowMillis) return false
          if (row.sealed !== before) return false
          followUps.set(keyOfRow(key), {
            ...row,
            sealed,
            addressHashes: [...row.addressHashes, ...addressHashes],
            tries: row.tries + 1,
            dueAtMillis: nowMillis + afterMillis
          })
          return true
        })
      ),

    again: (claimed, { addressHashes, afterMillis, sealed }) =>
      Effect.flatMap(now, (nowMillis) =>
        write((tables) => change(tables, claimed, { addressHashes, sealed, dueAtMillis: nowMillis + afterMillis }))
      ),

    answer: (claimed, { addressHashes, isUnknown, keepMillis, sealed }) =>
      Effect.flatMap(now, (nowMillis) =>
        write((tables) =>
          change(tables, claimed, {
            addressHashes,
            sealed,
            answeredAtMillis: nowMillis,
            isUnknown,
            keptUntilMillis: nowMillis + keepMillis
          })
        )
      ),

    settle: (key, answer) =>
      Effect.flatMap(now, (nowMillis) =>
        write(({ followUps }) => {
          const row = followUps.get(keyOfRow(key))
          if (row === undefined || row.answeredAtMillis !== null || row.keptUntilMillis <= nowMillis) return false
          if (answer === null) followUps.delete(keyOfRow(key))
          else {
            followUps.set(keyOfRow(key), {
              ...row,
              sealed: answer.sealed,
              addressHashes: [...row.addressHashes, ...answer.addressHashes],
              answeredAtMillis: nowMillis,
              isUnknown: answer.isUnknown,
              keptUntilMillis: nowMillis + answer.keepMillis
            })
          }
          return true
        })
      ),

    amend: (key, before, after) =>
      Effect.flatMap(now, (nowMillis) =>
        write(({ followUps }) => {
          const row = followUps.get(keyOfRow(key))
          if (row === undefined || row.answeredAtMillis === null || row.keptUntilMillis <= nowMillis) return false
          if (row.sealed !== before) return false
          followUps.set(keyOfRow(key), { ...row, sealed: after })
          return true
        })
      ),

    drop: (claimed) =>
      write((tables) => {
        const isHeld = heldBy(tables, claimed) !== null
        if (isHeld) tables.followUps.delete(keyOfRow(claimed))
        return isHeld
      }),

    purge: (limit) =>
      Effect.flatMap(now, (nowMillis) =>
        write(({ followUps }) => followUps.deleteFirst(limit, ({ keptUntilMillis }) => keptUntilMillis <= nowMillis))
      )
  }
})
