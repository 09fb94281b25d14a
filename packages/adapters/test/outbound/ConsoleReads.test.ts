import { assert, it } from "@effect/vitest"
import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import { consoleLedgerContract } from "@outbound/testkit/contracts/consoleLedger.js"
import { consoleReadsContract } from "@outbound/testkit/contracts/consoleReads.js"
import { consolePeriodsContract } from "@outbound/testkit/contracts/consolePeriods.js"
import { consoleSendingContract } from "@outbound/testkit/contracts/consoleSending.js"
import { givenKey, givenWorkspace, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { MIDNIGHT } from "@outbound/testkit/contracts/outboundFixtures.js"
import { openAlertsContract } from "@outbound/testkit/contracts/openAlerts.js"
import { usageContract } from "@outbound/testkit/contracts/usage.js"
import { Effect, Layer } from "effect"
import * as PgAlertStore from "../../src/postgres/PgAlertStore.js"
import * as PgConsoleReads from "../../src/postgres/PgConsoleReads.js"
import * as PgListStore from "../../src/postgres/PgListStore.js"
import * as PgWebhookStore from "../../src/postgres/PgWebhookStore.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { layer } from "./stores.js"

const reads = Layer.provideMerge(
  Layer.mergeAll(PgAlertStore.layer, PgConsoleReads.layer, PgListStore.layer, PgWebhookStore.layer),
  layer
)

consoleReadsContract("PostgreSQL", reads)
consoleLedgerContract("PostgreSQL", reads)
consolePeriodsContract("PostgreSQL", reads)
consoleSendingContract("PostgreSQL", reads)
openAlertsContract("PostgreSQL", reads)
usageContract("PostgreSQL", reads, { runs: 8 })

it.layer(reads, SUITE)("the usage page of a busy workspace", (it) => {
  it.effect("is read without its calls", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { usageByDay, usageByKey } = yield* ConsoleReads
      const { workspaceId } = yield* givenWorkspace()
      const { key } = yield* givenKey(workspaceId)
      yield* sql`
        INSERT INTO requests (workspace_id, request_id, key_id, verb, mode, status, admitted, http_status, charged,
          created_at, finished_at)
        SELECT ${workspaceId}, gen_random_uuid(), ${key.keyId}, 'verify_email', 'act', 'succeeded', true, 200, 2,
          to_timestamp(${MIDNIGHT / 1000}), to_timestamp(${MIDNIGHT / 1000})
        FROM generate_series(1, 1000)
      `
      yield* sql`
        INSERT INTO usage_of_keys (workspace_id, day, key_id, verb, calls, charged)
        VALUES (${workspaceId}, (to_timestamp(${MIDNIGHT / 1000}) AT TIME ZONE 'UTC')::date, ${key.keyId}, 'verify_email',
          1000, 2000)
      `
      const scans = Effect.map(
        sql<{ readonly read: bigint }>`
          SELECT COALESCE(seq_tup_read, 0) + COALESCE(idx_tup_fetch, 0) AS read FROM pg_stat_xact_user_tables
          WHERE relname = 'requests'
        `,
        ([row]) => row?.read ?? 0n
      )
      yield* sql.withTransaction(
        Effect.gen(function* () {
          const [line] = yield* usageByKey(workspaceId, MIDNIGHT, 10)
          assert.deepInclude(line, { keyId: key.keyId, calls: 1000, charged: fromMicros(2000n) })
          yield* usageByDay(workspaceId, MIDNIGHT)
          assert.strictEqual(yield* scans, 0n)
        })
      )
    })
  )
})
