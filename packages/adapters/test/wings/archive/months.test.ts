import { assert, it } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { admitted, anAttempt, moneyOf, settlementOf } from "@outbound/testkit/contracts/calls.js"
import { SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { Effect, Redacted } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { keepMonths } from "../../../src/postgres/months/Months.js"
import { archive as archiveIn } from "../../../src/wings/archive/Archive.js"
import { verifyArchive } from "../../../src/wings/archive/Verify.js"
import { broken, givenCalls, idAt, LATER, lateRows, monthAfter, NOW, rowsOfPartitions } from "../../postgres/Months.js"
import { stores } from "../../postgres/stores.js"
import { TestDatabase } from "../../support/TestDatabase.js"

const archived = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outbound-archive-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

it.layer(stores, SUITE)("months that are sealed", (it) => {
  it.effect("go to an archive, whose sums stay, and a file that was changed is found out", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const url = Redacted.make((yield* TestDatabase).url)
      const folder = yield* archived
      const { keyHash, open, workspaceId } = yield* givenCalls
      const others = yield* givenCalls
      const later = yield* admitted(anAttempt(keyHash, { requestId: idAt(monthAfter(2)) }))
      yield* journal.settle(settlementOf(later))
      yield* keepMonths(NOW)
      yield* keepMonths(LATER)
      yield* journal.settle(settlementOf(open))
      const archive = Effect.map(
        archiveIn(url, folder, { callMonths: 0, trailMonths: null }, monthAfter(2)),
        ({ months }) => months
      )
      const before = yield* moneyOf(workspaceId)
      const made = yield* archive
      assert.deepStrictEqual(
        made.map(({ rows }) => rows),
        // A grant, a call and its charge each; the call that came late, and its charge.
        [3 + 3 + 2, 0]
      )
      assert.deepStrictEqual(yield* archive, [])
      assert.deepStrictEqual(yield* moneyOf(workspaceId), before)
      assert.deepStrictEqual(yield* lateRows(workspaceId), [])
      assert.deepStrictEqual(Object.values(yield* rowsOfPartitions(workspaceId)), [1])

      // A call of before that ends only now.
      yield* journal.settle(settlementOf(others.open))
      for (const from of ["sealed", "archived"] as const) assert.deepStrictEqual(yield* broken(from), [])
      assert.isTrue((yield* keepMonths(monthAfter(5))).sealed)
      for (const from of ["sealed", "archived"] as const) assert.deepStrictEqual(yield* broken(from), [])
      assert.deepStrictEqual((yield* verifyArchive(url, folder)).breaches, [])

      const path = join(made[0]?.folder ?? "", "ledger_entries.ndjson.gz")
      const lines = gunzipSync(readFileSync(path)).toString()
      writeFileSync(path, gzipSync(lines.replace('"amount": -1000000', '"amount": -2000000')))
      const found = yield* verifyArchive(url, folder)
      assert.deepStrictEqual(
        found.breaches.map(({ breach, workspaceId: of }) => of ?? breach.replace(/.*[/]/, "")),
        ["ledger_entries.ndjson.gz is not what was written", lines.includes(workspaceId) ? workspaceId : ""]
      )
    })
  )
})
