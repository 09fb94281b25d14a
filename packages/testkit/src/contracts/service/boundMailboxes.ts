import { assert, layer as describeLayer } from "@effect/vitest"
import { CampaignMailboxes } from "@outbound/domain/outreach/launching/CampaignMailboxes.js"
import { isWireError } from "@outbound/domain/kernel/errors/Wire.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, type Layer } from "effect"
import { type Client, decide } from "../../service/Client.js"
import { add, askLeads, drafted } from "./addLeadsSupport.js"
import { alter } from "./launch.js"
import {
  askLaunch,
  buy,
  deliveries,
  ended,
  freshKey,
  launch,
  launched,
  ok,
  pass,
  PURCHASE,
  refused,
  SEQUENCE,
  sender,
  type ServiceOnStores,
  silent,
  SUITE,
  trailOf
} from "./stories.js"

const ONE_STEP = SEQUENCE.slice(0, 1)

/**
 * A campaign sends from the mailboxes that its approval showed, and from those that an owner added (contract:
 * approvals, binding).
 */
export const boundMailboxesContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`the mailboxes of an approval (${name})`, (it) => {
    it.effect("a preview names the mailboxes, and another one than those shown changes what was approved", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const [first] = yield* active(client)
        const campaign_id = yield* drafted(client, silent(2))
        const asked = yield* askLaunch(client, campaign_id)
        assert.deepStrictEqual(asked.result.preview.mailboxes, [first])
        yield* decide(client, asked.result.approval_url, "approve")
        const second = yield* another(client)
        const { approval_url, confirmation_token } = asked.result
        const late = client.call("launch_campaign", { campaign_id, confirmation_token }, { key: freshKey() })
        refused(yield* late, 409, "approval_changed", { approval_url })

        const again = yield* askLaunch(client, campaign_id)
        assert.sameMembers(again.result.preview.mailboxes, [first, second])
      })
    )

    it.effect("fewer mailboxes than shown launch; one that rested meanwhile was shown, so it may send afterwards", () =>
      Effect.gen(function* () {
        const client = yield* sender(50)
        const [resting, other] = yield* active(client)
        const campaign_id = yield* drafted(client, silent(2, "a"))
        const asked = yield* askLaunch(client, campaign_id)
        yield* decide(client, asked.result.approval_url, "approve")
        yield* set(client, resting, "paused")
        const { confirmation_token } = asked.result
        const done = yield* client.call("launch_campaign", { campaign_id, confirmation_token }, { key: freshKey() })
        assert.strictEqual(ok(done).result.mailboxes_attached, 1)
        yield* pass("2 seconds")
        assert.deepStrictEqual(yield* senders(campaign_id), [other])

        yield* set(client, resting, "active")
        const more = yield* askLeads(client, campaign_id, silent(2, "b"))
        assert.sameMembers(more.preview.mailboxes, [resting, other])
      })
    )

    it.effect("a mailbox bought after the launch never sends for it: not by add_leads, and not by a relaunch", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const [first] = yield* active(client)
        const campaign_id = yield* launched(client, { recipients: silent(2, "a"), sequence: ONE_STEP })
        yield* another(client)
        const leads = silent(4, "b")
        const asked = yield* askLeads(client, campaign_id, leads)
        assert.deepStrictEqual(asked.preview.mailboxes, [first])
        assert.strictEqual(asked.preview.mailboxes_attached, 1)
        yield* decide(client, asked.approval_url, "approve")
        yield* another(client)
        ok(yield* add(client, campaign_id, { leads, confirmation_token: asked.confirmation_token }))
        yield* alter(client, campaign_id, { state: "paused", pauseReason: "owner", launched: true })
        assert.strictEqual((yield* launch(client, campaign_id)).result.mailboxes_attached, 1)
        yield* pass("2 seconds")
        assert.lengthOf(yield* deliveries(campaign_id), 6)
        assert.deepStrictEqual(yield* senders(campaign_id), [first])
      })
    )

    it.effect("without any mailbox that it may use, a launched campaign is refused, though others are active", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const [first] = yield* active(client)
        const campaign_id = yield* launched(client, { recipients: silent(1) })
        const second = yield* another(client)
        yield* set(client, first, "paused")
        yield* alter(client, campaign_id, { state: "paused", pauseReason: "capacity", launched: true })
        const asks = client.call("launch_campaign", { campaign_id }, { key: freshKey() })
        refused(yield* asks, 409, "mailbox_unavailable")
        yield* addMailbox(client, campaign_id, second)
        assert.deepStrictEqual(ok(yield* asks).result.preview.mailboxes, [second])
      })
    )

    it.effect("one that an owner adds takes its share of those who were sent nothing, and the trail says so", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const [first] = yield* active(client)
        // Some are sent before the day's cap of the only mailbox is reached.
        const campaign_id = yield* launched(client, { recipients: silent(40), sequence: ONE_STEP })
        yield* pass("2 seconds")
        const before = (yield* deliveries(campaign_id)).length
        assert.isBelow(before, 40)
        const second = yield* another(client)
        yield* addMailbox(client, campaign_id, second)
        yield* addMailbox(client, campaign_id, second)
        yield* pass("2 seconds")
        assert.sameMembers(yield* senders(campaign_id), [first, second])
        const sent = yield* deliveries(campaign_id)
        assert.strictEqual(sent.filter(({ from }) => from.address === second).length, Math.floor((40 - before) / 2))
        const told = yield* trailOf(client, { campaign_id, kind: "mailbox_active" })
        assert.lengthOf(told, 1)
        const detail = { mailbox: second, reason: "added_to_campaign", by: "ada@example.com" }
        assert.deepInclude(told[0], { source: "console", detail })
      })
    )

    it.effect("an open approval did not show a mailbox that an owner added since", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const campaign_id = yield* launched(client, { recipients: silent(1, "a") })
        const leads = silent(1, "b")
        const { approval_url, confirmation_token } = yield* askLeads(client, campaign_id, leads)
        yield* decide(client, approval_url, "approve")
        yield* addMailbox(client, campaign_id, yield* another(client))
        refused(yield* add(client, campaign_id, { leads, confirmation_token }), 409, "approval_changed")
      })
    )

    it.effect("nothing is added to a draft, to a killed campaign, or from another workspace", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const second = yield* another(client)
        const draft = yield* drafted(client, silent(1))
        assert.strictEqual(yield* refusalOf(addMailbox(client, draft, second)), "invalid_request")
        const running = yield* launched(client, { recipients: silent(1, "r") })
        const stranger = yield* sender()
        const theirs = (yield* active(stranger))[0]
        assert.strictEqual(yield* refusalOf(addMailbox(stranger, running, theirs)), "not_found")
        const { mailboxId } = yield* mailboxOf(stranger, theirs)
        const admin = yield* CampaignMailboxes
        const foreign = admin.add(client.workspaceId, running, mailboxId, "ada@example.com")
        assert.strictEqual(yield* refusalOf(foreign), "not_found")
        yield* alter(client, running, { state: "paused", pauseReason: "killed", launched: true })
        assert.strictEqual(yield* refusalOf(addMailbox(client, running, second)), "invalid_request")
      })
    )
  })
}

