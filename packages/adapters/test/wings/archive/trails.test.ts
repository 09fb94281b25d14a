import { assert, it } from "@effect/vitest"
import { firstLine, lastLine, sealLines } from "@outbound/domain/kernel/trail/seals.js"
import { SealStore } from "@outbound/domain/kernel/trail/SealStore.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { appended, eventIn, exported, faultOf, sealedAt } from "@outbound/testkit/contracts/seals.js"
import { givenWorkspace, hashOf, MINUTE, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { Effect, Option, Redacted } from "effect"
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { archive, type Kept } from "../../../src/wings/archive/Archive.js"
import { archivedLines } from "../../../src/wings/archive/TrailParts.js"
import { verifyArchive } from "../../../src/wings/archive/Verify.js"
import { check } from "../../../src/postgres/PgInvariants.js"
import { SqlClient } from "../../../src/postgres/Sql.js"
import { TestDatabase } from "../../support/TestDatabase.js"
import { layer } from "../../outbound/stores.js"

const NOW = Date.UTC(2030, 5, 15)
/** Long enough ago to be archived, not long enough, and just now. */
const OLD = Date.UTC(2027, 0, 10)
const YOUNG = Date.UTC(2029, 0, 10)

const TRAILS_OF_TWO_YEARS: Kept = { callMonths: 1_200, trailMonths: 24 }

const folderMade = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outbound-trails-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** A trail with two old seals of two events each, and a young one. */
const givenTrail = Effect.gen(function* () {
  const { workspaceId } = yield* givenWorkspace()
  const add = (observedAtMillis: number, email: string | null = null) =>
    appended(
      eventIn(workspaceId, { observedAtMillis, email }),
      eventIn(workspaceId, { observedAtMillis: observedAtMillis + 1, detail: { "ünïcode 🙂": "a\nb" } })
    ).pipe(Effect.andThen(sealedAt(workspaceId, observedAtMillis + 2 * MINUTE)))
  yield* add(OLD, "ann@example.com")
  yield* add(OLD + 60 * MINUTE)
  yield* add(YOUNG)
  return { workspaceId, add }
})

const pageOf = (workspaceId: string) =>
  Effect.gen(function* () {
    const trail = yield* TrailStore
    const all = { campaignId: null, email: null, kinds: [], sinceMillis: null, untilMillis: null, after: null }
    const events = yield* trail.page({ workspaceId, ...all, limit: 100 })
    return { events: events.length, archivedUntil: yield* trail.archivedUntil(workspaceId) }
  })

const breaches = (workspaceId: string) =>
  Effect.map(check("archived"), (reports) =>
    reports.flatMap((report) => report.breaches.filter((one) => one.workspaceId === workspaceId))
  )

/** The whole export of a trail of which a part is in the folder. */
const wholeExport = (folder: string, workspaceId: string) =>
  Effect.gen(function* () {
    const { archived } = yield* SealStore
    const totals = yield* archived(workspaceId)
    const lines: Array<string> = []
    yield* Effect.tryPromise(async () => {
      for await (const line of archivedLines(folder, workspaceId, totals)) lines.push(line)
    })
    const { next } = yield* SealStore
    const rest = yield* exportedAfter(workspaceId, totals.seals, next)
    const events = totals.events + rest.events
    return [firstLine(workspaceId), ...lines, ...rest.lines, lastLine({ ...rest, events })]
  })

const exportedAfter = (workspaceId: string, after: number, next: SealStore["Service"]["next"]) =>
  Effect.gen(function* () {
    let [seals, events, head] = [after, 0, ""]
    const lines: Array<string> = []
    for (;;) {
      const found = yield* next(workspaceId, seals)
      if (Option.isNone(found)) return { seals, events, head, lines }
      lines.push(...sealLines(hashOf, found.value.seal, found.value.events))
      seals = found.value.seal.number
      head = found.value.seal.hash
      events += found.value.events.length
    }
  })

it.layer(layer, SUITE)("the old part of a trail", (it) => {
  const run = (folder: string, kept = TRAILS_OF_TWO_YEARS, nowMillis = NOW) =>
    Effect.flatMap(TestDatabase, ({ url }) => archive(Redacted.make(url), folder, kept, nowMillis))

  it.effect("moves to files that name nobody, and whose chain goes on in the database", () =>
    Effect.gen(function* () {
      const folder = yield* folderMade
      const { add, workspaceId } = yield* givenTrail
      const before = yield* exported(workspaceId)
      const mine = ({ trails }: { readonly trails: ReadonlyArray<{ workspaceId: string; events: number }> }) =>
        trails.filter((one) => one.workspaceId === workspaceId).map(({ events }) => events)
      assert.deepStrictEqual(mine(yield* run(folder)), [4])
      assert.deepStrictEqual(mine(yield* run(folder)), [])
      assert.deepStrictEqual(yield* pageOf(workspaceId), { events: 2, archivedUntil: OLD + 60 * MINUTE + 1 })
      assert.deepStrictEqual(yield* breaches(workspaceId), [])

      const home = join(folder, "trails", workspaceId)
      assert.deepStrictEqual(readdirSync(home), ["000000000001-000000000002.jsonl.gz"])
      const part = gunzipSync(readFileSync(join(home, "000000000001-000000000002.jsonl.gz"))).toString("utf8")
      assert.isNull(faultOf(part.trimEnd().split("\n")))
      assert.notInclude(part, "ann@example.com")

      // Later the next part follows, and the whole is the chain of before.
      yield* add(NOW)
      assert.deepStrictEqual(mine(yield* run(folder, TRAILS_OF_TWO_YEARS, Date.UTC(2031, 5, 15))), [2])
      assert.lengthOf(readdirSync(home), 2)
      const whole = yield* wholeExport(folder, workspaceId)
      assert.isNull(faultOf(whole, before.head))
      assert.deepStrictEqual(yield* breaches(workspaceId), [])
      assert.notInclude((yield* verifiedIn(folder)).join(), workspaceId)
    })
  )

  it.effect("stays as long as its workspace says, whatever the command says", () =>
    Effect.gen(function* () {
      const folder = yield* folderMade
      const { atomically } = yield* UnitOfWork
      const { setRetention } = yield* WorkspaceStore
      const [longer, always, shorter] = [yield* givenTrail, yield* givenTrail, yield* givenTrail]
      const keep = ({ workspaceId }: { workspaceId: string }, trailMonths: number) =>
        atomically(setRetention(workspaceId, { callMonths: null, trailMonths }))
      yield* keep(longer, 60)
      yield* keep(always, 0)
      yield* keep(shorter, 24)
      yield* run(folder, { callMonths: 1_200, trailMonths: null })
      const left = yield* Effect.forEach([longer, always, shorter], ({ workspaceId }) => pageOf(workspaceId))
      assert.deepStrictEqual(
        left.map(({ events }) => events),
        [6, 6, 2]
      )
    })
  )

  it.effect("is not archived if it is not as it was sealed", () =>
    Effect.gen(function* () {
      const folder = yield* folderMade
      const sql = yield* SqlClient
      const { workspaceId } = yield* givenTrail
      yield* sql`UPDATE trail_events SET kind = 'sent' WHERE workspace_id = ${workspaceId} AND seal = 2`
      const { message } = yield* Effect.flip(run(folder))
      assert.match(message, new RegExp(`${workspaceId} is not as it was sealed.*seal 2`))
      assert.strictEqual((yield* pageOf(workspaceId)).events, 6)
      yield* sql`UPDATE trail_events SET kind = 'admitted' WHERE workspace_id = ${workspaceId}`
    })
  )

  it.effect("survives a run that died between its file and the database, or before the rows were gone", () =>
    Effect.gen(function* () {
      const folder = yield* folderMade
      const sql = yield* SqlClient
      const { add, workspaceId } = yield* givenTrail
      const rows = yield* sql`SELECT * FROM trail_events WHERE workspace_id = ${workspaceId} AND seal <= 2`
      yield* run(folder)
      // The file is there, and the database knows nothing of it.
      yield* sql`DELETE FROM archived_trails WHERE workspace_id = ${workspaceId}`
      const back = rows.map((row) => ({ ...row, detail: JSON.stringify(row["detail"]) }))
      yield* sql`INSERT INTO trail_events ${sql.insert(back as never)}`
      yield* add(OLD + 120 * MINUTE)
      yield* run(folder, TRAILS_OF_TWO_YEARS, Date.UTC(2031, 5, 15))
      assert.deepStrictEqual(yield* breaches(workspaceId), [])
      assert.notInclude((yield* verifiedIn(folder)).join(), workspaceId)

      // The database knows of it, and the rows are still there.
      yield* sql`INSERT INTO trail_events ${sql.insert(back as never)}`
      assert.deepStrictEqual(yield* breaches(workspaceId), [])
      yield* run(folder)
      assert.strictEqual((yield* pageOf(workspaceId)).events, 0)
    })
  )

  it.effect("is found out if a file of it was changed, cut off, lost, or is another's", () =>
    Effect.gen(function* () {
      const folder = yield* folderMade
      const [{ workspaceId }, other] = [yield* givenTrail, yield* givenTrail]
      yield* run(folder)
      const file = (of: string) => join(folder, "trails", of, "000000000001-000000000002.jsonl.gz")
      const whole = readFileSync(file(workspaceId))
      const text = gunzipSync(whole).toString("utf8")
      const broken: Readonly<Record<string, () => void>> = {
        changed: () => writeFileSync(file(workspaceId), gzipSync(text.replace("admitted", "launched"))),
        cut: () => writeFileSync(file(workspaceId), whole.subarray(0, whole.length - 20)),
        lost: () => rmSync(file(workspaceId)),
        "another's": () => copyFileSync(file(other.workspaceId), file(workspaceId))
      }
      for (const [how, damage] of Object.entries(broken)) {
        damage()
        assert.include((yield* verifiedIn(folder)).join(), workspaceId, how)
        writeFileSync(file(workspaceId), whole)
      }
      assert.notInclude((yield* verifiedIn(folder)).join(), workspaceId)
    })
  )
})

const verifiedIn = (folder: string) =>
  Effect.gen(function* () {
    const { url } = yield* TestDatabase
    const { breaches: found } = yield* verifyArchive(Redacted.make(url), folder)
    return found.map(({ breach, workspaceId }) => `${workspaceId}: ${breach}`)
  })
