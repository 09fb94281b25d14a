import { DEFAULT_RULE } from "@outbound/domain/outreach/reputation/DomainWatch.js"
import { ReputationStore, SOURCE_DAYS_MAX } from "@outbound/domain/outreach/reputation/ReputationStore.js"
import { Effect, Option, Schema, Struct } from "effect"
import { NumberText } from "@outbound/domain/kernel/NumberText.js"
import { date, dateOrNull, firstRow, firstValue, hasRows, json, Millis, rows, run } from "./Columns.js"
import { booleans, columnsOf, givenOf, readerOf, storeLayer, texts, upsert, valuesOf } from "./Table.js"

const RuleRow = Schema.Struct({
  failingPercentMax: Schema.Number,
  failingMessagesMin: Schema.Number,
  ...booleans("pausesForDmarc", "pausesForBlocklists"),
  trustedServer: Schema.NullOr(Schema.String)
})

const RULE_COLUMNS = columnsOf(RuleRow, "r", {
  failingPercentMax: "r.failing_percent",
  failingMessagesMin: "r.failing_messages"
})

const WatchRow = Schema.Struct({
  ...texts("workspaceId", "domainId"),
  lookedAtMillis: Schema.NullOr(Millis),
  nextLookAtMillis: Millis,
  missing: Schema.NullOr(
    Schema.Struct({ records: Schema.Array(Schema.String), looks: Schema.Number, sinceMillis: Schema.Number })
  ),
  lists: Schema.Array(
    Schema.Struct({
      ...texts("zone", "subject"),
      isListed: Schema.NullOr(Schema.Boolean),
      sinceMillis: Schema.Number,
      wasListed: Schema.Boolean,
      says: Schema.String,
      last: Schema.Literals(["answered", "refused", "silent"])
    })
  ),
  failing: Schema.NullOr(Schema.Struct({ failed: Schema.Number, messages: Schema.Number, sinceMillis: Schema.Number }))
})

const DayRow = Schema.Struct({
  ...texts("day", "ip"),
  isProven: Schema.Boolean,
  messages: NumberText,
  dkim: NumberText,
  spf: NumberText,
  aligned: NumberText,
  quarantined: NumberText,
  rejected: NumberText
})

const RefRow = Schema.Struct({ workspaceId: Schema.String, domainId: Schema.String })

const jsonOrNull = (value: unknown): string | null => (value === null ? null : json(value))

