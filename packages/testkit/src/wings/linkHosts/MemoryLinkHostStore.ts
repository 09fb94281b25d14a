import type { LinkHost } from "@outbound/domain/wings/linkHosts/LinkHost.js"
import { LinkHostMachine } from "@outbound/domain/wings/linkHosts/LinkHostMachine.js"
import { LinkHostStore } from "@outbound/domain/wings/linkHosts/LinkHostStore.js"
import { Effect, Layer, Option } from "effect"
import { each, withMembers } from "../../memory/eachRow.js"
import { Memory } from "../../memory/Memory.js"
import { memoryStore } from "../../memory/MemoryStore.js"
import { ascending, keyOf, Table, type UndoLog } from "../../memory/Table.js"
import type { Tables } from "../../memory/Tables.js"
import type { SetBack } from "../../memory/WingRows.js"

export const linkHostTables = (log: UndoLog) => ({
  /** By workspace and host. */
  linkHosts: new Table<LinkHost>(log)
})

const byName = ascending<LinkHost>(
  ({ host }) => host,
  ({ workspaceId }) => workspaceId
)

const rowKey = ({ host, workspaceId }: Pick<LinkHost, "workspaceId" | "host">) => keyOf(workspaceId, host)

const store = memoryStore(LinkHostStore, "LinkHostStore", ({ read, write }) => {
  const of = ({ wings }: Tables) => wings.of(linkHostTables).linkHosts
  return {
    list: (workspaceId) =>
      read((tables) =>
        of(tables)
          .filter((row) => row.workspaceId === workspaceId)
          .toSorted(byName)
      ),
    get: (ref) => read((tables) => Option.fromNullishOr(of(tables).get(rowKey(ref)))),
    lockName: () => Effect.void,
    lock: (ref) => read((tables) => Option.fromNullishOr(of(tables).get(rowKey(ref)))),
    holder: (host) =>
      read((tables) =>
        Option.fromNullishOr(of(tables).filter((row) => row.host === host && LinkHostMachine.is.held(row.state))[0])
      ),
    put: (host) =>
      write((tables) => {
        const another = of(tables).filter(
          (row) => row.host === host.host && row.workspaceId !== host.workspaceId && LinkHostMachine.is.held(row.state)
        )
        if (LinkHostMachine.is.held(host.state) && another.length > 0) throw new Error("two workspaces hold one name")
        of(tables).set(rowKey(host), host)
      }),
    forget: (ref) =>
      write((tables) => {
        const row = of(tables).get(rowKey(ref))
        if (row !== undefined && row.provenAtMillis === null) of(tables).delete(rowKey(ref))
      }),
    isKnown: (host) =>
      read((tables) => of(tables).filter((row) => row.host === host && row.provenAtMillis !== null).length > 0),
    known: (after, limit) =>
      read((tables) =>
        of(tables)
          .filter((row) => row.provenAtMillis !== null && row.host > (after ?? ""))
          .toSorted(byName)
          .slice(0, limit)
      ),
    overdue: (beforeMillis, limit) =>
      read((tables) =>
        of(tables)
          .filter((row) => LinkHostMachine.is.watched(row.state) && row.nextCheckAtMillis < beforeMillis)
          .toSorted(
            ascending(
              ({ nextCheckAtMillis }) => nextCheckAtMillis,
              ({ workspaceId }) => workspaceId,
              ({ host }) => host
            )
          )
          .slice(0, limit)
          .map(({ host, workspaceId }) => ({ workspaceId, host }))
      )
  }
})

/** What owners are alerted to of a host. */
const standing = ({ answeredAtMillis, host, listed, listsAskedAtMillis, state, trouble, workspaceId }: LinkHost) => [
  ...(LinkHostMachine.is.failing(state)
    ? [{ workspaceId, subject: host, period: String(answeredAtMillis ?? 0), name: host, says: trouble ?? "" }]
    : []),
  ...listed.map(({ says, zone }) => ({
    workspaceId,
    subject: `${host}/${zone}`,
    period: new Date(listsAskedAtMillis ?? 0).toISOString().slice(0, 7),
    name: host,
    says: says === "" ? zone : `${zone}: ${says}`
  }))
]

/** A clock that was set back, and what owners are alerted to. */
const keeping = (tables: Tables): void => {
  const { linkHosts } = tables.wings.of(linkHostTables)
  const setBack = ({ atLatestNow, sooner }: SetBack): void =>
    each(linkHosts, (row) =>
      withMembers(row, {
        nextCheckAtMillis: LinkHostMachine.is.watched(row.state)
          ? sooner(row.nextCheckAtMillis)
          : row.nextCheckAtMillis,
        provenAtMillis: atLatestNow(row.provenAtMillis),
        answeredAtMillis: atLatestNow(row.answeredAtMillis),
        checkedAtMillis: atLatestNow(row.checkedAtMillis),
        listsAskedAtMillis: atLatestNow(row.listsAskedAtMillis)
      })
    )
  tables.wings.clocks.set("linkHosts", setBack)
  tables.wings.alerts.set("link_host", () =>
    linkHosts.filter(({ state }) => LinkHostMachine.is.watched(state)).flatMap(standing)
  )
}

export const layer = Layer.merge(store, Layer.effectDiscard(Effect.flatMap(Memory, ({ read }) => read(keeping))))
