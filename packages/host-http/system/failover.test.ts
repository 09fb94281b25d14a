import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { assertBalanced, audit, CREDIT } from "./support/Books.js"
import { read, until } from "./support/Client.js"
import { assertClean, serve } from "./support/Host.js"
import { type Attempted, attempt, load, succeeded } from "./support/Load.js"
import { replicated } from "./support/Standby.js"
import { makeTenant } from "./support/Tenant.js"

/** How soon the service must answer again after its database failed over. */
const BACK_SECONDS_MAX = 30
const LOAD_SECONDS_MAX = 120
/** Calls that were under way on hosts that live on, and statements that were lost. */
const SETTLED_SECONDS_MAX = 150
/** Answers that are waited for before and after. */
const ANSWERS = 200

/** Two hosts under load, whose database fails over to its standby. */
const story = (synchronous: boolean) =>
  Effect.gen(function* () {
    const { cutOff, failOver, place } = yield* replicated({ synchronous })
    const hosts = [yield* serve(place), yield* serve(place)] as const
    const tenant = yield* makeTenant(place, { credits: 100_000 })
    const acknowledged: Array<{ readonly index: number; readonly attempted: Attempted }> = []
    let begun = 0
    let isOver = false
    const running = yield* Effect.forkChild(
      load(tenant, {
        workers: 32,
        callsMax: 100_000,
        hostOf: (index) => {
          begun = index + 1
          return hosts[index % 2 === 0 ? 0 : 1]
        },
        isOver: () => isOver,
        seen: (attempted, index) => void (succeeded(attempted) && acknowledged.push({ index, attempted }))
      })
    )
    const answered = (more: number, secondsMax = LOAD_SECONDS_MAX) =>
      Effect.suspend(() => {
        const before = acknowledged.length
        return until(
          Effect.sync(() => acknowledged.length - before),
          (count) => count >= more,
          secondsMax
        )
      })
    yield* answered(ANSWERS)
    if (!synchronous) {
      cutOff()
      yield* answered(ANSWERS)
    }
    yield* failOver
    const begunBefore = begun
    yield* answered(1, BACK_SECONDS_MAX)
    yield* answered(ANSWERS)
    isOver = true
    const attempts = yield* Fiber.join(running)
    // The old primary may have committed what is acknowledged only afterwards.
    const before = acknowledged.filter(({ index }) => index < begunBefore).map(({ attempted }) => attempted)

    const auditor = yield* audit(place)
    yield* until(
      auditor.books(tenant.workspaceId),
      ({ openCalls, reserved }) => openCalls === 0n && reserved === 0n,
      SETTLED_SECONDS_MAX
    )
    const known = yield* Effect.forEach(
      before,
      ({ answer }) => read(hosts[0], tenant.apiKey, `/v1/requests/${answer?.json.svc.request_id}`),
      { concurrency: 16 }
    )
    // The new primary knows nothing of some, and of others only that they had begun.
    const lost = before.filter((_, index) => known[index]?.json.result?.status !== "succeeded")
    // Callers repeat what failed, and here also what was lost without their knowing.
    const doubtful = [...attempts.filter((attempted) => !succeeded(attempted)), ...lost]
    const again = yield* Effect.forEach(doubtful, ({ email, key }) => attempt(hosts[1], tenant, key, email), {
      concurrency: 32
    })
    for (const { answer } of again) assert.strictEqual(answer?.status, 200, answer?.text)
    const books = yield* auditor.books(tenant.workspaceId)
    assertBalanced(books)
    assert.strictEqual(books.charges, BigInt(attempts.length), "each call is charged once")
    assert.strictEqual(books.charged, BigInt(attempts.length) * CREDIT)
    yield* assertClean(place)
    return { before, known, lost }
  })

describe("a database that fails over to its standby in the middle of a load", () => {
  it.live(
    "with synchronous replication: no acknowledged call is lost, none is charged twice, and the hosts go on by themselves",
    () =>
      Effect.gen(function* () {
        const { known, lost } = yield* story(true)
        assert.isEmpty(lost)
        for (const { json, text } of known) {
          assert.deepInclude(json.result, { status: "succeeded", credits_charged: "1" }, text)
        }
      }),
    600_000
  )

  it.live(
    "without: the last acknowledged calls are lost whole, what is left is consistent, and a repeated call is charged once",
    () =>
      Effect.gen(function* () {
        const { before, lost } = yield* story(false)
        assert.isNotEmpty(lost)
        assert.isBelow(lost.length, before.length)
      }),
    600_000
  )
})
