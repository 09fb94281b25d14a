import { ClockStore, setBackBy } from "@outbound/domain/kernel/ports/ClockStore.js"
import { Tx } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Schema } from "effect"
import { date, firstRow, Millis, run } from "./Columns.js"
import { databaseSetBack, serviceSetBack } from "./setBack.js"
import { storeLayer } from "./Table.js"

const MarkRow = Schema.Struct({ service: Millis, database: Millis, now: Millis })

export const layer = storeLayer(ClockStore, (sql) => ({
  // One host at a time: what two hosts saw moves once.
  look: (nowMillis, lastMillis) =>
    Effect.gen(function* () {
      yield* Tx
      yield* sql`
        INSERT INTO clock_marks (service_at, database_at) VALUES (${date(nowMillis)}, clock_timestamp())
        ON CONFLICT DO NOTHING
      `.pipe(run("clocks.look"))
      const found = yield* sql`
        SELECT m.service_at AS service, m.database_at AS database, clock_timestamp() AS now
        FROM clock_marks m FOR UPDATE
      `.pipe(
        firstRow("clocks.look", MarkRow),
        Effect.flatMap((row) => Effect.orDie(Effect.fromOption(row)))
      )
      const serviceMillis = setBackBy({ rememberedMillis: found.service, lastMillis, nowMillis })
      const storeMillis = setBackBy({
        rememberedMillis: found.database,
        lastMillis: null,
        nowMillis: found.now
      })
      if (serviceMillis > 0) yield* serviceSetBack(sql, nowMillis, serviceMillis).pipe(run("clocks.look"))
      if (storeMillis > 0) yield* databaseSetBack(sql, storeMillis).pipe(run("clocks.look"))
      yield* sql`
        UPDATE clock_marks SET
          service_at = ${date(serviceMillis > 0 ? nowMillis : Math.max(nowMillis, found.service))},
          database_at = clock_timestamp()
      `.pipe(run("clocks.look"))
      return { serviceMillis, storeMillis }
    })
}))
