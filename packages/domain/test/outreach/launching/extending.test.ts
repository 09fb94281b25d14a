import { assert, it } from "@effect/vitest"
import type { Campaign } from "../../../src/outreach/campaigns/CampaignStore.js"
import type { CampaignState } from "../../../src/outreach/campaigns/CampaignMachine.js"
import { refuse } from "../../../src/kernel/errors/Wire.js"
import { DEFAULT_RULES } from "../../../src/kernel/workspaces/WorkspaceRules.js"
import type { CampaignContext, Obstacle } from "../../../src/outreach/launching/CampaignContext.js"
import {
  type Addition,
  correlateAtVendor,
  extensionObstacles,
  firstRefusal,
  obstaclesOf,
  stateAfter
} from "../../../src/outreach/launching/extendCampaign.js"
import { RECIPIENTS_MAX } from "../../../src/verbs/campaignFields.js"

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

const named = (found: ReadonlyArray<readonly [string, { readonly code: string }]>) => found.map(([name]) => name)

const contextOf = (campaign: Partial<Campaign>, more: Partial<CampaignContext> = {}) =>
  ({
    campaign: { state: "active", pauseReason: null, mailboxes: null, ...campaign },
    sending: { suspendedAtMillis: null, suspendedReason: null },
    authentication: { refusal: null },
    canUnsubscribe: true,
    workspace: { postalAddress: "1 Main Street" },
    mailboxes: [],
    zone: null,
    ...more
  }) as unknown as CampaignContext

it("people come to a campaign that is not over or killed; what sending lacks is asked where the call would send", () => {
  const against = (campaign: Partial<Campaign>, asks: boolean) => named(extensionObstacles(contextOf(campaign), asks))
  for (const state of ["draft", "incomplete", "active", "paused"] as const)
    assert.deepStrictEqual(against({ state }, false), [])
  assert.deepStrictEqual(against({ state: "completed" }, false), ["campaign_state"])
  assert.deepStrictEqual(against({ state: "paused", pauseReason: "killed" }, false), ["campaign_state"])
  assert.deepStrictEqual(against({ state: "paused", pauseReason: "owner" }, false), [])
  assert.deepStrictEqual(against({}, true), ["mailbox_unavailable"])
  assert.deepStrictEqual(against({ state: "completed" }, true), ["campaign_state", "mailbox_unavailable"])
})

it("a campaign holds so many people and not one more; of a draft the list is examined at its launch", () => {
  const rules = { ...DEFAULT_RULES, unverifiedMaxPercent: 0 }
  const score = { verified: 0, unverified: 1, statuses: { invalid: 0 }, toVerify: [] }
  const against = (state: CampaignState, total: number, come: number, of: object = score) =>
    named(
      obstaclesOf(
        { state } as Campaign,
        {
          sorted: { accepted: Array.from({ length: come }) },
          total,
          score: of,
          rules
        } as unknown as Addition
      )
    )
  const good = { ...score, verified: 1, unverified: 0 }
  assert.deepStrictEqual(against("active", RECIPIENTS_MAX - 1, 1, good), [])
  assert.deepStrictEqual(against("active", RECIPIENTS_MAX - 1, 2, good), ["campaign_full"])
  assert.deepStrictEqual(against("draft", RECIPIENTS_MAX, 1), ["campaign_full"])
  assert.deepStrictEqual(against("draft", 0, 1), [])
  for (const state of ["active", "paused"] as const) {
    assert.deepStrictEqual(against(state, 0, 1), ["list_not_verified"])
    assert.deepStrictEqual(against(state, RECIPIENTS_MAX, 1), ["campaign_full", "list_not_verified"])
  }
})

it("a call is refused for a suspension first, then for its token, its campaign, and what is left of its token", () => {
  const [before, later] = [refuse("approval_superseded", { approval_url: "u" }), refuse("not_found", {})]
  const found: ReadonlyArray<Obstacle> = [["mailbox_unavailable", refuse("mailbox_unavailable", {})]]
  const suspension = { suspendedAtMillis: 0, suspendedReason: "enough" } as CampaignContext["sending"]
  const first = (token: object, of: ReadonlyArray<Obstacle>, sending?: CampaignContext["sending"]) =>
    firstRefusal(
      { approval: null, before: null, after: null, ...token } as Parameters<typeof firstRefusal>[0],
      contextOf({}, sending === undefined ? {} : { sending }),
      of
    )?.code ?? null
  assert.strictEqual(first({ before, after: later }, found, suspension), "agent_suspended")
  assert.strictEqual(first({ before, after: later }, found), "approval_superseded")
  assert.strictEqual(first({ after: later }, found), "mailbox_unavailable")
  assert.strictEqual(first({ after: later }, []), "not_found")
  assert.isNull(first({}, []))
})
