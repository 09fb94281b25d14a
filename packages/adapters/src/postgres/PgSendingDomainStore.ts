import { RECORD_TYPES, Wishes } from "@outbound/domain/outreach/domains/Wishes.js"
import { ZONE_VENDORS } from "@outbound/domain/outreach/domains/DnsZones.js"
import { SendingDomainMachine } from "@outbound/domain/outreach/domains/SendingDomainMachine.js"
import { type SendingDomain, SendingDomainStore } from "@outbound/domain/outreach/domains/SendingDomainStore.js"
import { Schema, Struct } from "effect"
import { date, hasRows, Millis, rows, run, literals } from "./Columns.js"
import { columnsOf, readerOf, remove, storeLayer, texts, valuesOf } from "./Table.js"

const ApprovalJson = Schema.Struct({
  ...texts("digest", "zoneId", "zoneName", "by"),
  changes: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      type: Schema.Literals(RECORD_TYPES),
      before: Schema.Array(Schema.String),
      after: Schema.Array(Schema.String),
      isDone: Schema.Boolean,
      tries: Schema.Number,
      askedAtMillis: Schema.NullOr(Schema.Number)
    })
  )
})

const DomainRow = Schema.Struct({
  ...texts("workspaceId", "domainId", "domain"),
  wishes: Wishes,
  state: Schema.Literals(SendingDomainMachine.states),
  sinceMillis: Millis,
  zone: Schema.NullOr(
    Schema.Struct({
      vendor: Schema.Literals(ZONE_VENDORS),
      ...texts("sealedSecret", "last4", "addedBy")
    })
  ),
  approval: Schema.NullOr(ApprovalJson),
  stopped: Schema.NullOr(Schema.String),
  createdAtMillis: Millis
})

const ZONE = `
  CASE WHEN d.zone_vendor IS NOT NULL THEN json_build_object('vendor', d.zone_vendor, 'sealedSecret', d.zone_secret,
    'last4', d.zone_last4, 'addedBy', d.zone_added_by) END
`
const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

export const layer = storeLayer(SendingDomainStore, (sql) => {
  const { all, one } = readerOf(sql, "sending_domains d", DomainRow, columnsOf(DomainRow, "d", { zone: ZONE }))

  /** What `insert` and `update` write beside the row's ids. */
  const written = ({ approval, sinceMillis, state, stopped, wishes, zone }: SendingDomain) => ({
    wishes: json(wishes),
    state,
    since: date(sinceMillis),
    zone_vendor: zone?.vendor ?? null,
    zone_secret: zone?.sealedSecret ?? null,
    zone_last4: zone?.last4 ?? null,
    zone_added_by: zone?.addedBy ?? null,
    approval: json(approval),
    stopped
  })

  return {
    insert: (domain) =>
      sql`
        INSERT INTO sending_domains ${sql.insert({
          ...valuesOf(
            DomainRow.mapFields(Struct.pick(["workspaceId", "domainId", "domain", "createdAtMillis"])),
            domain
          ),
          ...written(domain)
        })}
        ON CONFLICT (workspace_id, domain) DO NOTHING
        RETURNING domain
      `.pipe(hasRows("sendingDomains.insert")),

    get: (workspaceId, domainId) => one("sendingDomains.get")({ workspaceId, domainId }),

    lock: (workspaceId, domainId) => one("sendingDomains.lock")({ workspaceId, domainId }, "FOR UPDATE"),

    update: (domain) =>
      sql`
        UPDATE sending_domains SET ${sql.update(written(domain))}
        WHERE workspace_id = ${domain.workspaceId} AND domain_id = ${domain.domainId}
      `.pipe(run("sendingDomains.update")),

    list: (workspaceId) =>
      all("sendingDomains.list")(sql`d.workspace_id = ${workspaceId} ORDER BY d.domain COLLATE "C"`),

    remove: (workspaceId, domainId) =>
      remove(sql, "sending_domains", { workspaceId, domainId }).pipe(hasRows("sendingDomains.remove")),

    underWay: (limit) =>
      sql`
        SELECT d.workspace_id AS "workspaceId", d.domain_id AS "domainId" FROM sending_domains d
        WHERE d.state IN (${sql.literal(literals(SendingDomainMachine.in.underWay))}) ORDER BY d.since LIMIT ${limit}
      `.pipe(rows("sendingDomains.underWay", Schema.Struct({ workspaceId: Schema.String, domainId: Schema.String })))
  }
})
