import { assert, describe, it } from "@effect/vitest"
import { LEASE_MILLIS } from "@outbound/domain/calls/CallJournal.js"
import { Effect, Exit, Fiber, Scope } from "effect"
import { killAll } from "../../adapters/test/support/processes.js"
import { assertBalanced, audit, CREDIT, watched } from "./support/Books.js"
import { call, range, read, until } from "./support/Client.js"
import { assertClean, serve } from "./support/Host.js"
import { attempt, load, succeeded } from "./support/Load.js"
import { embeddedPlace, sharedPlace } from "./support/Place.js"
import { approved, buyCapacity, draftCampaign, provisioned, purchase, PURCHASE_CREDITS } from "./support/Sending.js"
import { makeTenant } from "./support/Tenant.js"

/** Answers that are waited for before the kill. */
const ACKNOWLEDGED = 300
/** Nothing stays reserved for longer after the last sign of life of its host (contract: credits, dead hosts). */
const RESERVED_SECONDS_MAX = 120
/** What happened long ago on a slow machine is still to be looked at, which takes time itself. */
const LOOK_SECONDS_MIN = 20
const CREDITS = 1_500
/** After this, a message that was leaving as its host died is left to a human, and its campaign goes on without it. */
const CLAIMS_SECONDS_MAX = 180
const RECIPIENTS = 20
const STEPS = 3

const SENT = "SELECT count(*) FROM trail_events WHERE workspace_id = $1 AND kind = 'sent'"
const SENT_ONCE = `SELECT count(*) FROM (
  SELECT DISTINCT campaign_lead_id, detail->>'step' FROM trail_events WHERE workspace_id = $1 AND kind = 'sent') one`
const UNFINISHED = `SELECT count(*) FROM campaign_leads WHERE workspace_id = $1 AND state NOT IN ('finished', 'failed')`
const LEFT_TO_A_HUMAN = "SELECT count(*) FROM campaign_leads WHERE workspace_id = $1 AND state = 'failed'"
const COMPLETED = "SELECT count(*) FROM campaigns WHERE workspace_id = $1 AND state = 'completed'"

/** What is left, by now, of a time that began then. */
const leftOf = (seconds: number, sinceMillis: number): number =>
  Math.max(LOOK_SECONDS_MIN, seconds - (performance.now() - sinceMillis) / 1_000)

// These wait for leases to run out most of the time, so they run side by side.
describe.concurrent("a service and its database, killed in the middle of a load", () => {
  it.live(
    "keep every acknowledged charge exactly once, wait for nothing as they start again, and let go of every reservation within two minutes",
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
          killAll([first.pid, ...database])
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
        const others = attempts.flatMap(({ answer }) => (answer === null || answer.status === 200 ? [] : [answer.text]))
        assert.deepStrictEqual(others, [], "nothing else was answered")
        assert.isTrue(doubtful.length > 0, "calls were under way")

        const againAt = performance.now()
        const second = yield* serve(place)
        // How soon exactly is measured where nothing else runs (restart.test.ts).
        assert.isBelow(performance.now() - againAt, LEASE_MILLIS, "it waited for what the dead ones had left")
        const auditor = yield* audit(place)
        const found = yield* auditor.books(tenant.workspaceId)
        assertBalanced(found)
        assert.isTrue(found.openCalls > 0n, "calls were left open")
        const released = yield* until(
          auditor.books(tenant.workspaceId),
          ({ reserved }) => reserved === 0n,
          leftOf(RESERVED_SECONDS_MAX, killedAt)
        )
        assertBalanced(released)
        assert.strictEqual(released.openCalls, 0n)
        for (const { answer } of known) {
          const record = yield* read(second, tenant.apiKey, `/v1/requests/${answer?.json.svc.request_id}`)
          assert.strictEqual(record.json.result.status, "succeeded", record.text)
          assert.strictEqual(record.json.result.credits_charged, "1", record.text)
        }

        // A caller without an answer repeats the call; it is charged exactly once.
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
    500_000
  )
})

describe.concurrent("a service that is told to stop in the middle of calls", () => {
  it.live(
    "answers them, accepts nobody new, stops its database and exits with 0; what it left is whole",
    () =>
      Effect.gen(function* () {
        const place = yield* embeddedPlace
        const scope = yield* Scope.make()
        const host = yield* Scope.provide(serve(place), scope)
        const tenant = yield* makeTenant(place, { credits: 100 })
        const auditing = yield* Scope.make()
        const auditor = yield* Scope.provide(audit(place), auditing)
        const calls = yield* Effect.forkChild(
          Effect.forEach(
            Array.from({ length: 40 }, (_, index) => index),
            (index) => attempt(host, tenant, `call ${index}`, `slow+${index}@magic.test`),
            { concurrency: "unbounded" }
          )
        )
        // All have begun; on a slow machine the first may have ended.
        yield* until(auditor.books(tenant.workspaceId), ({ charges, openCalls }) => charges + openCalls === 40n, 60)
        yield* Scope.close(auditing, Exit.void)
        host.signal("SIGTERM")
        const refusedWhileCallsRun = yield* until(
          Effect.map(attempt(host, tenant, "too late", "valid@magic.test"), ({ answer }) => ({
            isRefused: answer === null,
            areRunning: calls.pollUnsafe() === undefined
          })),
          ({ isRefused }) => isRefused,
          30
        )
        assert.isTrue(refusedWhileCallsRun.areRunning)

        for (const { answer } of yield* Fiber.join(calls)) assert.strictEqual(answer?.status, 200, answer?.text)
        assert.strictEqual(yield* host.ended, 0)
        assert.deepStrictEqual(place.databaseProcesses(), [])

        yield* serve(place)
        const books = yield* Effect.flatMap(audit(place), ({ books }) => books(tenant.workspaceId))
        assertBalanced(books)
        assert.deepStrictEqual([books.openCalls, books.reserved], [0n, 0n])
        assert.isTrue(books.charges === 40n || books.charges === 41n, "the late call was refused, or answered whole")
        yield* assertClean(place)
      }),
    500_000
  )
})

