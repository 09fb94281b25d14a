import { assert, it } from "@effect/vitest"
import type { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import type { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, type Layer, Option } from "effect"
import { leadOf } from "./campaignFixtures.js"
import { freshId, HOUR, NOON, SUITE } from "./fixtures.js"
import { claim, givenOwn, next } from "./ownClaims.js"
import { givenLaunched } from "./outboundFixtures.js"

type Stores = ApprovalStore | CampaignStore | OwnMailboxStore | SendingStore | UnitOfWork | WorkspaceStore

/** When the fixtures' leads are due. */
const DUE = NOON - HOUR

/** Which held mailboxes have work: each reason by itself, beside a mailbox and a campaign that have none. */
export const ownDueContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  const within = <A, E2, R>(write: Effect.Effect<A, E2, R>) =>
    Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

  /** One lead, of the first of two mailboxes. */
  const given = Effect.gen(function* () {
    const sending = yield* SendingStore
    const hostId = freshId()
    const { campaign, leads, mailboxes, workspaceId } = yield* givenOwn(hostId, 1, { mailboxes: 2 })
    const look = (nowMillis: number, { host = hostId, staleBefore = 0 } = {}) =>
      Effect.map(sending.dueOfOwn({ hostId: host, nowMillis, staleBeforeMillis: staleBefore }), ({ due, stale }) => ({
        due: mailboxes.map(({ mailboxId }) => due.has(mailboxId)),
        stale: mailboxes.map(({ mailboxId }) => stale.has(mailboxId)),
        others: [...due, ...stale].filter((id) => !mailboxes.some(({ mailboxId }) => mailboxId === id)).length
      }))
    const due = (nowMillis: number, host?: string) =>
      Effect.map(look(nowMillis, host === undefined ? {} : { host }), (found) => found.due)
    return { campaign, due, hostId, lead: leads[0]!, look, mailboxes, sending, workspaceId }
  })

  const NOBODY = [false, false]
  const FIRST = [true, false]

  it.layer(adapter, SUITE)(`own mailboxes that have work (${name})`, (it) => {
    it.effect("one is due from the moment at which its lead is, to the host that holds it", () =>
      Effect.gen(function* () {
        const { due, look } = yield* given
        assert.deepStrictEqual(yield* due(DUE - 1), NOBODY)
        assert.deepStrictEqual(yield* look(DUE), { due: FIRST, stale: NOBODY, others: 0 })
        assert.deepStrictEqual(yield* due(DUE, freshId()), NOBODY)
      })
    )

    it.effect("one is due for campaigns that are under way, whatever runs beside them", () =>
      Effect.gen(function* () {
        const { campaign, due, mailboxes, workspaceId } = yield* given
        const campaigns = yield* CampaignStore
        yield* within(campaigns.update({ ...campaign, state: "paused", pauseReason: "owner" }))
        assert.deepStrictEqual(yield* due(NOON), NOBODY)
        // It runs, and has nobody to write to.
        yield* givenLaunched(workspaceId, mailboxes, [])
        assert.deepStrictEqual(yield* due(NOON), NOBODY)
        yield* within(campaigns.update(campaign))
        assert.deepStrictEqual(yield* due(NOON), FIRST)
      })
    )

    it.effect("one is due within its campaign's window, from its beginning until before its end", () =>
      Effect.gen(function* () {
        const { campaign, due, sending, workspaceId } = yield* given
        const { campaignId } = campaign
        const at = { workspaceId, campaignId, hours: null, opensAtMillis: NOON, closesAtMillis: NOON + HOUR }
        yield* within(sending.setWindows([at]))
        const found = yield* Effect.forEach([NOON - 1, NOON, NOON + HOUR - 1, NOON + HOUR], (atMillis) => due(atMillis))
        assert.deepStrictEqual(found, [NOBODY, FIRST, FIRST, NOBODY])
      })
    )

    it.effect("one that is paused, or whose lead got every step, is not due", () =>
      Effect.gen(function* () {
        const { due, lead, mailboxes, sending, workspaceId } = yield* given
        const campaigns = yield* CampaignStore
        const mailbox = mailboxes[0]!
        yield* within(sending.updateMailboxes([{ ...mailbox, state: "paused", pauseReason: "owner" }]))
        assert.deepStrictEqual(yield* due(NOON), NOBODY)
        yield* within(sending.updateMailboxes([mailbox]))
        assert.deepStrictEqual(yield* due(NOON), FIRST)
        const now = yield* leadOf(workspaceId, lead.campaignLeadId)
        yield* within(campaigns.updateLead({ ...now, state: "active", stepsSent: 2, nextAtMillis: DUE }))
        assert.deepStrictEqual(yield* due(NOON), NOBODY)
      })
    )

    it.effect(
      "a claim is stale in its own mailbox, to its host, from the moment after it was made, until it ends",
      () =>
        Effect.gen(function* () {
          const { hostId, lead, look, mailboxes, sending } = yield* given
          assert.isTrue(yield* claim(hostId, Option.getOrThrow(yield* next(mailboxes[0]!))))
          const stale = (staleBefore: number, host = hostId) =>
            Effect.map(look(NOON, { host, staleBefore }), (found) => found.stale)
          assert.deepStrictEqual(yield* stale(NOON), NOBODY)
          assert.deepStrictEqual(yield* stale(NOON + 1), FIRST)
          assert.deepStrictEqual(yield* stale(NOON + 1, freshId()), NOBODY)
          const { mailboxId, workspaceId } = mailboxes[0]!
          const [claimed] = yield* sending.staleClaimsOf(workspaceId, mailboxId, NOON + 1, 10)
          yield* within(sending.endMessage({ ...claimed!, state: "sent", sentAtMillis: NOON }, lead.addressHash, null))
          assert.deepStrictEqual(yield* stale(NOON + 1), NOBODY)
        })
    )
  })
}
