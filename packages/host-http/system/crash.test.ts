import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { assertBalanced, audit, CREDIT } from "./support/Books.js"
import { read, until } from "./support/Client.js"
import { attempt, load, succeeded } from "./support/Load.js"
import { embeddedPlace } from "./support/Place.js"
import { assertClean, serve } from "./support/Host.js"
import { makeTenant } from "./support/Tenant.js"

/** Answers that are waited for before the kill. */
const ACKNOWLEDGED = 300
/** Nothing stays reserved for longer after the last sign of life of its host (completions.md §3). */
const RESERVED_SECONDS_MAX = 120

describe("a service and its database, killed in the middle of a load", () => {
  it.scopedLive(
    "keep every acknowledged charge exactly once, and let go of every reservation within two minutes",
    () =>
      Effect.gen(function* () {
        const place = yield* embeddedPlace
        const first = yield* serve(place)
        const tenant = yield* makeTenant(place, { credits: 100_000 })
        let acknowledged = 0
        let isKilled = false
        const kill = () => {
          isKilled = true
          const database = place.databaseProcesses()
          process.kill(first.pid, "SIGKILL")
          for (const pid of database) process.kill(pid, "SIGKILL")
        }
        const attempts = yield* load(tenant, {
          workers: 64,
          callsMax: 100_000,
          hostOf: () => first,
          isOver: () => isKilled,
          seen: (attempted) => {
            if (succeeded(attempted)) acknowledged += 1
            if (acknowledged >= ACKNOWLEDGED && !isKilled) kill()
          }
        })
        const killedAt = performance.now()
        assert.strictEqual(yield* first.ended, "SIGKILL")
        const known = attempts.filter(succeeded)
        const doubtful = attempts.filter(({ answer }) => answer === null)
        assert.strictEqual(known.length + doubtful.length, attempts.length, "nothing else was answered")
        assert.isTrue(doubtful.length > 0, "calls were under way")

        const second = yield* serve(place)
        const auditor = yield* audit(place)
        const found = yield* auditor.books(tenant.workspaceId)
        assertBalanced(found)
        assert.isTrue(found.openCalls > 0n, "calls were left open")
        for (const { answer } of known) {
          const record = yield* read(second, tenant.apiKey, `/v1/requests/${answer?.json.svc.request_id}`)
          assert.strictEqual(record.json.result.status, "succeeded", record.text)
          assert.strictEqual(record.json.result.credits_charged, "1", record.text)
        }

        const released = yield* until(
          auditor.books(tenant.workspaceId),
          ({ reserved }) => reserved === 0n,
          RESERVED_SECONDS_MAX - (performance.now() - killedAt) / 1_000
        )
        assertBalanced(released)
        assert.strictEqual(released.openCalls, 0n)

        // Whoever got no answer repeats the call: it is charged now, or was before, and never twice.
        const again = yield* Effect.forEach(doubtful, ({ email, key }) => attempt(second, tenant, key, email), {
          concurrency: 64
        })
        for (const { answer } of again) assert.strictEqual(answer?.status, 200, answer?.text)
        const books = yield* auditor.books(tenant.workspaceId)
        assertBalanced(books)
        assert.strictEqual(books.charges, BigInt(attempts.length))
        assert.strictEqual(books.charged, BigInt(attempts.length) * CREDIT)
        yield* assertClean(place)
      }),
    160_000
  )
})

describe("a service that is told to stop in the middle of calls", () => {
  it.scopedLive(
    "answers them, accepts nobody new, stops its database and exits with 0; what it left is whole",
    () =>
      Effect.gen(function* () {
        const place = yield* embeddedPlace
        const scope = yield* Scope.make()
        const host = yield* Scope.extend(serve(place), scope)
        const tenant = yield* makeTenant(place, { credits: 100 })
        const auditing = yield* Scope.make()
        const auditor = yield* Scope.extend(audit(place), auditing)
        const calls = yield* Effect.fork(
          Effect.forEach(
            Array.from({ length: 40 }, (_, index) => index),
            (index) => attempt(host, tenant, `call ${index}`, `slow+${index}@magic.test`),
            { concurrency: "unbounded" }
          )
        )
        yield* until(auditor.books(tenant.workspaceId), ({ openCalls }) => openCalls === 40n, 20)
        yield* Scope.close(auditing, Exit.void)
        host.signal("SIGTERM")
        const refusedWhileCallsRun = yield* until(
          Effect.map(attempt(host, tenant, "too late", "valid@magic.test"), ({ answer }) => ({
            isRefused: answer === null,
            areRunning: calls.unsafePoll() === null
          })),
          ({ isRefused }) => isRefused,
          10
        )
        assert.isTrue(refusedWhileCallsRun.areRunning)

        for (const { answer } of yield* calls) assert.strictEqual(answer?.status, 200, answer?.text)
        assert.strictEqual(yield* host.ended, 0)
        assert.deepStrictEqual(place.databaseProcesses(), [])

        yield* serve(place)
        const books = yield* Effect.flatMap(audit(place), ({ books }) => books(tenant.workspaceId))
        assertBalanced(books)
        assert.deepStrictEqual([books.openCalls, books.reserved], [0n, 0n])
        assert.isTrue(books.charges === 40n || books.charges === 41n, "the late call was refused, or answered whole")
        yield* assertClean(place)
      }),
    90_000
  )
})
