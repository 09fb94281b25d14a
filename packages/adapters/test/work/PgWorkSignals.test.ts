import { assert, layer } from "@effect/vitest"
import { ROUND_NAMES, type RoundName, WorkSignals } from "@outbound/domain/kernel/ports/WorkSignals.js"
import { Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import { SqlClient } from "../../src/postgres/Sql.js"
import * as PgWorkSignals from "../../src/work/PgWorkSignals.js"
import { database } from "../postgres/stores.js"
import { quiet } from "./pool.js"

/** Far less than the pause between two looks, and more than a signal takes. */
const SIGNAL_MILLIS_MAX = 2_000

/** Longer than the pause between two looks. */
const QUIET_MILLIS = 2_500

const signals = PgWorkSignals.layer.pipe(Layer.provideMerge(database), Layer.provide(quiet))

const rest = (round: RoundName) => Effect.flatMap(WorkSignals, (one) => one.rest(round, 0))

/** Returns once the round has nothing to look for. */
const settled = (round: RoundName) =>
  rest(round).pipe(
    Effect.timeoutOption(QUIET_MILLIS),
    Effect.repeat({ until: Option.isNone }),
    Effect.timeoutOrElse({ duration: "60 seconds", orElse: () => Effect.fail(new Error(`${round} never rests`)) })
  )

const isWoken = (round: RoundName, within = SIGNAL_MILLIS_MAX) =>
  Effect.map(Effect.timeoutOption(rest(round), within), Option.isSome)

const putLetter = (inSeconds: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      INSERT INTO sandbox_letters (workspace_id, message_id, to_address, persona, raw, due_at)
      VALUES (${randomUUID()}, ${randomUUID()}, 'a@magic.test', 'other', '', now() + ${inSeconds} * interval '1 second')
    `
  )

const clear = Effect.flatMap(SqlClient, (sql) => sql`DELETE FROM sandbox_letters`)

layer(signals, { excludeTestServices: true, timeout: "120 seconds" })("signals of work", (it) => {
  it.effect("a round with nothing to do rests, until a row that it looks for is committed", () =>
    Effect.gen(function* () {
      yield* settled("letters")
      yield* putLetter(0)
      assert.isTrue(yield* isWoken("letters"))
      // The row is still due: the round goes on as if it polled.
      assert.isTrue(yield* isWoken("letters"))
      yield* clear
      yield* settled("letters")
    })
  )

  it.effect("a row of a transaction that fails wakes nobody", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* settled("letters")
      yield* Effect.result(sql.withTransaction(Effect.andThen(putLetter(0), Effect.fail("refused"))))
      assert.isFalse(yield* isWoken("letters"))
    })
  )

  it.effect("a row that is due later wakes a round when it is due, and no other round", () =>
    Effect.gen(function* () {
      yield* settled("letters")
      yield* settled("interest")
      yield* putLetter(8)
      assert.isTrue(yield* isWoken("letters"), "to learn of it")
      yield* settled("letters")
      assert.isTrue(yield* isWoken("letters", 8_000))
      assert.isFalse(yield* isWoken("interest"))
      yield* clear
    })
  )

  it.effect("a row whose signal was lost is found by the next look", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* settled("letters")
      yield* settled("payments")
      // Not soon when it is written, and nobody signals what moves it.
      yield* putLetter(3_600)
      yield* sql`UPDATE sandbox_letters SET due_at = now()`
      assert.isFalse(yield* isWoken("letters"))
      // The turn of any round makes the host look again; without one it does so each minute.
      yield* sql`SELECT pg_notify('outbound_work', 'payments')`
      assert.isTrue(yield* isWoken("payments"))
      assert.isTrue(yield* isWoken("letters"))
      yield* clear
    })
  )

  it.effect("a host whose connection breaks polls, and listens again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* settled("letters")
      yield* sql`
        SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a
        WHERE a.datname = current_database() AND a.query = 'LISTEN outbound_work'
      `
      assert.isTrue(yield* isWoken("letters"))
      yield* settled("letters")
      yield* putLetter(0)
      assert.isTrue(yield* isWoken("letters"))
      yield* clear
    })
  )

  it.effect("an empty database gives no round anything to look for", () =>
    Effect.forEach(ROUND_NAMES, settled, { concurrency: "unbounded", discard: true })
  )
})
