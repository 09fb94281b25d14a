import { CanaryMachine } from "@outbound/domain/wings/canary/CanaryMachine.js"
import { CANARIES_READ_MAX, CanaryStore } from "@outbound/domain/wings/canary/CanaryStore.js"
import { Schema } from "effect"
import { column, countRows, date, hasRows, literals, Millis, run } from "../../postgres/Columns.js"
import {
  columnsOf,
  integers,
  readerOf,
  storeLayer,
  texts,
  textsOrNull,
  times,
  timesOrNull,
  upsert,
  valuesOf
} from "../../postgres/Table.js"

const SettingRow = Schema.Struct({
  ...texts("workspaceId"),
  isOn: Schema.Boolean,
  ...texts("setBy"),
  ...times("setAtMillis", "nextAtMillis")
})

const CanaryRow = Schema.Struct({
  ...texts("workspaceId", "canaryId", "fromMailboxId", "toMailboxId", "domain", "organisation"),
  ...integers("day", "nth"),
  ...texts("campaignId"),
  variant: Schema.NullOr(Schema.Int),
  state: Schema.Literals(CanaryMachine.states),
  plannedAtMillis: Millis,
  ...timesOrNull("claimedAtMillis", "sentAtMillis", "arrivedAtMillis", "lookedAtMillis", "nextAtMillis"),
  isRemoved: Schema.Boolean,
  ...texts("says"),
  ...textsOrNull("spf", "dkim", "dmarc", "compauth")
})

export const layer = storeLayer(CanaryStore, (sql) => {
  const canaries = readerOf(sql, "canaries c", CanaryRow, columnsOf(CanaryRow, "c"))
  const settings = readerOf(sql, "canary_settings s", SettingRow, columnsOf(SettingRow, "s"))
  const open = sql.literal(literals(CanaryMachine.in.open))
  return {
    setting: (workspaceId) => settings.one("canaries.setting")({ workspaceId }),

    lockSetting: (workspaceId) => settings.one("canaries.lockSetting")({ workspaceId }, "FOR UPDATE"),

    putSetting: (setting) =>
      upsert(sql, "canary_settings", ["workspace_id"], valuesOf(SettingRow, setting)).pipe(run("canaries.putSetting")),

    since: (workspaceId, sinceMillis) =>
      canaries.all("canaries.since")(sql`
        c.workspace_id = ${workspaceId} AND c.planned_at >= ${date(sinceMillis)}
        ORDER BY c.planned_at DESC, c.canary_id DESC LIMIT ${CANARIES_READ_MAX}
      `),

    open: (workspaceId) =>
      canaries.all("canaries.open")(sql`
        c.workspace_id = ${workspaceId} AND c.state IN (${open})
        ORDER BY c.next_at, c.canary_id LIMIT ${CANARIES_READ_MAX}
      `),

    lock: ({ canaryId, workspaceId }) => canaries.one("canaries.lock")({ workspaceId, canaryId }, "FOR UPDATE"),

    plan: (canary) =>
      sql`
        INSERT INTO canaries ${sql.insert(valuesOf(CanaryRow, canary))}
        ON CONFLICT (workspace_id, from_mailbox_id, to_mailbox_id, day, nth) DO NOTHING RETURNING 1
      `.pipe(hasRows("canaries.plan")),

    put: (canary) =>
      upsert(sql, "canaries", ["workspace_id", "canary_id"], valuesOf(CanaryRow, canary)).pipe(run("canaries.put")),

    forget: (beforeMillis, limit) =>
      sql`
        DELETE FROM canaries c WHERE (c.workspace_id, c.canary_id) IN (
          SELECT o.workspace_id, o.canary_id FROM canaries o
          WHERE o.planned_at < ${date(beforeMillis)} AND o.state NOT IN (${open})
          ORDER BY o.planned_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
        ) RETURNING 1
      `.pipe(countRows("canaries.forget")),

    overdue: (beforeMillis, limit) =>
      sql`
        SELECT s.workspace_id FROM canary_settings s
        WHERE s.next_at < ${date(beforeMillis)} AND (
          s.is_on OR EXISTS (
            SELECT FROM canaries c WHERE c.workspace_id = s.workspace_id AND c.state IN (${open})
          )
        )
        ORDER BY s.next_at, s.workspace_id LIMIT ${limit}
      `.pipe(column("canaries.overdue", Schema.String))
  }
})
