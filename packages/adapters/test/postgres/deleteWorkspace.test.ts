import { assert, it } from "@effect/vitest"
import { SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { anAttempt, answer } from "@outbound/testkit/contracts/calls.js"
import { Effect, Exit, Layer } from "effect"
import { VendorCampaignMachine } from "@outbound/domain/outreach/sending/vendor/VendorCampaignMachine.js"
import { deleteWorkspace, PERMANENT } from "../../src/postgres/deleting/deleteWorkspace.js"
import { broken, everywhere, filled, type Installation, installation, rowsOf } from "./Installation.js"

const AT = new Date("2026-05-06T12:00:00Z")

const named = ({ sql }: Installation, workspaceId: string) =>
  Effect.map(sql("SELECT name FROM workspaces WHERE workspace_id = $1", [workspaceId]), (rows) =>
    String(rows[0]?.["name"])
  )

/** As a kill leaves it. */
const stopped = ({ sql }: Installation, workspaceId: string) =>
  Effect.andThen(
    sql("UPDATE workspace_sending SET suspended_at = now(), suspended_reason = 'x' WHERE workspace_id = $1", [
      workspaceId
    ]),
    sql("UPDATE campaigns SET state = 'paused', pause_reason = 'killed' WHERE workspace_id = $1", [workspaceId])
  )

/** People who said no stay known; nothing else does. */
const onlyPermanent = (made: Installation, workspaceId: string) =>
  Effect.map(rowsOf(made, workspaceId), (rows) =>
    assert.sameMembers(
      [...rows].filter(([, held]) => held.length > 0).map(([name]) => name),
      [...PERMANENT]
    )
  )

/** Wherever the id is written, in any column of any table. */
const traces = ({ sql }: Installation, workspaceId: string) =>
  Effect.gen(function* () {
    const tables = yield* sql(
      `SELECT c.relname AS name FROM pg_class c
       WHERE c.relnamespace = 'outbound'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`
    )
    const found: Array<string> = []
    for (const { name } of tables) {
      const rows = yield* sql(`SELECT FROM "${String(name)}" t WHERE strpos(t::text, $1) > 0 LIMIT 1`, [workspaceId])
      if (rows.length > 0) found.push(String(name))
    }
    return found.sort()
  })

it.layer(Layer.empty, SUITE)("a workspace that is deleted", (it) => {
  it.effect("is gone from every table but those of people who said no, and no row of another is touched", () =>
    Effect.gen(function* () {
      const made = yield* installation
      const { keyHash, workspaceId } = yield* filled(made)
      const { keyHash: theirs, workspaceId: neighbour } = yield* filled(made, "other@acme.example")
      const before = yield* rowsOf(made, neighbour)
      const name = yield* named(made, workspaceId)
      const said = (yield* rowsOf(made, workspaceId)).get("suppressions")
      yield* stopped(made, workspaceId)
      const deleted = yield* deleteWorkspace(made.url, workspaceId, name, AT)
      assert.deepStrictEqual((yield* rowsOf(made, workspaceId)).get("suppressions"), said)
      assert.isAbove(deleted.rows, 12)
      assert.isAbove(deleted.tables, 12)
      assert.strictEqual(deleted.people, 1)
      yield* onlyPermanent(made, workspaceId)
      assert.deepStrictEqual(yield* traces(made, workspaceId), ["deleted_workspaces", ...PERMANENT].sort())
      assert.deepStrictEqual(yield* rowsOf(made, neighbour), before)
      assert.deepStrictEqual(yield* broken(made), [])
      // Its key is nobody's, and the neighbour's calls go on.
      assert.strictEqual(yield* made.on(answer(anAttempt(keyHash))), "unauthorized")
      assert.strictEqual(yield* made.on(answer(anAttempt(theirs))), "Admitted")
      assert.deepStrictEqual(yield* made.sql("SELECT deleted_at, sums FROM deleted_workspaces"), [
        { deleted_at: AT, sums: { grant: "100000000", charge: "-1000000" } }
      ])
      const again = yield* deleteWorkspace(made.url, workspaceId, name, AT)
      assert.deepInclude(again, { rows: 0, wasDeleted: true })
    })
  )

  it.effect("leaves nothing in any table that there is, and a neighbour's row in each", () =>
    Effect.gen(function* () {
      const made = yield* installation
      const { workspaceId } = yield* filled(made)
      const { workspaceId: neighbour } = yield* filled(made, "other@acme.example")
      const name = yield* named(made, workspaceId)
      const tables = yield* everywhere(made, [workspaceId, neighbour])
      assert.isAbove(tables, 80)
      yield* stopped(made, workspaceId)
      // What they made may be under way: here only what is stored counts.
      yield* made.sql("DELETE FROM open_calls")
      yield* made.sql("UPDATE operations SET finished_at = now()")
      yield* made.sql("UPDATE erasures SET finished_at = now()")
      yield* made.sql("UPDATE vendor_campaigns SET state = $1", [VendorCampaignMachine.in.absent[0]])
      const before = yield* rowsOf(made, neighbour)
      const deleted = yield* deleteWorkspace(made.url, workspaceId, name, AT)
      assert.isAbove(deleted.tables, 70)
      yield* onlyPermanent(made, workspaceId)
      assert.deepStrictEqual(yield* traces(made, workspaceId), ["deleted_workspaces", ...PERMANENT].sort())
      assert.deepStrictEqual(yield* rowsOf(made, neighbour), before)
    })
  )

  it.effect("is deleted whole or not at all: a server that fails in the middle changes nothing", () =>
    Effect.gen(function* () {
      const made = yield* installation
      const { workspaceId } = yield* filled(made)
      const name = yield* named(made, workspaceId)
      yield* stopped(made, workspaceId)
      const before = yield* rowsOf(made, workspaceId)
      yield* made.sql(
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the power fails'; END $$`
      )
      yield* made.sql("CREATE TRIGGER refuse BEFORE DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION refuse()")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(deleteWorkspace(made.url, workspaceId, name, AT))))
      assert.deepStrictEqual(yield* rowsOf(made, workspaceId), before)
      yield* made.sql("DROP TRIGGER refuse ON accounts")
      const both = yield* Effect.all(
        [deleteWorkspace(made.url, workspaceId, name, AT), deleteWorkspace(made.url, workspaceId, name, AT)],
        { concurrency: "unbounded" }
      )
      assert.sameMembers(
        both.map(({ wasDeleted }) => wasDeleted),
        [false, true]
      )
      yield* onlyPermanent(made, workspaceId)
    })
  )

  it.effect("has to be stopped, at rest and named; a person with another seat stays", () =>
    Effect.gen(function* () {
      const made = yield* installation
      const { keyHash, workspaceId } = yield* filled(made)
      const { workspaceId: neighbour } = yield* filled(made, "other@acme.example")
      const name = yield* named(made, workspaceId)
      const refused = (given = name) =>
        Effect.map(Effect.flip(deleteWorkspace(made.url, workspaceId, given, AT)), ({ message }) => message)
      assert.match(yield* refused(), /Stop all sending first/)
      yield* stopped(made, workspaceId)
      assert.match(yield* refused("Another"), /not the name/)
      yield* made.on(answer(anAttempt(keyHash)))
      assert.match(yield* refused(), /1 call is under way.*Nothing was deleted/s)
      yield* made.sql("DELETE FROM open_calls WHERE workspace_id = $1", [workspaceId])
      yield* made.sql(
        `INSERT INTO memberships (workspace_id, user_id, role, created_at)
         SELECT $1, user_id, 'member', now() FROM memberships WHERE workspace_id = $2`,
        [neighbour, workspaceId]
      )
      assert.deepInclude(yield* deleteWorkspace(made.url, workspaceId, name, AT), { people: 0 })
      const unknown = yield* Effect.flip(deleteWorkspace(made.url, "018f0000-0000-7000-8000-000000000009", name, AT))
      assert.match(unknown.message, /There is no workspace/)
    })
  )
})
