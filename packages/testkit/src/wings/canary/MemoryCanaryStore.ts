import type { Canary, CanarySetting } from "@outbound/domain/wings/canary/Canary.js"
import { CanaryMachine } from "@outbound/domain/wings/canary/CanaryMachine.js"
import { CANARIES_READ_MAX, type CanaryRef, CanaryStore } from "@outbound/domain/wings/canary/CanaryStore.js"
import { Effect, Layer, Option } from "effect"
import { each, withMembers } from "../../memory/eachRow.js"
import { Memory } from "../../memory/Memory.js"
import { memoryStore } from "../../memory/MemoryStore.js"
import { ascending, keyOf, Table, type UndoLog } from "../../memory/Table.js"
import type { Tables } from "../../memory/Tables.js"
import type { SetBack } from "../../memory/WingRows.js"

export const canaryTables = (log: UndoLog) => ({
  /** By workspace. */
  canarySettings: new Table<CanarySetting>(log),
  /** By workspace and id. */
  canaries: new Table<Canary>(log)
})

const rowKey = ({ canaryId, workspaceId }: CanaryRef) => keyOf(workspaceId, canaryId)

const isSamePlace = (one: Canary, other: Canary): boolean =>
  one.workspaceId === other.workspaceId &&
  one.fromMailboxId === other.fromMailboxId &&
  one.toMailboxId === other.toMailboxId &&
  one.day === other.day &&
  one.nth === other.nth

const byDue = ascending<Canary>(
  ({ nextAtMillis }) => nextAtMillis ?? 0,
  ({ canaryId }) => canaryId
)

const byPlan = ascending<Canary>(
  ({ plannedAtMillis }) => plannedAtMillis,
  ({ canaryId }) => canaryId
)

const store = memoryStore(CanaryStore, "CanaryStore", ({ read, write }) => {
  const of = ({ wings }: Tables) => wings.of(canaryTables)
  const setting = (workspaceId: string) =>
    read((tables) => Option.fromNullishOr(of(tables).canarySettings.get(workspaceId)))
  return {
    setting,
    lockSetting: setting,
    putSetting: (row) => write((tables) => of(tables).canarySettings.set(row.workspaceId, row)),
    since: (workspaceId, sinceMillis) =>
      read((tables) =>
        of(tables)
          .canaries.filter((row) => row.workspaceId === workspaceId && row.plannedAtMillis >= sinceMillis)
          .toSorted((a, b) => byPlan(b, a))
          .slice(0, CANARIES_READ_MAX)
      ),
    open: (workspaceId) =>
      read((tables) =>
        of(tables)
          .canaries.filter((row) => row.workspaceId === workspaceId && CanaryMachine.is.open(row.state))
          .toSorted(byDue)
          .slice(0, CANARIES_READ_MAX)
      ),
    lock: (ref) => read((tables) => Option.fromNullishOr(of(tables).canaries.get(rowKey(ref)))),
    plan: (canary) =>
      write((tables) => {
        if (of(tables).canaries.some((row) => isSamePlace(row, canary))) return false
        of(tables).canaries.insert(rowKey(canary), canary)
        return true
      }),
    put: (canary) => write((tables) => of(tables).canaries.set(rowKey(canary), canary)),
    forget: (beforeMillis, limit) =>
      write((tables) =>
        of(tables).canaries.deleteFirst(
          limit,
          (row) => row.plannedAtMillis < beforeMillis && !CanaryMachine.is.open(row.state),
          byPlan
        )
      ),
    overdue: (beforeMillis, limit) =>
      read((tables) => {
        const { canaries, canarySettings } = of(tables)
        const hasOpen = (workspaceId: string) =>
          canaries.some((row) => row.workspaceId === workspaceId && CanaryMachine.is.open(row.state))
        return canarySettings
          .filter((row) => row.nextAtMillis < beforeMillis && (row.isOn || hasOpen(row.workspaceId)))
          .toSorted(
            ascending(
              ({ nextAtMillis }) => nextAtMillis,
              ({ workspaceId }) => workspaceId
            )
          )
          .slice(0, limit)
          .map(({ workspaceId }) => workspaceId)
      })
  }
})

/** A clock that was set back. */
const keeping = (tables: Tables): void => {
  const { canaries, canarySettings } = tables.wings.of(canaryTables)
  const setBack = ({ atLatestNow, sooner }: SetBack): void => {
    each(canarySettings, (row) => withMembers(row, { nextAtMillis: sooner(row.nextAtMillis) }))
    each(canaries, (row) =>
      withMembers(row, {
        nextAtMillis: CanaryMachine.is.open(row.state) ? sooner(row.nextAtMillis) : row.nextAtMillis,
        plannedAtMillis: atLatestNow(row.plannedAtMillis),
        claimedAtMillis: atLatestNow(row.claimedAtMillis),
        sentAtMillis: atLatestNow(row.sentAtMillis),
        lookedAtMillis: atLatestNow(row.lookedAtMillis)
      })
    )
  }
  tables.wings.clocks.set("canary", setBack)
}

export const layer = Layer.merge(store, Layer.effectDiscard(Effect.flatMap(Memory, ({ read }) => read(keeping))))
