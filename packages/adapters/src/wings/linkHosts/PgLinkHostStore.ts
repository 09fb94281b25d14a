import { LINK_TROUBLES } from "@outbound/domain/wings/linkHosts/LinkHost.js"
import { LinkHostMachine } from "@outbound/domain/wings/linkHosts/LinkHostMachine.js"
import { LinkHostStore } from "@outbound/domain/wings/linkHosts/LinkHostStore.js"
import { Schema } from "effect"
import { date, firstValue, json, literals, Millis, rows, run } from "../../postgres/Columns.js"
import {
  columnsOf,
  readerOf,
  remove,
  storeLayer,
  texts,
  textsOrNull,
  times,
  timesOrNull,
  upsert,
  valuesOf
} from "../../postgres/Table.js"

const HostRow = Schema.Struct({
  ...texts("workspaceId", "host"),
  ...textsOrNull("domain"),
  state: Schema.Literals(LinkHostMachine.states),
  trouble: Schema.NullOr(Schema.Literals(LINK_TROUBLES)),
  failures: Schema.Int,
  addedBy: Schema.String,
  addedAtMillis: Millis,
  ...timesOrNull("provenAtMillis", "answeredAtMillis", "checkedAtMillis"),
  ...times("nextCheckAtMillis"),
  listed: Schema.Array(Schema.Struct(texts("zone", "says"))),
  ...timesOrNull("listsAskedAtMillis")
})

const RefRow = Schema.Struct(texts("workspaceId", "host"))

export const layer = storeLayer(LinkHostStore, (sql) => {
  const { all, one } = readerOf(sql, "link_hosts h", HostRow, columnsOf(HostRow, "h"))
  const held = sql.literal(literals(LinkHostMachine.in.held))
  const watched = sql.literal(literals(LinkHostMachine.in.watched))
  return {
    list: (workspaceId) => all("linkHosts.list")(sql`h.workspace_id = ${workspaceId} ORDER BY h.host COLLATE "C"`),

    get: ({ host, workspaceId }) => one("linkHosts.get")({ workspaceId, host }),

    lockName: (host) =>
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`link host ${host}`}, 0))`.pipe(run("linkHosts.lockName")),

    lock: ({ host, workspaceId }) => one("linkHosts.lock")({ workspaceId, host }, "FOR UPDATE"),

    holder: (host) => one("linkHosts.holder")(sql`h.host = ${host} AND h.state IN (${held}) FOR UPDATE`),

    put: (host) =>
      upsert(sql, "link_hosts", ["workspace_id", "host"], valuesOf(HostRow, host, { listed: json(host.listed) })).pipe(
        run("linkHosts.put")
      ),

    forget: ({ host, workspaceId }) =>
      remove(sql, "link_hosts", { workspaceId, host, provenAtMillis: null }).pipe(run("linkHosts.forget")),

    isKnown: (host) =>
      sql`
        SELECT EXISTS (SELECT 1 FROM link_hosts h WHERE h.host = ${host} AND h.proven_at IS NOT NULL) AS known
      `.pipe(firstValue("linkHosts.isKnown", Schema.Boolean, false)),

    known: (after, limit) =>
      all("linkHosts.known")(sql`
        h.proven_at IS NOT NULL AND h.host COLLATE "C" > ${after ?? ""}
        ORDER BY h.host COLLATE "C", h.workspace_id LIMIT ${limit}
      `),

    overdue: (beforeMillis, limit) =>
      sql`
        SELECT h.workspace_id AS "workspaceId", h.host FROM link_hosts h
        WHERE h.state IN (${watched}) AND h.next_check_at < ${date(beforeMillis)}
        ORDER BY h.next_check_at, h.workspace_id, h.host LIMIT ${limit}
      `.pipe(rows("linkHosts.overdue", RefRow))
  }
})
