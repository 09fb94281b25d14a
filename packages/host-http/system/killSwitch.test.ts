import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { audit } from "./support/Books.js"
import { call, range, read, until } from "./support/Client.js"
import { assertClean, serve } from "./support/Host.js"
import { sharedPlace } from "./support/Place.js"
import { approved, buyCapacity, draftCampaign } from "./support/Sending.js"
import { makeTenant } from "./support/Tenant.js"

const RECIPIENTS = 120
const DAILY_SENDS = 250
const CREDITS = 100_000
const ROUNDS = 3
/** The sandbox sends the second step three seconds after the first. */
const SECOND_STEP_SECONDS = 5

const SCOPES = ["data:read", "campaign:write", "campaign:launch", "assets:purchase", "trail:read", "control:manage"]

const SENT = "SELECT count(*) FROM messages WHERE workspace_id = $1 AND state = 'sent'"
const LEAVING = "SELECT count(*) FROM messages WHERE workspace_id = $1 AND state = 'claimed'"
const CLAIMED = "SELECT count(*) FROM messages WHERE workspace_id = $1"
const KINDS = "SELECT count(*) FROM trail_events WHERE workspace_id = $1 AND kind = $2"

describe("a kill at one host, while two are sending", () => {
  it.live(
    "lets no message leave after its answer, at either of them",
    () =>
      Effect.gen(function* () {
        const place = yield* sharedPlace
        const [first, second] = yield* Effect.all([serve(place), serve(place)], { concurrency: 2 })
        const auditor = yield* audit(place)
        for (const round of range(ROUNDS)) {
          const tenant = yield* makeTenant(place, { credits: 0, granted: CREDITS, scopes: SCOPES })
          yield* buyCapacity(place, first, tenant, "acme", DAILY_SENDS)
          const campaign_id = yield* draftCampaign(first, tenant, `kill${round}`, RECIPIENTS, 2)
          const launch = yield* approved(place, first, tenant, "launch_campaign", { campaign_id }, "ask")
          assert.strictEqual((yield* call(first, tenant.apiKey, launch.verb, launch.body, "launch")).status, 200)
          const sent = auditor.count(SENT, tenant.workspaceId)
          yield* until(sent, (count) => count >= round * 20, 90)

          const killed = yield* call(second, tenant.apiKey, "kill", { reason: "the wrong list" }, "kill")
          assert.strictEqual(killed.status, 200, killed.text)
          const { campaigns_paused, campaigns_unconfirmed, status } = killed.json.result
          assert.deepStrictEqual([status, campaigns_paused, campaigns_unconfirmed], ["suspended", 1, []])
          const left = yield* sent
          assert.strictEqual(yield* auditor.count(LEAVING, tenant.workspaceId), 0)
          const claimed = yield* auditor.count(CLAIMED, tenant.workspaceId)
          yield* Effect.sleep(SECOND_STEP_SECONDS * 1_000)
          assert.deepStrictEqual([yield* sent, yield* auditor.count(CLAIMED, tenant.workspaceId)], [left, claimed])
          assert.strictEqual(yield* auditor.count(KINDS, tenant.workspaceId, "sent"), left)
          assert.strictEqual(yield* auditor.count(KINDS, tenant.workspaceId, "paused"), 1)
          const again = yield* call(first, tenant.apiKey, "launch_campaign", { campaign_id }, "again")
          assert.deepStrictEqual([again.status, again.json.error.code], [403, "agent_suspended"])
          const me = yield* read(first, tenant.apiKey, "/v1/me")
          assert.isTrue(me.json.result.workspace.sending_suspended)
        }
        yield* assertClean(place)
      }),
    600_000
  )
})