describe.concurrent("two hosts on one database", () => {
  it.live(
    "sell no credit twice; what a killed one had under way, the other brings to its end",
    () =>
      Effect.gen(function* () {
        const place = yield* sharedPlace
        const [doomed, survivor] = yield* Effect.all([serve(place), serve(place)], { concurrency: "unbounded" })
        const auditor = yield* audit(place)
        const [buyer, sender] = yield* Effect.all(
          [makeTenant(place, { credits: CREDITS }), makeTenant(place, { credits: 0, granted: PURCHASE_CREDITS })],
          { concurrency: "unbounded" }
        )

        // Begun on the host that dies: a campaign, and mailboxes that take ten seconds.
        yield* buyCapacity(place, doomed, sender, "acme", 100)
        const campaign_id = yield* draftCampaign(doomed, sender, "steps", RECIPIENTS, STEPS)
        const launch = yield* approved(place, doomed, sender, "launch_campaign", { campaign_id }, "launch")
        const order = yield* approved(place, doomed, sender, "setup_sending", purchase("slow-more", 25), "more")

        let isKilled = false
        let acknowledged = 0
        const hosts = [doomed, survivor]
        const loaded = yield* Effect.forkChild(
          watched(
            auditor,
            buyer.workspaceId,
            load(buyer, {
              workers: 48,
              callsMax: 100_000,
              // A caller who finds one host gone turns to the other.
              hostOf: (index) => (isKilled ? survivor : (hosts[index % 2] ?? survivor)),
              isOver: () => acknowledged >= CREDITS * 2,
              seen: ({ answer }) => {
                if (answer !== null) acknowledged += 1
              }
            })
          )
        )
        yield* until(
          Effect.sync(() => acknowledged),
          (count) => count >= ACKNOWLEDGED,
          90
        )
        const launched = yield* call(doomed, sender.apiKey, launch.verb, launch.body, "launch")
        assert.strictEqual(launched.status, 200, launched.text)
        const bought = yield* call(doomed, sender.apiKey, order.verb, order.body, "more")
        assert.strictEqual(bought.status, 200, bought.text)
        // The first step has left; the second is due three seconds after it.
        yield* until(auditor.count(SENT, sender.workspaceId), (count) => count >= RECIPIENTS, 60)

        doomed.signal("SIGKILL")
        isKilled = true
        const killedAt = performance.now()
        const { looks, outcome: attempts } = yield* Fiber.join(loaded)
        for (const { answer } of attempts) {
          if (answer !== null) assert.include([200, 402], answer.status, answer.text)
        }
        assert.isTrue(looks.length > 2)

        // What the killed host held comes back, and nothing else.
        const released = yield* until(
          auditor.books(buyer.workspaceId),
          ({ reserved }) => reserved === 0n,
          leftOf(RESERVED_SECONDS_MAX, killedAt)
        )
        assertBalanced(released)
        assert.strictEqual(released.openCalls, 0n)
        assert.isTrue(released.charged >= BigInt(attempts.filter(succeeded).length) * CREDIT)
        assert.isTrue(released.charged <= BigInt(CREDITS) * CREDIT)

        // The rest of the balance can be spent to the last credit, and not beyond.
        const left = Number(released.balance / CREDIT)
        const rest = yield* Effect.forEach(
          range(left + 20),
          (index) => attempt(survivor, buyer, `rest ${index}`, `valid+rest-${index}@magic.test`),
          { concurrency: 32 }
        )
        assert.strictEqual(rest.filter(succeeded).length, left)
        assert.strictEqual((yield* auditor.books(buyer.workspaceId)).charges, BigInt(CREDITS))

        yield* provisioned(survivor, sender, bought.json.result.operation_id as string, 90)
        yield* until(
          auditor.count(UNFINISHED, sender.workspaceId),
          (count) => count === 0,
          leftOf(CLAIMS_SECONDS_MAX, killedAt)
        )
        yield* until(auditor.count(COMPLETED, sender.workspaceId), (count) => count === 1, 60)
        const sent = yield* auditor.count(SENT, sender.workspaceId)
        assert.strictEqual(yield* auditor.count(SENT_ONCE, sender.workspaceId), sent, "each step left at most once")
        // Only a message that was leaving at the moment of the kill is left to a human.
        const doubtful = yield* auditor.count(LEFT_TO_A_HUMAN, sender.workspaceId)
        assert.isTrue(
          doubtful <= RECIPIENTS && sent >= (RECIPIENTS - doubtful) * STEPS,
          `${sent} sent, ${doubtful} failed`
        )
        const me = yield* read(survivor, sender.apiKey, "/v1/me")
        assert.strictEqual(me.status, 200)
        yield* assertClean(place)
      }),
    600_000
  )
})
