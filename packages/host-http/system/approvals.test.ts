import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { CREDIT } from "./support/Books.js"
import { type CallResponse, call, range } from "./support/Client.js"
import { assertClean, type Host } from "./support/Host.js"
import { approved, buyCapacity, type Confirmed, draftCampaign, purchase, PURCHASE_CREDITS } from "./support/Sending.js"
import { Served } from "./support/Served.js"
import { makeTenant, type Tenant } from "./support/Tenant.js"

const CALLS = 50

const fifty = (host: Host, { apiKey }: Tenant, { body, verb }: Confirmed, keyOf: (index: number) => string) =>
  Effect.forEach(range(CALLS), (index) => call(host, apiKey, verb, body, keyOf(index)), { concurrency: "unbounded" })

const assertOneAndReplays = (answers: ReadonlyArray<CallResponse>): void => {
  for (const { status, text } of answers) assert.strictEqual(status, 200, text)
  assert.strictEqual(new Set(answers.map(({ json }) => JSON.stringify(json.result))).size, 1)
  assert.strictEqual(new Set(answers.map(({ json }) => json.svc.request_id)).size, 1)
  assert.strictEqual(answers.filter(({ json }) => json.svc.replayed === true).length, CALLS - 1)
}

const assertOneAndSuperseded = (answers: ReadonlyArray<CallResponse>): void => {
  assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
  for (const { json, status, text } of answers) {
    if (status === 200) continue
    assert.deepStrictEqual([status, json.error.code], [409, "approval_superseded"], text)
  }
}

const TRAIL = "SELECT count(*) FROM trail_events WHERE workspace_id = $1 AND kind = $2"
const OPERATIONS = "SELECT count(*) FROM operations WHERE workspace_id = $1"

layer(Served.layer, { timeout: "180 seconds", excludeTestServices: true })(
  "an approved token, used 50 times at once",
  (it) => {
    it.effect("buys once, under one Idempotency-Key or under 50", () =>
      Effect.gen(function* () {
        const { auditor, host, place } = yield* Served
        const tenant = yield* makeTenant(place, { credits: 0, granted: PURCHASE_CREDITS })
        const books = auditor.books(tenant.workspaceId)

        const first = yield* approved(place, host, tenant, "setup_sending", purchase("one", 25), "ask one")
        assertOneAndReplays(yield* fifty(host, tenant, first, () => "one"))
        const once = yield* books
        assert.deepStrictEqual([once.charges, once.charged], [1n, 1_500n * CREDIT])

        const second = yield* approved(place, host, tenant, "setup_sending", purchase("two", 25), "ask two")
        assertOneAndSuperseded(yield* fifty(host, tenant, second, (index) => `two ${index}`))
        const twice = yield* books
        assert.deepStrictEqual([twice.charges, twice.charged], [2n, 3_000n * CREDIT])

        assert.strictEqual(yield* auditor.count(OPERATIONS, tenant.workspaceId), 2)
        assert.strictEqual(yield* auditor.count(TRAIL, tenant.workspaceId, "purchased"), 2)
        yield* assertClean(place)
      })
    )

    it.effect("launches once, under one Idempotency-Key or under 50", () =>
      Effect.gen(function* () {
        const { auditor, host, place } = yield* Served
        const tenant = yield* makeTenant(place, { credits: 0, granted: PURCHASE_CREDITS })
        yield* buyCapacity(place, host, tenant, "acme", 25)

        const launch = (name: string) =>
          Effect.flatMap(draftCampaign(host, tenant, name, 3, 1), (campaign_id) =>
            approved(place, host, tenant, "launch_campaign", { campaign_id }, `ask ${name}`)
          )
        const first = yield* launch("one")
        assertOneAndReplays(yield* fifty(host, tenant, first, () => "one"))
        assert.strictEqual(yield* auditor.count(TRAIL, tenant.workspaceId, "launched"), 1)

        const second = yield* launch("two")
        assertOneAndSuperseded(yield* fifty(host, tenant, second, (index) => `two ${index}`))
        assert.strictEqual(yield* auditor.count(TRAIL, tenant.workspaceId, "launched"), 2)
        yield* assertClean(place)
      })
    )
  }
)
