import { type ConnectedMailbox, OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { Clock, Effect, Option } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { ascending, keyOf } from "./Table.js"
import type { OwnMailboxRow, Tables } from "./Tables.js"

const connected = ({ folders, mailboxes }: Tables, { own }: OwnMailboxRow): ConnectedMailbox => {
  const mailbox = mailboxes.get(keyOf(own.workspaceId, own.mailboxId))
  if (mailbox === undefined) throw new Error(`there is no mailbox ${own.mailboxId}`)
  const skipped = folders.where("mailbox", keyOf(own.workspaceId, own.mailboxId)).map((folder) => folder.skipped)
  return { mailbox, own, skipped: skipped.reduce((sum, count) => sum + count, 0) }
}

const isHeld = ({ hold }: OwnMailboxRow, nowMillis: number): boolean => hold !== null && hold.untilMillis > nowMillis

const isHeldBy = (row: OwnMailboxRow, hostId: string, nowMillis: number): boolean =>
  row.hold?.hostId === hostId && isHeld(row, nowMillis)

const keyOfRow = ({ own }: OwnMailboxRow): string => keyOf(own.workspaceId, own.mailboxId)

export const layer = memoryStore(OwnMailboxStore, "OwnMailboxStore", ({ atomically, read, write }) => ({
  put: (own) =>
    write(({ ownMailboxes }) =>
      ownMailboxes.set(keyOf(own.workspaceId, own.mailboxId), { own, renewedSecret: null, hold: null })
    ),
  get: (workspaceId, mailboxId) =>
    read((tables) =>
      Option.map(tables.ownMailboxes.find(keyOf(workspaceId, mailboxId)), (row) => connected(tables, row))
    ),
  list: (workspaceId) =>
    read((tables) =>
      tables.ownMailboxes
        .filter(({ own }) => own.workspaceId === workspaceId)
        .map((row) => connected(tables, row))
        .sort(ascending(({ mailbox }) => mailbox.address))
    ),
  lockAddress: (workspaceId, address) =>
    read(({ mailboxes }) =>
      Option.fromNullishOr(
        mailboxes.filter((one) => one.workspaceId === workspaceId && one.address === address && one.kind === "own")[0]
      )
    ),
  remove: (workspaceId, mailboxId) =>
    write(({ folders, ownMailboxes }) => {
      ownMailboxes.delete(keyOf(workspaceId, mailboxId))
      for (const { folder } of folders.where("mailbox", keyOf(workspaceId, mailboxId))) {
        folders.delete(keyOf(workspaceId, mailboxId, folder))
      }
    }),
  renewedSecret: (workspaceId, mailboxId) =>
    read(({ ownMailboxes }) => ownMailboxes.get(keyOf(workspaceId, mailboxId))?.renewedSecret ?? null),
  keepRenewed: (workspaceId, mailboxId, sealedSecret) =>
    atomically(
      write(({ ownMailboxes }) => {
        const key = keyOf(workspaceId, mailboxId)
        const row = ownMailboxes.get(key)
        if (row !== undefined) ownMailboxes.set(key, { ...row, renewedSecret: sealedSecret })
      })
    ),
  cursors: (workspaceId, mailboxId) =>
    read(({ folders }) =>
      folders
        .where("mailbox", keyOf(workspaceId, mailboxId))
        .sort(ascending(({ folder }) => folder))
        .map(({ folder, lastUid, uidValidity }) => ({ folder, uidValidity, lastUid }))
    ),
  moveCursor: (workspaceId, mailboxId, cursor, skipped) =>
    atomically(
      write(({ folders, ownMailboxes }) => {
        if (ownMailboxes.get(keyOf(workspaceId, mailboxId)) === undefined) return
        const key = keyOf(workspaceId, mailboxId, cursor.folder)
        const before = folders.get(key)
        const isSame = before?.uidValidity === cursor.uidValidity
        const lastUid = isSame ? Math.max(before.lastUid, cursor.lastUid) : cursor.lastUid
        folders.set(key, { ...cursor, workspaceId, mailboxId, lastUid, skipped: (before?.skipped ?? 0) + skipped })
      })
    ),
  hold: ({ hostId, limit, millis }) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      atomically(
        write((tables) => {
          const all = tables.ownMailboxes
            .filter(() => true)
            .sort(ascending(({ hold }) => hold?.untilMillis ?? 0, keyOfRow))
          const mine = all.filter((row) => isHeldBy(row, hostId, nowMillis)).slice(0, limit)
          const free = all.filter((row) => !isHeld(row, nowMillis)).slice(0, limit - mine.length)
          return [...mine, ...free].map((row) => {
            tables.ownMailboxes.set(keyOfRow(row), { ...row, hold: { hostId, untilMillis: nowMillis + millis } })
            return connected(tables, row)
          })
        })
      )
    ),
  holds: (hostId, mailboxIds) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      read(({ ownMailboxes }) =>
        ownMailboxes
          .filter((row) => mailboxIds.includes(row.own.mailboxId) && isHeldBy(row, hostId, nowMillis))
          .map(({ own }) => own.mailboxId)
      )
    ),
  release: (hostId, mailboxIds) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      atomically(
        write(({ ownMailboxes }) => {
          for (const row of ownMailboxes.filter((one) => isHeldBy(one, hostId, nowMillis))) {
            if (!mailboxIds.includes(row.own.mailboxId)) continue
            ownMailboxes.set(keyOfRow(row), { ...row, hold: { hostId, untilMillis: nowMillis } })
          }
        })
      )
    )
}))
