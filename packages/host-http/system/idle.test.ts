import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { call } from "./support/Client.js"
import { lineTo, through } from "./support/Line.js"
import { serve } from "./support/Host.js"
import { sharedPlace } from "./support/Place.js"
import { makeTenant } from "./support/Tenant.js"

/** A host's heartbeats end half a minute after its last call, and its lease half a minute later. */
const SETTLE = "75 seconds"

/** Each of a host's looks comes about once a minute: of a shorter time, the phase of the first would decide. */
const WATCHED_SECONDS = 120

const IDLE_MAX_PER_SECOND = 0.2

it.live(
  "an idle host leaves its database alone, and answers the next call",
  () =>
    Effect.gen(function* () {
      const place = yield* sharedPlace
      // The server's own transactions, such as those of autovacuum, are not the host's.
      const url = yield* place.databaseUrl
      const line = yield* lineTo(Number(new URL(url).port || 5432))
      const environment = { ...place.environment, DATABASE_URL: through(line, url) }
      const host = yield* serve({ ...place, environment })
      const tenant = yield* makeTenant(place, { credits: 10 })
      const verify = Effect.map(
        call(host, tenant.apiKey, "verify_email", { email: "valid@magic.test" }),
        ({ status }) => status
      )
      assert.strictEqual(yield* verify, 200)
      yield* Effect.sleep(SETTLE)
      const before = line.transactions()
      yield* Effect.sleep(`${WATCHED_SECONDS} seconds`)
      const perSecond = (line.transactions() - before) / WATCHED_SECONDS
      yield* Effect.logInfo(`idle: ${perSecond.toFixed(3)} transactions a second`)
      assert.isAbove(before, 0)
      assert.isAtMost(perSecond, IDLE_MAX_PER_SECOND)
      // Its lease is over by now: the call begins another.
      assert.strictEqual(yield* verify, 200)
    }),
  300_000
)
