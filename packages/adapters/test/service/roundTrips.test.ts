import { assert, it } from "@effect/vitest"
import { freshKey, member, ok } from "@outbound/testkit/contracts/service/stories.js"
import { over } from "@outbound/testkit/service/Service.js"
import { Duration, Effect, Layer } from "effect"
import * as PgStores from "../../src/postgres/PgStores.js"
import { slowProxy } from "../postgres/SlowProxy.js"
import { database, poolTo } from "../postgres/stores.js"
import { TestDatabase } from "../support/TestDatabase.js"

/** Three for a call: to admit it, to begin its effect, and to settle it. One more may be a host's heartbeat. */
const ROUND_TRIPS_MAX = 4

/** As far as another continent, one way. */
const FAR_MILLIS = 100

it.live(
  "an idle call waits for its database a bounded number of times, so a far database slows it by no more",
  () =>
    Effect.gen(function* () {
      const proxy = yield* slowProxy((yield* TestDatabase).url)
      const service = yield* Layer.build(Layer.provide(over(PgStores.layer), poolTo(proxy.url)))
      const trips = yield* Effect.gen(function* () {
        const client = yield* member()
        const call = Effect.suspend(() =>
          client.call("verify_email", { email: "ann@example.com" }, { key: freshKey() })
        ).pipe(Effect.map(ok))
        // Connections are open then, and statements known.
        yield* Effect.repeat(call, { times: 4 })
        const counted: Array<number> = []
        for (let n = 0; n < 5; n++) {
          const before = proxy.roundTrips()
          yield* call
          counted.push(proxy.roundTrips() - before)
        }
        proxy.delay(FAR_MILLIS)
        const [took] = yield* Effect.timed(call)
        proxy.delay(0)
        return { most: Math.max(...counted), took: Duration.toMillis(took) }
      }).pipe(Effect.provide(service))
      assert.isAtMost(trips.most, ROUND_TRIPS_MAX)
      // What it computes, and timers of a busy machine.
      assert.isBelow(trips.took, ROUND_TRIPS_MAX * 2 * FAR_MILLIS * 2)
    }).pipe(Effect.provide(database)),
  120_000
)
