import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { killAll } from "../../adapters/test/support/processes.js"
import { serve } from "./support/Host.js"
import { load, succeeded } from "./support/Load.js"
import { embeddedPlace } from "./support/Place.js"
import { makeTenant } from "./support/Tenant.js"

/** Answers that are waited for before the kill. */
const ACKNOWLEDGED = 300
/** On two quiet cores (`npm run bench -- restart` measures 2.9 s). */
const RESTART_MILLIS_MAX = 4_000

it.live(
  "a service and its database, killed in the middle of a load, answer again within four seconds",
  () =>
    Effect.gen(function* () {
      const place = yield* embeddedPlace
      const beganAt = performance.now()
      const first = yield* serve(place)
      const firstMillis = performance.now() - beganAt
      const tenant = yield* makeTenant(place, { credits: 100_000 })
      let acknowledged = 0
      let isKilled = false
      yield* load(tenant, {
        workers: 64,
        callsMax: 100_000,
        hostOf: () => first,
        isOver: () => isKilled,
        seen: (attempted) => {
          if (succeeded(attempted)) acknowledged += 1
          if (acknowledged < ACKNOWLEDGED || isKilled) return
          isKilled = true
          killAll([first.pid, ...place.databaseProcesses()])
        }
      })
      assert.strictEqual(yield* first.ended, "SIGKILL")

      const againAt = performance.now()
      yield* serve(place)
      const againMillis = performance.now() - againAt
      // A machine on which the first start, which makes the database too, takes longer than that is slower than the bench's.
      assert.isBelow(againMillis, Math.max(RESTART_MILLIS_MAX, firstMillis))
    }),
  120_000
)
