import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { admitted, anAttempt, givenCaller, settlementOf } from "@outbound/testkit/contracts/calls.js"
import { DAY, NOON } from "@outbound/testkit/contracts/fixtures.js"
import { makeApproval, makeCampaign, makeLead } from "@outbound/testkit/contracts/outboundFixtures.js"
import { appended, eventIn, exported, sealedAt } from "@outbound/testkit/contracts/seals.js"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrate } from "../../src/postgres/Migrations.js"
import { check } from "../../src/postgres/PgInvariants.js"
import * as PgStores from "../../src/postgres/PgStores.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { migratedDatabase } from "../support/TestDatabase.js"
import { poolTo } from "./stores.js"

export const temporaryFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outbound-installation-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** An installation: the database there is migrated, and has its stores. */
export const installationAt = (url: string) =>
  Effect.gen(function* () {
    const stores = yield* Layer.build(
      Layer.provideMerge(PgStores.layer, Layer.provideMerge(Layer.effectDiscard(migrate()), poolTo(url)))
    )
    const on = <A, E, R extends Layer.Success<typeof PgStores.layer> | SqlClient>(work: Effect.Effect<A, E, R>) =>
      Effect.provide(work, stores)
    const sql = (statement: string, values?: ReadonlyArray<unknown>) =>
      on(Effect.flatMap(SqlClient, (client) => client.unsafe<Record<string, unknown>>(statement, values)))
    return { url: Redacted.make(url), on, sql }
  })

export const installation = Effect.flatMap(migratedDatabase, ({ url }) => installationAt(url))

export type Installation = Effect.Success<typeof installation>

/** A workspace with money, a trail, people who said no, an active campaign and an approval that waits. */
export const filled = ({ on, sql }: Installation, owner = "Owner@acme.example") =>
  Effect.gen(function* () {
    const { keyHash, workspaceId } = yield* on(givenCaller("100"))
    yield* on(
      Effect.gen(function* () {
        const journal = yield* CallJournal
        yield* journal.settle(settlementOf(yield* admitted(anAttempt(keyHash))))
        const { atomically } = yield* UnitOfWork
        const campaigns = yield* CampaignStore
        const approvals = yield* ApprovalStore
        yield* atomically(
          campaigns.insert(makeCampaign({ workspaceId, name: 'tab\t "quoted" \\N\nü 😀' }), [
            makeLead(workspaceId, "ann@example.com")
          ])
        )
        yield* atomically(approvals.insert(makeApproval({ workspaceId })))
        yield* appended(
          eventIn(workspaceId, { email: "ann@example.com", detail: { note: 'a\n"b" \\ 😀' } }),
          eventIn(workspaceId, { email: "bob@example.com" }),
          eventIn(workspaceId)
        )
        yield* sealedAt(workspaceId, NOON + DAY)
      })
    )
    const [user] = yield* sql(
      "INSERT INTO users (user_id, email, created_at) VALUES (gen_random_uuid(), $1, now()) RETURNING user_id::text AS id",
      [owner]
    )
    yield* sql("INSERT INTO memberships (workspace_id, user_id, role, created_at) VALUES ($1, $2, 'owner', now())", [
      workspaceId,
      user?.["id"]
    ])
    yield* sql(
      "INSERT INTO suppressions SELECT $1::uuid, md5(n::text), 'owner_import', now() FROM generate_series(1, 250) n",
      [workspaceId]
    )
    yield* sql("INSERT INTO suppressed_domains VALUES ($1, 'never.example', now())", [workspaceId])
    return { workspaceId, keyHash }
  })

export const broken = ({ on }: Installation) =>
  Effect.map(on(check()), (reports) =>
    reports.flatMap(({ breaches, name }) => breaches.map((one) => ({ name, ...one })))
  )

/** Every row of the workspace, by table. */
export const rowsOf = ({ on }: Installation, workspaceId: string) =>
  on(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const tables = yield* sql<{ readonly name: string }>`
        SELECT c.relname AS name FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
        WHERE c.relnamespace = current_setting('outbound.schema')::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        ORDER BY 1
      `
      const found = yield* Effect.forEach(tables, ({ name }) =>
        Effect.map(
          sql<{ readonly row: string }>`
            SELECT t::text AS row FROM ${sql(name)} t WHERE t.workspace_id = ${workspaceId} ORDER BY 1
          `,
          (rows) => [name, rows.map(({ row }) => row)] as const
        )
      )
      return new Map(found)
    })
  )

export const trailOf = ({ on }: Installation, workspaceId: string) => on(exported(workspaceId))

/** A row of each of these workspaces in every table, or in these, whatever it would refer to. Returns in how many tables. */
export const everywhere = (
  { sql }: Installation,
  workspaceIds: ReadonlyArray<string>,
  isMeant: (table: string) => boolean = () => true
) =>
  Effect.gen(function* () {
    yield* sql(`DO $$ DECLARE c record; BEGIN
      FOR c IN SELECT conrelid::regclass AS of, conname FROM pg_constraint
        WHERE contype IN ('f', 'c') AND conparentid = 0 AND coninhcount = 0
          AND connamespace = 'outbound'::regnamespace AND conrelid <> 0
      LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', c.of, c.conname); END LOOP;
    END $$`)
    const columns = yield* sql(
      `SELECT c.relname AS name, array_agg(quote_ident(a.attname)::text ORDER BY a.attnum) AS columns,
         array_agg(format_type(a.atttypid, a.atttypmod)::text ORDER BY a.attnum) AS types
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
         AND a.attgenerated = '' AND a.attidentity = ''
       WHERE c.relnamespace = 'outbound'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND EXISTS (SELECT FROM pg_attribute w WHERE w.attrelid = c.oid AND w.attname = 'workspace_id')
       GROUP BY c.relname ORDER BY 1`
    )
    const valueOf = (type: string): string => {
      if (type.endsWith("[]")) return "'{}'"
      if (type === "uuid") return "gen_random_uuid()"
      if (/int|numeric|double|real/.test(type)) return "1"
      if (type === "boolean") return "true"
      if (/^timestamp|^date/.test(type)) return "now()"
      if (type.startsWith("json")) return "'{}'"
      if (type === "bytea") return "'\\x00'"
      return "md5(random()::text)"
    }
    const meant = columns.filter((row) => isMeant(String(row["name"])))
    for (const row of meant) {
      const [names, types] = [row["columns"], row["types"]] as [ReadonlyArray<string>, ReadonlyArray<string>]
      for (const workspaceId of workspaceIds) {
        const values = names.map((name, at) =>
          name === "workspace_id" ? `'${workspaceId}'` : valueOf(types[at] ?? "text")
        )
        yield* sql(
          `INSERT INTO "${String(row["name"])}" (${names.join(", ")}) VALUES (${values.join(", ")}) ON CONFLICT DO NOTHING`
        )
      }
    }
    return meant.length
  })
