import { RECORD_TYPES, Wishes } from "@outbound/domain/outreach/domains/Wishes.js"
import { ZONE_VENDORS } from "@outbound/domain/outreach/domains/DnsZones.js"
import { SendingDomainMachine } from "@outbound/domain/outreach/domains/SendingDomainMachine.js"
import { type SendingDomain, SendingDomainStore } from "@outbound/domain/outreach/domains/SendingDomainStore.js"
import { Schema } from "effect"
import { date, firstRow, hasRows, Millis, rows, run } from "./Columns.js"
import { columnsOf, texts } from "./RowFields.js"
import { storeLayer } from "./storeLayer.js"

const ApprovalJson = Schema.Struct({
  ...texts("digest", "zoneId", "zoneName", "by"),
  changes: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      type: Schema.Literal(...RECORD_TYPES),
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
  state: Schema.Literal(...SendingDomainMachine.states),
  sinceMillis: Millis,
  zone: Schema.NullOr(
    Schema.Struct({
      vendor: Schema.Literal(...ZONE_VENDORS),
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
  const columns = sql.literal(columnsOf(DomainRow, "d", { zone: ZONE }))

  const zoneOf = ({ zone }: SendingDomain) => ({
    vendor: zone?.vendor ?? null,
    secret: zone?.sealedSecret ?? null,
    last4: zone?.last4 ?? null,
    addedBy: zone?.addedBy ?? null
  })

  return {
    insert: (domain) => {
      const zone = zoneOf(domain)
      return sql`
        INSERT INTO sending_domains (workspace_id, domain_id, domain, wishes, state, since, zone_vendor, zone_secret,
          zone_last4, zone_added_by, approval, stopped, created_at)
        VALUES (${domain.workspaceId}, ${domain.domainId}, ${domain.domain}, ${json(domain.wishes)}::jsonb,
          ${domain.state}, ${date(domain.sinceMillis)}, ${zone.vendor}, ${zone.secret}, ${zone.last4},
          ${zone.addedBy}, ${json(domain.approval)}::jsonb, ${domain.stopped}, ${date(domain.createdAtMillis)})
        ON CONFLICT (workspace_id, domain) DO NOTHING
        RETURNING domain
      `.pipe(hasRows("sendingDomains.insert"))
    },

    get: (workspaceId, domainId) =>
      sql`
        SELECT ${columns} FROM sending_domains d
        WHERE d.workspace_id = ${workspaceId} AND d.domain_id = ${domainId}
      `.pipe(firstRow("sendingDomains.get", DomainRow)),

    lock: (workspaceId, domainId) =>
      sql`
        SELECT ${columns} FROM sending_domains d
        WHERE d.workspace_id = ${workspaceId} AND d.domain_id = ${domainId}
        FOR UPDATE
      `.pipe(firstRow("sendingDomains.lock", DomainRow)),

    update: (domain) => {
      const zone = zoneOf(domain)
      return sql`
        UPDATE sending_domains d SET wishes = ${json(domain.wishes)}::jsonb, state = ${domain.state},
          since = ${date(domain.sinceMillis)}, zone_vendor = ${zone.vendor}, zone_secret = ${zone.secret},
          zone_last4 = ${zone.last4}, zone_added_by = ${zone.addedBy}, approval = ${json(domain.approval)}::jsonb,
          stopped = ${domain.stopped}
        WHERE d.workspace_id = ${domain.workspaceId} AND d.domain_id = ${domain.domainId}
      `.pipe(run("sendingDomains.update"))
    },

    list: (workspaceId) =>
      sql`
        SELECT ${columns} FROM sending_domains d
        WHERE d.workspace_id = ${workspaceId} ORDER BY d.domain COLLATE "C"
      `.pipe(rows("sendingDomains.list", DomainRow)),

    remove: (workspaceId, domainId) =>
      sql`
        DELETE FROM sending_domains d WHERE d.workspace_id = ${workspaceId} AND d.domain_id = ${domainId}
        RETURNING d.domain
      `.pipe(hasRows("sendingDomains.remove")),

    underWay: (limit) =>
      sql`
        SELECT d.workspace_id AS "workspaceId", d.domain_id AS "domainId" FROM sending_domains d
        WHERE d.state IN ('applying', 'checking') ORDER BY d.since LIMIT ${limit}
      `.pipe(rows("sendingDomains.underWay", Schema.Struct({ workspaceId: Schema.String, domainId: Schema.String })))
  }
})
