import { assert, layer } from "@effect/vitest"
import { Changes, LOOK_MILLIS } from "@outbound/domain/control/console/Changes.js"
import { UserStore } from "@outbound/domain/control/users/UserStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { freshId, givenWorkspace, hashOf, HOUR, NOON } from "@outbound/testkit/contracts/fixtures.js"
import { Deferred, Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import * as PgConsoleReads from "../../src/postgres/PgConsoleReads.js"
import * as PgTrailStore from "../../src/postgres/PgTrailStore.js"
import * as PgUnitOfWork from "../../src/postgres/PgUnitOfWork.js"
import * as PgUserStore from "../../src/postgres/PgUserStore.js"
import * as PgWorkspaceStore from "../../src/postgres/PgWorkspaceStore.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { changes, ChangeSignals } from "../../src/work/ChangeSignals.js"
import * as PgWorkSignals from "../../src/work/PgWorkSignals.js"
import { database } from "../postgres/stores.js"
import { quiet } from "./pool.js"

const signals = changes.pipe(
  Layer.provideMerge(Layer.mergeAll(PgWorkSignals.layer, PgConsoleReads.layer, PgTrailStore.layer)),
  Layer.provideMerge(Layer.mergeAll(PgUserStore.layer, PgWorkspaceStore.layer, PgUnitOfWork.layer)),
  Layer.provideMerge(database),
  Layer.provide(quiet)
)

/** More than a signal takes. */
const TOLD_MILLIS_MAX = 3 * LOOK_MILLIS

const happens = (workspaceId: string) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      INSERT INTO trail_events (workspace_id, event_id, kind, source, observed_at, detail)
      VALUES (${workspaceId}, gen_random_uuid(), 'sent', 'system', now(), '{}')
    `
  )

/** Counts the signals of a workspace, and waits for the next one. */
const watching = (workspaceId: string) =>
  Effect.gen(function* () {
    const { watch } = yield* Changes
    let told = 0
    let next = Deferred.makeUnsafe<void>()
    yield* Effect.acquireRelease(
      Effect.sync(() =>
        watch(workspaceId, () => {
          told += 1
          Deferred.doneUnsafe(next, Effect.void)
        })
      ),
      (leave) => Effect.sync(leave)
    )
    return {
      told: () => told,
      isTold: (work: Effect.Effect<unknown, unknown, SqlClient>) =>
        Effect.gen(function* () {
          next = yield* Deferred.make<void>()
          yield* work
          return Option.isSome(yield* Effect.timeoutOption(Deferred.await(next), TOLD_MILLIS_MAX))
        })
    }
  })

/** Waits until the connection listens: every watched workspace is signalled then. */
const listening = Effect.gen(function* () {
  const heard = yield* ChangeSignals
  const { watch } = yield* Changes
  const begun = yield* Deferred.make<void>()
  const begins = () => {
    if (heard.isListening) Deferred.doneUnsafe(begun, Effect.void)
  }
  const watched = Effect.acquireRelease(
    Effect.sync(() => watch(randomUUID(), begins)),
    (leave) => Effect.sync(leave)
  )
  yield* Effect.andThen(Effect.tap(watched, Effect.sync(begins)), Deferred.await(begun))
})

layer(signals, { excludeTestServices: true, timeout: "60 seconds" })("signals of changes", (it) => {
  it.effect("come to those who watch the workspace, and to nobody else", () =>
    Effect.gen(function* () {
      yield* listening
      const [ours, theirs] = [randomUUID(), randomUUID()]
      const us = yield* watching(ours)
      const them = yield* watching(theirs)
      assert.isTrue(yield* us.isTold(happens(ours)))
      assert.strictEqual(them.told(), 0)
      assert.isTrue(yield* them.isTold(happens(theirs)))
    })
  )

  it.effect("are not sent for what was not committed", () =>
    Effect.gen(function* () {
      yield* listening
      const sql = yield* SqlClient
      const ours = randomUUID()
      const us = yield* watching(ours)
      yield* Effect.ignore(sql.withTransaction(Effect.andThen(happens(ours), Effect.fail("it fails"))))
      // Signals come in the order of commits.
      assert.isTrue(yield* us.isTold(happens(ours)))
      assert.strictEqual(us.told(), 1)
    })
  )

  it.effect("come at once when somebody signs out, or is a member no longer", () =>
    Effect.gen(function* () {
      yield* listening
      const users = yield* UserStore
      const { atomically } = yield* UnitOfWork
      const { workspaceId } = yield* givenWorkspace({ name: "Acme" })
      const member = { userId: freshId(), email: `${freshId()}@owner.test`, workspaceId, atMillis: NOON }
      const user = yield* atomically(users.ensureMember({ ...member, role: "owner" }))
      const sessions = [hashOf(freshId()), hashOf(freshId())].map((sessionHash) => ({
        sessionHash,
        userId: user.userId,
        workspaceId,
        beganBy: "link" as const,
        createdAtMillis: NOON,
        expiresAtMillis: NOON + HOUR
      }))
      yield* Effect.forEach(sessions, (session) => atomically(users.insertSession(session)))
      const sessionHash = sessions[0]?.sessionHash ?? ""
      const us = yield* watching(workspaceId)
      assert.isTrue(yield* us.isTold(atomically(users.endSession(sessionHash))))
      assert.isTrue(yield* us.isTold(atomically(users.endSessions(user.userId))))
      assert.isTrue(yield* us.isTold(atomically(users.removeMember(workspaceId, user.userId))))
      // What had ended signals nothing.
      yield* atomically(users.endSession(sessionHash))
      assert.isTrue(yield* us.isTold(happens(workspaceId)))
      assert.strictEqual(us.told(), 4)
    })
  )

  it.effect("are replaced by looking while the connection that listens is lost", () =>
    Effect.gen(function* () {
      yield* listening
      const heard = yield* ChangeSignals
      const ours = randomUUID()
      const us = yield* watching(ours)
      heard.listening(false)
      // What happened meanwhile is not known: everybody is told at once.
      assert.strictEqual(us.told(), 1)
      // The first look, with which later ones are compared.
      assert.isTrue(yield* us.isTold(Effect.void))
      assert.isTrue(yield* us.isTold(happens(ours)))
      heard.listening(true)
    })
  )
})
