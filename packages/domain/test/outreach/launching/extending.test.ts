import { assert, it } from "@effect/vitest"
import type { Campaign } from "../../../src/outreach/campaigns/CampaignStore.js"
import type { CampaignState } from "../../../src/outreach/campaigns/CampaignMachine.js"
import { correlateAtVendor, stateAfter } from "../../../src/outreach/launching/extendCampaign.js"

const after = (state: CampaignState, how: Partial<Parameters<typeof stateAfter>[1]>) =>
  stateAfter({ state } as Campaign, { approved: false, finalized: null, unconfirmed: false, ...how })

const waiting = (pending: number) => ({ finalized: { correlated: 0, pending, rejected: 0 } })

it("a campaign's state after people came is decided by the approval, and by what its vendor must still confirm", () => {
  const table: ReadonlyArray<readonly [CampaignState, Parameters<typeof after>[1], CampaignState]> = [
    // What was approved goes on, also where the vendor must confirm it.
    ["paused", { approved: true }, "active"],
    ["active", { approved: true }, "active"],
    ["paused", { approved: true, unconfirmed: true }, "active"],
    // Without an approval nobody came, so nothing goes on.
    ["paused", {}, "paused"],
    ["active", {}, "active"],
    ["paused", { ...waiting(0), unconfirmed: true }, "paused"],
    // A draft waits for its vendor, and is one again once everybody is confirmed.
    ["draft", {}, "draft"],
    ["draft", { unconfirmed: true }, "incomplete"],
    ["draft", waiting(0), "draft"],
    ["draft", waiting(3), "draft"],
    ["incomplete", {}, "incomplete"],
    ["incomplete", waiting(1), "incomplete"],
    ["incomplete", waiting(0), "draft"],
    ["incomplete", { ...waiting(0), unconfirmed: true }, "incomplete"]
  ]
  for (const [state, how, then] of table) assert.strictEqual(after(state, how), then, `${state} ${JSON.stringify(how)}`)
})

it("a vendor's answer counts who is new since the call began, never less than nobody, and all who are not settled", () => {
  const before = { waiting: 0, asked: 0, missing: 0, present: 5, leaving: 0, gone: 0, refused: 2 }
  const now = (more: Partial<typeof before>) => correlateAtVendor(before, { ...before, ...more })
  assert.deepStrictEqual(now({}), { correlated: 0, pending: 0, rejected: 0 })
  assert.deepStrictEqual(now({ present: 9, refused: 3 }), { correlated: 4, pending: 0, rejected: 1 })
  assert.strictEqual(now({ waiting: 1, asked: 2, missing: 4, leaving: 8, gone: 16 }).pending, 7)
  // People may have left the vendor's campaign meanwhile.
  assert.deepStrictEqual(now({ present: 1, refused: 0 }), { correlated: 0, pending: 0, rejected: 0 })
})
