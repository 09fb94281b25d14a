import type { PostmasterConnection, PostmasterReading } from "@outbound/domain/wings/postmaster/Postmaster.js"
import { PostmasterStore } from "@outbound/domain/wings/postmaster/PostmasterStore.js"
import { Effect, Layer, Option } from "effect"
import { each, withMembers } from "../../memory/eachRow.js"
import { Memory } from "../../memory/Memory.js"
import { memoryStore } from "../../memory/MemoryStore.js"
import { ascending, keyOf, Table, type UndoLog } from "../../memory/Table.js"
import type { Tables } from "../../memory/Tables.js"
import type { SetBack } from "../../memory/WingRows.js"

export const postmasterTables = (log: UndoLog) => ({
  /** By workspace. */
  postmasterConnections: new Table<PostmasterConnection>(log),
  /** By workspace and domain. */
  postmasterReadings: new Table<PostmasterReading>(log)
})

const store = memoryStore(PostmasterStore, "PostmasterStore", ({ read, write }) => {
  const of = ({ wings }: Tables) => wings.of(postmasterTables)
  const get = (workspaceId: string) =>
    read((tables) => Option.fromNullishOr(of(tables).postmasterConnections.get(workspaceId)))
  return {
    get,
    lock: get,
    put: (row) => write((tables) => of(tables).postmasterConnections.set(row.workspaceId, row)),
    remove: (workspaceId) =>
      write((tables) => {
        const { postmasterConnections, postmasterReadings } = of(tables)
        for (const key of postmasterReadings.keysWhere((row) => row.workspaceId === workspaceId)) {
          postmasterReadings.delete(key)
        }
        postmasterConnections.delete(workspaceId)
      }),
    readings: (workspaceId) =>
      read((tables) =>
        of(tables)
          .postmasterReadings.filter((row) => row.workspaceId === workspaceId)
          .toSorted(ascending(({ domain }) => domain))
      ),
    putReading: (row) => write((tables) => of(tables).postmasterReadings.set(keyOf(row.workspaceId, row.domain), row)),
    overdue: (beforeMillis, limit) =>
      read((tables) =>
        of(tables)
          .postmasterConnections.filter((row) => row.refusedAtMillis === null && row.nextAtMillis < beforeMillis)
          .toSorted(
            ascending(
              ({ nextAtMillis }) => nextAtMillis,
              ({ workspaceId }) => workspaceId
            )
          )
          .slice(0, limit)
          .map(({ workspaceId }) => workspaceId)
      )
  }
})

/** A clock that was set back. */
const keeping = (tables: Tables): void => {
  const { postmasterConnections, postmasterReadings } = tables.wings.of(postmasterTables)
  const setBack = ({ atLatestNow, sooner }: SetBack): void => {
    each(postmasterConnections, (row) =>
      withMembers(row, {
        nextAtMillis: row.refusedAtMillis === null ? sooner(row.nextAtMillis) : row.nextAtMillis,
        refusedAtMillis: atLatestNow(row.refusedAtMillis),
        readAtMillis: atLatestNow(row.readAtMillis)
      })
    )
    each(postmasterReadings, (row) => withMembers(row, { readAtMillis: atLatestNow(row.readAtMillis) }))
  }
  tables.wings.clocks.set("postmaster", setBack)
}

export const layer = Layer.merge(store, Layer.effectDiscard(Effect.flatMap(Memory, ({ read }) => read(keeping))))
