import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { assertBalanced, audit, CREDIT } from "./support/Books.js"
import { until } from "./support/Client.js"
import { attempt, load, succeeded } from "./support/Load.js"
import { embeddedPlace } from "./support/Place.js"
import { assertClean, serve } from "./support/Host.js"
import { makeTenant } from "./support/Tenant.js"

/** How soon the service must answer again after its database went away. */
const BACK_SECONDS_MAX = 20
/** Two hundred calls, many of which take three seconds, on a machine that has other things to do. */
const LOAD_SECONDS_MAX = 90
/** A statement that was lost, a settlement that is tried again: all of it is over by then. */
const SETTLED_SECONDS_MAX = 60

const ENDS = [
  { how: "crashes", signal: "SIGKILL" },
  { how: "is restarted", signal: "SIGINT" }
] as const

describe.concurrent("a database that ends in the middle of a load", () => {
  for (const { how, signal } of ENDS) {
    it.live(
      `and ${how}: the service answers again by itself, nothing stays reserved, nothing is charged twice`,
      () =>
        Effect.gen(function* () {
          const place = yield* embeddedPlace
          const host = yield* serve(place)
          const tenant = yield* makeTenant(place, { credits: 100_000 })
          let isOver = false
          let acknowledged = 0
          const running = yield* Effect.forkChild(
            load(tenant, {
              workers: 32,
              callsMax: 100_000,
              hostOf: () => host,
              isOver: () => isOver,
              seen: (attempted) => {
                if (succeeded(attempted)) acknowledged += 1
              }
            })
          )
          const answered = (more: number, secondsMax = LOAD_SECONDS_MAX) =>
            Effect.suspend(() => {
              const before = acknowledged
              return until(
                Effect.sync(() => acknowledged - before),
                (count) => count >= more,
                secondsMax
              )
            })
          yield* answered(200)
          const postmaster = place.postmaster()
          process.kill(postmaster, signal)
          yield* until(
            Effect.sync(() => place.databaseProcesses().includes(postmaster)),
            (isThere) => !isThere,
            BACK_SECONDS_MAX
          )
          yield* answered(1, BACK_SECONDS_MAX)
          yield* answered(200)
          isOver = true
          const attempts = yield* Fiber.join(running)

          const failed = attempts.filter((attempted) => !succeeded(attempted))
          for (const { answer } of failed) {
            assert.isNotNull(answer, "the service hung up")
            const wanted = ["internal", "rate_limited"]
            assert.include(wanted, answer?.json.error.code, answer?.text)
          }
          const auditor = yield* audit(place)
          yield* until(
            auditor.books(tenant.workspaceId),
            ({ openCalls, reserved }) => openCalls === 0n && reserved === 0n,
            SETTLED_SECONDS_MAX
          )
          const again = yield* Effect.forEach(failed, ({ email, key }) => attempt(host, tenant, key, email), {
            concurrency: 32
          })
          for (const { answer } of again) assert.strictEqual(answer?.status, 200, answer?.text)
          const books = yield* auditor.books(tenant.workspaceId)
          assertBalanced(books)
          assert.strictEqual(books.charges, BigInt(attempts.length))
          assert.strictEqual(books.charged, BigInt(attempts.length) * CREDIT)
          yield* assertClean(place)
        }),
      600_000
    )
  }
})