export const layer = storeLayer(ReputationStore, (sql) => {
  const { one } = readerOf(sql, "domain_watches w", WatchRow, columnsOf(WatchRow, "w"))

  const counts = givenOf(
    sql,
    `day date, ip text, isProven boolean, messages bigint, dkim bigint, spf bigint, aligned bigint,
      quarantined bigint, rejected bigint`
  )
  return {
    rule: (workspaceId) =>
      sql`
        SELECT ${sql.literal(RULE_COLUMNS)}
        FROM reputation_rules r WHERE r.workspace_id = ${workspaceId}
      `.pipe(firstRow("reputation.rule", RuleRow), Effect.map(Option.getOrElse(() => DEFAULT_RULE))),

    setRule: (workspaceId, { failingMessagesMin, failingPercentMax, ...rule }) =>
      upsert(sql, "reputation_rules", ["workspace_id"], {
        workspace_id: workspaceId,
        failing_percent: failingPercentMax,
        failing_messages: failingMessagesMin,
        ...valuesOf(RuleRow.mapFields(Struct.omit(["failingMessagesMin", "failingPercentMax"])), rule)
      }).pipe(run("reputation.setRule")),

    watch: (workspaceId, domainId) => Effect.map(one("reputation.watch")({ workspaceId, domainId }), Option.getOrNull),

    lockWatch: (workspaceId, domainId, nowMillis) =>
      sql`
        INSERT INTO domain_watches (workspace_id, domain_id, next_look_at, lists)
        SELECT d.workspace_id, d.domain_id, ${date(nowMillis)}, '[]'::jsonb FROM sending_domains d
        WHERE d.workspace_id = ${workspaceId} AND d.domain_id = ${domainId}
        ON CONFLICT (workspace_id, domain_id) DO NOTHING
      `.pipe(
        run("reputation.makeWatch"),
        Effect.andThen(one("reputation.lockWatch")({ workspaceId, domainId }, "FOR UPDATE")),
        Effect.map(Option.getOrNull)
      ),

    updateWatch: (watch) =>
      sql`
        UPDATE domain_watches w SET looked_at = ${dateOrNull(watch.lookedAtMillis)},
          next_look_at = ${date(watch.nextLookAtMillis)}, missing = ${jsonOrNull(watch.missing)}::jsonb,
          lists = ${json(watch.lists)}::jsonb, failing = ${jsonOrNull(watch.failing)}::jsonb
        WHERE w.workspace_id = ${watch.workspaceId} AND w.domain_id = ${watch.domainId}
      `.pipe(run("reputation.updateWatch")),

    unwatched: (beforeMillis, limit) =>
      sql`
        SELECT d.workspace_id AS "workspaceId", d.domain_id AS "domainId"
        FROM sending_domains d
        LEFT JOIN domain_watches w ON w.workspace_id = d.workspace_id AND w.domain_id = d.domain_id
        WHERE w.next_look_at IS NULL OR w.next_look_at < ${date(beforeMillis)}
        ORDER BY w.next_look_at NULLS FIRST, d.domain_id LIMIT ${limit}
      `.pipe(rows("reputation.unwatched", RefRow)),

    addReport: ({ domain, isProven, organisation, reportId, workspaceId }, receivedAtMillis) =>
      sql`
        INSERT INTO dmarc_reports (workspace_id, domain, organisation, report_id, is_proven, received_at)
        SELECT ${workspaceId}, ${domain}, ${organisation}, ${reportId}, ${isProven}, ${date(receivedAtMillis)}
        WHERE NOT EXISTS (
          SELECT 1 FROM dmarc_reports r
          WHERE r.workspace_id = ${workspaceId} AND r.domain = ${domain} AND r.organisation = ${organisation}
            AND r.report_id = ${reportId} AND r.is_proven
        )
        ON CONFLICT DO NOTHING
        RETURNING domain
      `.pipe(hasRows("reputation.addReport")),

    unprovenSince: (workspaceId, domain, sinceMillis) =>
      sql`
        SELECT count(*)::int AS count FROM dmarc_reports r
        WHERE r.workspace_id = ${workspaceId} AND r.domain = ${domain} AND r.received_at > ${date(sinceMillis)}
          AND NOT r.is_proven
      `.pipe(firstValue("reputation.unprovenSince", Schema.Number, 0)),

    addCounts: (workspaceId, domainId, days) =>
      sql`
        INSERT INTO dmarc_counts AS c (workspace_id, domain_id, ${counts.columns})
        SELECT ${workspaceId}, ${domainId}, ${counts.values} FROM ${counts.from(days)}
        ORDER BY g.day, g.ip
        ON CONFLICT (workspace_id, domain_id, day, ip, is_proven) DO UPDATE SET
          messages = c.messages + EXCLUDED.messages, dkim = c.dkim + EXCLUDED.dkim, spf = c.spf + EXCLUDED.spf,
          aligned = c.aligned + EXCLUDED.aligned, quarantined = c.quarantined + EXCLUDED.quarantined,
          rejected = c.rejected + EXCLUDED.rejected
      `.pipe(run("reputation.addCounts")),

    sourceDays: (workspaceId, domainId, sinceDay) =>
      sql`
        SELECT c.day::text AS day, c.ip, c.is_proven AS "isProven", c.messages::text AS messages,
          c.dkim::text AS dkim, c.spf::text AS spf, c.aligned::text AS aligned, c.quarantined::text AS quarantined,
          c.rejected::text AS rejected
        FROM dmarc_counts c
        WHERE c.workspace_id = ${workspaceId} AND c.domain_id = ${domainId} AND c.day >= ${sinceDay}::date
        ORDER BY c.day DESC, c.ip COLLATE "C", c.is_proven LIMIT ${SOURCE_DAYS_MAX}
      `.pipe(rows("reputation.sourceDays", DayRow)),

    forget: ({ domainId, workspaceId }, beforeDay, beforeMillis) =>
      sql`
        DELETE FROM dmarc_counts c
        WHERE c.workspace_id = ${workspaceId} AND c.domain_id = ${domainId} AND c.day < ${beforeDay}::date
      `.pipe(
        run("reputation.forgetCounts"),
        Effect.andThen(
          sql`
            DELETE FROM dmarc_reports r
            WHERE r.workspace_id = ${workspaceId} AND r.received_at < ${date(beforeMillis)}
          `.pipe(run("reputation.forgetReports"))
        )
      )
  }
})
