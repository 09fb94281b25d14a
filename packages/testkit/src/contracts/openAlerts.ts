import { assert, it } from "@effect/vitest"
import { type AlertCause, AlertStore, WEBHOOK_FAILING_MILLIS } from "@outbound/domain/control/alerts/AlertStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { WebhookStore } from "@outbound/domain/control/webhooks/WebhookStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { DAY, freshId, givenWorkspace, HOUR, NOON, SUITE } from "./fixtures.js"
import { givenMailboxes, makeCampaign } from "./outboundFixtures.js"

type Stores =
  | AlertStore
  | CampaignStore
  | ConsoleReads
  | CreditStore
  | SendingStore
  | TrailStore
  | UnitOfWork
  | WebhookStore
  | WorkspaceStore

/** Which alerts are open: those that tell of what still is so. Keys' caps are looked at with the whole service. */
export const openAlertsContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  const raise = (workspaceId: string, cause: Pick<AlertCause, "kind" | "subject"> & Partial<AlertCause>) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* AlertStore
      const alert = { workspaceId, period: freshId(), name: "", says: "", ...cause }
      yield* atomically(store.raise([{ ...alert, alertId: freshId(), raisedAtMillis: NOON, mailedAtMillis: null }]))
    })

  /** The kinds of those that are open, newest first; every page of the console counts as many. */
  const open = (workspaceId: string, nowMillis = NOON) =>
    Effect.gen(function* () {
      const listed = yield* (yield* AlertStore).list(workspaceId, nowMillis, 100, null)
      const found = listed.filter(({ isOpen }) => isOpen).map(({ kind }) => kind)
      assert.strictEqual((yield* (yield* ConsoleReads).standing(workspaceId, nowMillis)).alertsOpen, found.length)
      return found
    })

  const add = (workspaceId: string, amount: string) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* CreditStore
      const entryId = freshId()
      const entry = { entryId, workspaceId, kind: "grant", amount: credits(amount), requestId: null } as const
      yield* atomically(store.add({ ...entry, countsAsPaymentMethod: false, atMillis: NOON }))
      return entryId
    })

  it.layer(adapter, SUITE)(`open alerts (${name})`, (it) => {
    it.effect("a low balance is open until there is enough again, by the threshold that holds now", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* AlertStore
        const { workspaceId } = yield* givenWorkspace()
        const period = yield* add(workspaceId, "49")
        yield* raise(workspaceId, { kind: "low_balance", subject: "balance", period })
        assert.deepStrictEqual(yield* open(workspaceId), ["low_balance"])
        yield* atomically(store.setThreshold(workspaceId, credits("49")))
        assert.deepStrictEqual(yield* open(workspaceId), [])
        yield* atomically(store.setThreshold(workspaceId, null))
        yield* add(workspaceId, "1")
        assert.deepStrictEqual(yield* open(workspaceId), [])
        assert.deepStrictEqual(yield* open((yield* givenWorkspace()).workspaceId), [])
      })
    )

    it.effect("a paused mailbox is open until it goes on, or its owner holds it; about one thing the newest is", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const { workspaceId } = yield* givenWorkspace()
        const paused = { state: "paused", pauseReason: "bounces" } as const
        const [mailbox] = yield* givenMailboxes(workspaceId, 1, paused)
        const cause = { kind: "mailbox_paused", subject: mailbox!.address! } as const
        yield* raise(workspaceId, cause)
        yield* raise(workspaceId, cause)
        const [other] = yield* givenMailboxes((yield* givenWorkspace()).workspaceId, 1, paused)
        yield* raise(workspaceId, { kind: "mailbox_paused", subject: other!.address! })
        assert.deepStrictEqual(yield* open(workspaceId), ["mailbox_paused"])
        yield* atomically(sending.updateMailboxes([{ ...mailbox!, pauseReason: "owner" }]))
        assert.deepStrictEqual(yield* open(workspaceId), [])
        yield* atomically(sending.updateMailboxes([{ ...mailbox!, state: "active", pauseReason: null }]))
        assert.deepStrictEqual(yield* open(workspaceId), [])
      })
    )

    it.effect("a mailbox whose bounces are high is open until they are not any more", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const { workspaceId } = yield* givenWorkspace()
        const [mailbox] = yield* givenMailboxes(workspaceId, 1, { state: "active" })
        yield* raise(workspaceId, { kind: "bounces_high", subject: mailbox!.address! })
        assert.deepStrictEqual(yield* open(workspaceId), [])
        yield* atomically(sending.noteBounces(workspaceId, mailbox!.mailboxId, NOON))
        assert.deepStrictEqual(yield* open(workspaceId), ["bounces_high"])
        yield* atomically(sending.noteBounces(workspaceId, mailbox!.mailboxId, null))
        assert.deepStrictEqual(yield* open(workspaceId), [])
      })
    )

    it.effect("a campaign without capacity is open until it goes on", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const campaigns = yield* CampaignStore
        const { workspaceId } = yield* givenWorkspace()
        const campaign = makeCampaign({ workspaceId, state: "paused", pauseReason: "capacity" })
        yield* atomically(campaigns.insert(campaign, []))
        yield* raise(workspaceId, { kind: "campaign_capacity", subject: campaign.campaignId })
        assert.deepStrictEqual(yield* open(workspaceId), ["campaign_capacity"])
        yield* atomically(campaigns.update({ ...campaign, pauseReason: "owner" }))
        assert.deepStrictEqual(yield* open(workspaceId), [])
      })
    )

    it.effect("a failing webhook is open until it takes something, is switched off or removed", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* WebhookStore
        const trail = yield* TrailStore
        const { workspaceId } = yield* givenWorkspace()
        const endpoint = {
          workspaceId,
          endpointId: freshId(),
          url: "https://example.com/events",
          kinds: [],
          state: "enabled",
          sealedSecret: "sealed",
          previous: null,
          createdAtMillis: NOON
        } as const
        yield* atomically(store.insert(endpoint))
        const about = { campaignId: null, campaignLeadId: null, replyId: null, requestId: null, operationId: null }
        const event = { ...about, eventId: freshId(), workspaceId, kind: "sent", source: "api", email: null } as const
        yield* atomically(trail.append([{ ...event, observedAtMillis: NOON, detail: {} }]))
        const claims = yield* atomically(store.claim({ claimId: freshId(), leaseMillis: DAY, limit: 1_000 }))
        const claimed = claims.find((one) => one.endpoint.endpointId === endpoint.endpointId)!
        const failed = { state: "pending", status: 500, failure: "status", tookMillis: 1, retryInMillis: HOUR } as const
        yield* atomically(store.record(claimed, { ...failed, restMillis: 0 }))
        const standing = Option.getOrThrow(yield* store.find(workspaceId, endpoint.endpointId))
        const hourOn = standing.failingSinceMillis! + WEBHOOK_FAILING_MILLIS
        yield* raise(workspaceId, { kind: "webhook_failing", subject: endpoint.endpointId })
        assert.deepStrictEqual(yield* open(workspaceId, hourOn), [])
        assert.deepStrictEqual(yield* open(workspaceId, hourOn + HOUR), ["webhook_failing"])
        yield* atomically(store.update({ ...endpoint, state: "disabled" }))
        assert.deepStrictEqual(yield* open(workspaceId, hourOn + HOUR), [])
      })
    )
  })
}