/** The workspace's active mailboxes, by address. */
const active = ({ workspaceId }: Client) =>
  Effect.flatMap(SendingStore, (sending) =>
    Effect.map(sending.activeMailboxes(workspaceId), (found) => found.map(({ address }) => address).sort())
  )

const mailboxOf = ({ workspaceId }: Client, address: string | undefined) =>
  Effect.flatMap(SendingStore, (sending) =>
    Effect.map(sending.activeMailboxes(workspaceId), (found) => {
      const one = found.find((mailbox) => mailbox.address === address)
      assert.isDefined(one)
      return one!
    })
  )

let brands = 0

/** Buys one more mailbox, with its own approval. Its address. */
const another = (client: Client) =>
  Effect.gen(function* () {
    const before = yield* active(client)
    const bought = yield* buy(client, { ...PURCHASE, brand: `later-${(brands += 1)}` })
    yield* ended(client, bought.result.operation_id)
    const [added] = (yield* active(client)).filter((address) => !before.includes(address))
    assert.isDefined(added)
    return added!
  })

/** By workspace and address: a paused mailbox is not among the active ones. */
const kept = new Map<string, Effect.Success<ReturnType<typeof mailboxOf>>>()

/** Pauses a mailbox, or lets it go on. */
const set = (client: Client, address: string | undefined, state: "active" | "paused") =>
  Effect.gen(function* () {
    const sending = yield* SendingStore
    const { atomically } = yield* UnitOfWork
    const key = `${client.workspaceId} ${address}`
    const mailbox = kept.get(key) ?? (yield* mailboxOf(client, address))
    kept.set(key, mailbox)
    const pauseReason = state === "paused" ? ("owner" as const) : null
    yield* atomically(sending.updateMailboxes([{ ...mailbox, state, pauseReason }]))
  })

const addMailbox = (client: Client, campaignId: string, address: string | undefined) =>
  Effect.gen(function* () {
    const admin = yield* CampaignMailboxes
    const { mailboxId } = yield* mailboxOf(client, address)
    yield* admin.add(client.workspaceId, campaignId, mailboxId, "ada@example.com")
  })

const senders = (campaignId: string) =>
  Effect.map(deliveries(campaignId), (sent) => [...new Set(sent.map(({ from }) => from.address))].sort())

const refusalOf = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(work), (error) => (isWireError(error) ? error.code : assert.fail(String(error))))
