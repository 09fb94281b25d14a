import { CHECK_STATUSES } from "@outbound/domain/outreach/authentication/Look.js"
import { LookStore } from "@outbound/domain/outreach/authentication/LookStore.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { Effect, Schema } from "effect"
import { date, dateOrNull, json, literals, Millis, rows, run } from "./Columns.js"
import { columnsOf, readerOf, storeLayer, texts, times, upsert } from "./Table.js"

const FindingRow = Schema.Struct({
  status: Schema.Literals(CHECK_STATUSES),
  aligned: Schema.NullOr(Schema.Boolean),
  detail: Schema.String,
  checkedAtMillis: Schema.Number
})

const LookRow = Schema.Struct({
  ...texts("workspaceId", "domain"),
  findings: Schema.Struct({ spf: FindingRow, dkim: FindingRow, dmarc: FindingRow, mx: FindingRow }),
  listed: Schema.Array(Schema.Struct(texts("zone", "says"))),
  failingSinceMillis: Schema.NullOr(Millis),
  ...times("lookedAtMillis", "nextLookAtMillis"),
  stoppedCampaigns: Schema.Array(Schema.String)
})

const DomainRow = Schema.Struct({ domain: Schema.String })
const MailboxRow = Schema.Struct({ mailboxId: Schema.String })
const DueRow = Schema.Struct(texts("workspaceId", "domain"))
const SignatureRow = Schema.Struct(texts("signer", "selector"))

const GONE = literals(MailboxMachine.in.gone)

export const layer = storeLayer(LookStore, (sql) => {
  const { columns, one } = readerOf(sql, "domain_looks k", LookRow, columnsOf(LookRow, "k"))
  const gone = sql.literal(GONE)

  return {
    looks: (workspaceId, domains) =>
      sql`
        SELECT ${columns} FROM domain_looks k
        WHERE k.workspace_id = ${workspaceId} AND k.domain = ANY(${[...domains]}::text[])
      `.pipe(rows("looks.looks", LookRow)),

    lock: ({ domain, workspaceId }) => one("looks.lock")({ workspaceId, domain }, "FOR UPDATE"),

    put: (look) =>
      upsert(sql, "domain_looks", ["workspace_id", "domain"], {
        workspace_id: look.workspaceId,
        domain: look.domain,
        findings: json(look.findings),
        listed: json(look.listed),
        failing_since: dateOrNull(look.failingSinceMillis),
        looked_at: date(look.lookedAtMillis),
        next_look_at: date(look.nextLookAtMillis),
        stopped_campaigns: json(look.stoppedCampaigns)
      }).pipe(run("looks.put")),

    domains: (workspaceId) =>
      sql`
        SELECT DISTINCT b.domain FROM mailboxes b
        WHERE b.workspace_id = ${workspaceId} AND b.state NOT IN (${gone}) ORDER BY b.domain
      `.pipe(rows("looks.domains", DomainRow, ({ domain }) => domain)),

    paused: ({ domain, workspaceId }) =>
      sql`
        SELECT b.mailbox_id AS "mailboxId" FROM mailboxes b
        WHERE b.workspace_id = ${workspaceId} AND b.domain = ${domain} AND b.state = 'paused'
          AND b.pause_reason = 'authentication'
        ORDER BY b.mailbox_id
      `.pipe(rows("looks.paused", MailboxRow, ({ mailboxId }) => mailboxId)),

    due: (beforeMillis, limit) =>
      sql`
        SELECT d.workspace_id AS "workspaceId", d.domain
        FROM (
          SELECT DISTINCT b.workspace_id, b.domain FROM mailboxes b
          JOIN workspaces w ON w.workspace_id = b.workspace_id AND w.kind = 'live'
          WHERE b.state NOT IN (${gone})
        ) d
        LEFT JOIN domain_looks k ON k.workspace_id = d.workspace_id AND k.domain = d.domain
        WHERE k.next_look_at IS NULL OR k.next_look_at < ${date(beforeMillis)}
        ORDER BY k.next_look_at NULLS FIRST, d.workspace_id, d.domain LIMIT ${limit}
      `.pipe(rows("looks.due", DueRow)),

    sawSignatures: ({ domain, workspaceId }, seen, nowMillis) =>
      sql`
        DELETE FROM seen_signatures s WHERE s.workspace_id = ${workspaceId} AND s.domain = ${domain}
      `.pipe(
        run("looks.forgetSignatures"),
        Effect.andThen(
          seen.length === 0
            ? Effect.void
            : sql`
                INSERT INTO seen_signatures (workspace_id, domain, signer, selector, seen_at)
                SELECT DISTINCT ${workspaceId}::uuid, ${domain}, g.signer, g.selector, ${date(nowMillis)}::timestamptz
                FROM json_to_recordset(${json(seen)}::json) AS g (signer text, selector text)
              `.pipe(run("looks.sawSignatures"))
        )
      ),

    signatures: ({ domain, workspaceId }, sinceMillis) =>
      sql`
        SELECT s.signer, s.selector FROM seen_signatures s
        WHERE s.workspace_id = ${workspaceId} AND s.domain = ${domain} AND s.seen_at >= ${date(sinceMillis)}
        ORDER BY s.signer COLLATE "C", s.selector COLLATE "C"
      `.pipe(rows("looks.signatures", SignatureRow))
  }
})
