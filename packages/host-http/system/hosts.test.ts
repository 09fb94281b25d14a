import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { randomBytes } from "node:crypto"
import { assertBalanced, audit, CREDIT, watched } from "./support/Books.js"
import { call, range, read, until } from "./support/Client.js"
import { attempt, load, succeeded } from "./support/Load.js"
import { sharedPlace } from "./support/Place.js"
import { assertClean, ProgramFailed, serve } from "./support/Host.js"
import { approved, buyCapacity, draftCampaign, provisioned, purchase, PURCHASE_CREDITS } from "./support/Sending.js"
import { makeTenant } from "./support/Tenant.js"

const CREDITS = 1_500
/** Nothing stays reserved for longer after the last sign of life of its host (completions.md §3). */
const RESERVED_SECONDS_MAX = 120
/** After this, a message that was leaving as its host died is left to a human, and its campaign goes on without it. */
const CLAIMS_SECONDS_MAX = 140
const RECIPIENTS = 20
const STEPS = 3

const SENT = "SELECT count(*) FROM trail_events WHERE workspace_id = $1 AND kind = 'sent'"
const SENT_ONCE = `SELECT count(*) FROM (
  SELECT DISTINCT campaign_lead_id, detail->>'step' FROM trail_events WHERE workspace_id = $1 AND kind = 'sent') one`
const UNFINISHED = `SELECT count(*) FROM campaign_leads WHERE workspace_id = $1 AND state NOT IN ('finished', 'failed')`
const LEFT_TO_A_HUMAN = "SELECT count(*) FROM campaign_leads WHERE workspace_id = $1 AND state = 'failed'"
const COMPLETED = "SELECT count(*) FROM campaigns WHERE workspace_id = $1 AND state = 'completed'"

describe("two hosts on one database", () => {
  it.scopedLive(
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
        const loaded = yield* Effect.fork(
          watched(
            auditor,
            buyer.workspaceId,
            load(buyer, {
              workers: 48,
              callsMax: 100_000,
              // Whoever finds one host gone turns to the other.
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
          (count) => count >= 300,
          30
        )
        const launched = yield* call(doomed, sender.apiKey, launch.verb, launch.body, "launch")
        assert.strictEqual(launched.status, 200, launched.text)
        const bought = yield* call(doomed, sender.apiKey, order.verb, order.body, "more")
        assert.strictEqual(bought.status, 200, bought.text)
        // The first step has left, the second is not due yet.
        yield* until(auditor.count(SENT, sender.workspaceId), (count) => count === RECIPIENTS, 20)

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
          RESERVED_SECONDS_MAX - (performance.now() - killedAt) / 1_000
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

        yield* provisioned(survivor, sender, bought.json.result.operation_id as string, 40)
        yield* until(
          auditor.count(UNFINISHED, sender.workspaceId),
          (count) => count === 0,
          CLAIMS_SECONDS_MAX - (performance.now() - killedAt) / 1_000
        )
        yield* until(auditor.count(COMPLETED, sender.workspaceId), (count) => count === 1, 20)
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
    200_000
  )

  it.scopedLive("refuse a third with another secret: it says so, and exits with 1", () =>
    Effect.gen(function* () {
      const place = yield* sharedPlace
      yield* serve(place)
      const stranger = {
        ...place,
        environment: { ...place.environment, OUTBOUND_SECRET: randomBytes(32).toString("base64url") }
      }
      const refusal = yield* Effect.flip(serve(stranger))
      assert.instanceOf(refusal, ProgramFailed)
      assert.strictEqual(refusal.code, 1)
      assert.match(refusal.output, /secret/i)
      assert.notInclude(refusal.output, stranger.environment.OUTBOUND_SECRET)
    })
  )
})
