import { ROUND_NAMES, type RoundName } from "@outbound/domain/kernel/ports/WorkSignals.js"
import { Rests } from "@outbound/testkit/service/Rests.js"
import { Clock, Context, Effect, Layer } from "effect"
import type pg from "pg"
import { RawPool } from "../../src/postgres/PgPool.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { dueTimes } from "../../src/work/dueTimes.js"

/** What only reads may lock rows. */
const LOCKS = /\bfor (no key )?update\b/gi

const WRITES =
  /\b(insert|update|delete|merge|truncate|call|create|alter|drop|copy|do|set_config|nextval|pg_notify|work_\w+)\b/i

const textOf = (statement: unknown): string =>
  typeof statement === "string" ? statement : String((statement as { readonly text?: unknown }).text)

/** How often rows were written through the pool; null while some may be. */
const writesThrough = (pool: pg.Pool): (() => number | null) => {
  const watched = new WeakSet<pg.PoolClient>()
  const writing = new Set<pg.PoolClient>()
  let writes = 0
  const watch = (client: pg.PoolClient): void => {
    watched.add(client)
    const query = client.query.bind(client) as (...args: ReadonlyArray<unknown>) => never
    client.query = (...args: ReadonlyArray<unknown>): never => {
      if (WRITES.test(textOf(args[0]).replace(LOCKS, ""))) writing.add(client)
      return query(...args)
    }
  }
  // A connection is given back once its last statement has ended.
  const ended = (client: pg.PoolClient): void => {
    if (writing.delete(client)) writes += 1
  }
  pool.on("acquire", (client) => {
    if (!watched.has(client)) watch(client)
  })
  pool.on("release", (_error, client) => ended(client))
  pool.on("remove", ended)
  return () => (writing.size > 0 ? null : writes)
}

/** The database's own clock goes on while the host's stands still. */
const byHostClock: ReadonlyArray<RoundName> = ROUND_NAMES.filter((name) => name !== "calls" && name !== "webhooks")

/** The due times of a database that only one pool writes to: asked again once it did, or a clock was set back. */
export class Dues extends Context.Service<
  Dues,
  {
    /** How often rows were written; null while some may be. */
    readonly writes: () => number | null
    /** In how long the round may find something. */
    readonly inMillis: (round: RoundName, nowMillis: number) => Effect.Effect<number>
  }
>()("@outbound/adapters/test/service/Dues") {
  static readonly layer: Layer.Layer<Dues, never, SqlClient | RawPool> = Layer.effect(
    Dues,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const writes = writesThrough(yield* RawPool)
      let asked = { writes: -1, atMillis: 0, dueMillis: new Map<RoundName, number>() }
      const ask = (names: ReadonlyArray<RoundName>, nowMillis: number) =>
        dueTimes(sql, nowMillis, names).pipe(
          Effect.map(
            (dues) =>
              new Map(dues.map((due) => [due.round, due.inMillis === null ? Infinity : nowMillis + due.inMillis]))
          ),
          Effect.orDie
        )
      const inMillis = (round: RoundName, nowMillis: number) =>
        Effect.gen(function* () {
          const now = writes()
          if (now === null || !byHostClock.includes(round)) {
            return ((yield* ask([round], nowMillis)).get(round) ?? -Infinity) - nowMillis
          }
          if (asked.writes !== now || nowMillis < asked.atMillis) {
            asked = { writes: now, atMillis: nowMillis, dueMillis: yield* ask(byHostClock, nowMillis) }
          }
          return (asked.dueMillis.get(round) ?? -Infinity) - nowMillis
        })
      return { writes, inMillis }
    })
  )
}

/** Rounds rest until something is due, or rows were written. */
export const rests = Layer.effect(
  Rests,
  Effect.map(Dues, ({ inMillis, writes }) => ({
    restsUntil: (round: RoundName) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
        writes() === null
          ? Effect.succeed(-Infinity)
          : Effect.map(inMillis(round, nowMillis), (left) => nowMillis + left)
      )
  }))
)
