import { assert, layer as describeLayer } from "@effect/vitest"
import type { CallStories } from "@outbound/domain/control/CallStories.js"
import { ControlLog } from "@outbound/domain/control/ControlLog.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import type { WebhookMessage } from "@outbound/domain/wings/webhooks/WebhookSender.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { eventOf, TRAIL_KINDS, TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import * as DeliveriesLive from "@outbound/domain/wings/webhooks/Deliveries.js"
import { Deliveries } from "@outbound/domain/wings/webhooks/Deliveries.js"
import * as WebhooksLive from "@outbound/domain/wings/webhooks/Webhooks.js"
import { Webhooks } from "@outbound/domain/wings/webhooks/Webhooks.js"
import { WebhookStore } from "@outbound/domain/control/webhooks/WebhookStore.js"
import { Clock, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { answering, ScriptedReceiver } from "./ScriptedReceiver.js"
import { draft, storyOf } from "../../contracts/service/callStories.js"
import { resultOf } from "../../contracts/service/support.js"
import {
  type ControlOnStores,
  growStale,
  keyIn,
  office,
  refusedBy,
  signIn
} from "../../contracts/service/controlSupport.js"
import { ok, PURCHASE, SCOPES, SUITE } from "../../contracts/service/stories.js"

type Needs = CallStories | ControlOnStores | UnitOfWork | WebhookStore

/** The service, with what people and hosts do about webhooks. */
export const withWebhooks = <S, E>(service: Layer.Layer<S | Needs, E>) =>
  Layer.provideMerge(Layer.merge(WebhooksLive.layer, DeliveriesLive.layer), service)

const UNKNOWN = "0197c3a0-0000-7000-8000-0000000fffff"

let urls = 0
const freshUrl = (): string => `https://receiver-${(urls += 1)}.example.com/events`

const secretsOf = (message: WebhookMessage | undefined): ReadonlyArray<string> =>
  (message?.secrets ?? []).map((secret) => Redacted.value(secret))

/** Something happens in a workspace: somebody is taken into a campaign. */
export const admit = (workspaceId: string, email: string) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const trail = yield* TrailStore
    const ids = yield* Ids
    const nowMillis = yield* Clock.currentTimeMillis
    yield* atomically(trail.append([eventOf(ids, nowMillis, { workspaceId, kind: "admitted", source: "api", email })]))
  })

/** What the service promises of webhooks, from the console to the receiver. */
export const webhookServiceContract = <E>(name: string, service: Layer.Layer<Needs, E>): void => {
  /** An owner's endpoint, and a way to make something happen in its workspace. */
  const told = (kinds: Parameters<Webhooks["Service"]["add"]>[1]["kinds"] = []) =>
    Effect.gen(function* () {
      const { manager, member, owner } = yield* office()
      const webhooks = yield* Webhooks
      const receiver = yield* ScriptedReceiver
      const url = freshUrl()
      const { endpointId, secret } = yield* webhooks.add(owner, { url, kinds })
      return {
        manager,
        owner,
        member,
        url,
        endpointId,
        secret,
        messages: () => receiver.messages(url),
        happen: (email: string) => admit(manager.workspaceId, email)
      }
    })

  const round = Effect.flatMap(Deliveries, (deliveries) => deliveries.round)

  describeLayer(withWebhooks(service), SUITE)(`webhooks in the service (${name})`, (it) => {
    it.effect("an event is told as the trail shows it, signed, under an id of its own", () =>
      Effect.gen(function* () {
        const { endpointId, happen, manager, messages, secret } = yield* told()
        yield* happen("ann@example.com")
        yield* round
        const [message] = messages()
        const { events } = ok(yield* manager.call("get_trail", {})).result
        const event = events.find(({ kind }: { readonly kind: string }) => kind === "admitted")
        assert.deepStrictEqual(JSON.parse(message!.body), { type: "trail.admitted", ...event })
        assert.strictEqual(event.email, "ann@example.com")
        const ids = [event.id, endpointId].map((id: string) => id.replaceAll("-", ""))
        assert.strictEqual(message!.id, `msg_${ids.join("_")}`)
        assert.deepStrictEqual(secretsOf(message), [secret])
        assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
        const before = messages().length
        yield* round
        assert.lengthOf(messages(), before)
      }).pipe(Effect.orDie)
    )

    it.effect("an approval that waits is told once, with the id of its page and nothing that acts", () =>
      Effect.gen(function* () {
        const { manager, messages } = yield* told(["approval_requested"])
        const agent = yield* keyIn(manager, { scopes: SCOPES })
        const asked = ok(yield* agent.call("setup_sending", PURCHASE)).result
        yield* Effect.all([round, round], { concurrency: "unbounded" })
        yield* round
        const bodies = messages().map(({ body }) => body)
        assert.lengthOf(bodies, 1)
        const { detail, type } = JSON.parse(bodies[0]!)
        const approvalId = asked.approval_url.slice(asked.approval_url.lastIndexOf("/") + 1)
        assert.strictEqual(type, "trail.approval_requested")
        assert.deepStrictEqual(detail, { verb: "setup_sending", approval_id: approvalId, by: agent.keyId })
        assert.isTrue(asked.approval_url.endsWith(`/console/approvals/${detail.approval_id}`))
        assert.notInclude(bodies[0]!, asked.confirmation_token)
      }).pipe(Effect.orDie)
    )

    it.effect("only chosen kinds are told, and to no other workspace's endpoint", () =>
      Effect.gen(function* () {
        const chosen = yield* told(["removed"])
        const other = yield* told()
        yield* chosen.happen("ann@example.com")
        yield* round
        assert.isEmpty(chosen.messages())
        assert.isEmpty(other.messages())
      }).pipe(Effect.orDie)
    )

    it.effect("of two hosts that work at once each event reaches its receiver, once, in order", () =>
      Effect.gen(function* () {
        const { endpointId, happen, messages, owner } = yield* told(["admitted"])
        yield* Effect.forEach(Array.from({ length: 12 }), (_, at) => happen(`person-${at}@example.com`))
        yield* Effect.all([round, round, round], { concurrency: "unbounded" })
        yield* round
        const webhooks = yield* Webhooks
        const log = yield* webhooks.log(owner, endpointId, { state: null, before: null })
        const inOrder = log.map(({ eventId }) => eventId).toReversed()
        assert.deepStrictEqual(
          messages().map(({ body }) => JSON.parse(body).id),
          inOrder
        )
        assert.deepStrictEqual([...new Set(log.map(({ state }) => state))], ["delivered"])
      }).pipe(Effect.orDie)
    )

    it.effect(
      "a host that dies before it wrote down what became of an event has it sent again, under the same id",
      () =>
        Effect.gen(function* () {
          const { atomically } = yield* UnitOfWork
          const store = yield* WebhookStore
          const { happen, messages, url } = yield* told(["admitted"])
          yield* happen("ann@example.com")
          // The other host's claim runs out at once; what it had sent is not known.
          const claims = yield* atomically(store.claim({ claimId: UNKNOWN, leaseMillis: 0, limit: 1_000 }))
          const dead = claims.find(({ endpoint }) => endpoint.url === url)
          assert.isDefined(dead)
          yield* round
          const [message] = messages()
          assert.include(message!.id, dead!.event.eventId.replaceAll("-", ""))
          assert.lengthOf(messages(), 1)
        }).pipe(Effect.orDie)
    )

    it.effect("a rotated secret signs beside the one before for a day, then alone", () =>
      Effect.gen(function* () {
        const { endpointId, happen, manager, messages, secret } = yield* told(["admitted"])
        const webhooks = yield* Webhooks
        const rotated = yield* webhooks.rotate(yield* signIn(manager.ownerEmail), endpointId)
        assert.notStrictEqual(rotated.secret, secret)
        yield* happen("ann@example.com")
        yield* round
        assert.deepStrictEqual(secretsOf(messages()[0]), [rotated.secret, secret])
        yield* TestClock.adjust("24 hours")
        yield* happen("bob@example.com")
        yield* round
        assert.deepStrictEqual(secretsOf(messages()[1]), [rotated.secret])
      }).pipe(Effect.orDie)
    )

    it.effect("an event is sent again when a human asks, under the same id; of another workspace it is not there", () =>
      Effect.gen(function* () {
        const { endpointId, happen, member, messages } = yield* told(["admitted"])
        const stranger = (yield* office()).owner
        const webhooks = yield* Webhooks
        yield* happen("ann@example.com")
        yield* round
        const [{ eventId } = { eventId: "" }] = yield* webhooks.log(member, endpointId, { state: null, before: null })
        yield* refusedBy("not_found", webhooks.sendAgain(stranger, endpointId, eventId))
        yield* refusedBy("not_found", webhooks.sendAgain(member, endpointId, UNKNOWN))
        yield* webhooks.sendAgain(member, endpointId, eventId)
        yield* round
        const [first, second] = messages()
        assert.strictEqual(second?.id, first!.id)
        for (const act of [
          webhooks.endpoint(stranger, endpointId),
          webhooks.log(stranger, endpointId, { state: null, before: null }),
          webhooks.rotate(stranger, endpointId),
          webhooks.setKinds(stranger, endpointId, []),
          webhooks.enable(stranger, endpointId),
          webhooks.disable(stranger, endpointId),
          webhooks.remove(stranger, endpointId),
          webhooks.sendFailedAgain(stranger, endpointId)
        ]) {
          yield* refusedBy("not_found", Effect.asVoid(act))
        }
        assert.isEmpty(yield* webhooks.list(stranger))
      }).pipe(Effect.orDie)
    )

    it.effect(
      "an endpoint that fails is never switched off by the service; a human does that, and what waits is held",
      () =>
        Effect.gen(function* () {
          const receiver = yield* ScriptedReceiver
          const webhooks = yield* Webhooks
          const { endpointId, happen, manager, member, messages, url } = yield* told(["admitted"])
          receiver.react(url, () => answering(410))
          yield* happen("ann@example.com")
          yield* round
          const failing = yield* webhooks.endpoint(member, endpointId)
          assert.deepStrictEqual(
            [failing.endpoint.state, failing.failures, failing.waiting, failing.failingSinceMillis === null],
            ["enabled", 1, 1, false]
          )
          yield* webhooks.disable(member, endpointId)
          receiver.react(url, () => Effect.void)
          yield* round
          assert.lengthOf(messages(), 1)
          const owner = yield* signIn(manager.ownerEmail)
          yield* webhooks.enable(owner, endpointId)
          const [{ eventId } = { eventId: "" }] = yield* webhooks.log(owner, endpointId, {
            state: "pending",
            before: null
          })
          yield* webhooks.sendAgain(owner, endpointId, eventId)
          yield* round
          assert.lengthOf(messages(), 2)
          assert.strictEqual((yield* webhooks.endpoint(owner, endpointId)).waiting, 0)
        }).pipe(Effect.orDie)
    )

    it.effect("letting more out is for owners who signed in just now; letting less out is for every member", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { endpointId, manager, member, owner } = yield* told(["sent", "reply"])
        yield* refusedBy("owner_required", webhooks.add(member, { url: freshUrl(), kinds: [] }))
        yield* refusedBy("owner_required", webhooks.rotate(member, endpointId))
        yield* refusedBy("owner_required", webhooks.setKinds(member, endpointId, ["sent", "bounce"]))
        yield* refusedBy("owner_required", webhooks.remove(member, endpointId))
        yield* webhooks.setKinds(member, endpointId, ["sent"])
        yield* webhooks.disable(member, endpointId)
        yield* refusedBy("owner_required", webhooks.enable(member, endpointId))
        yield* growStale
        for (const act of [
          webhooks.add(owner, { url: freshUrl(), kinds: [] }),
          webhooks.rotate(owner, endpointId),
          webhooks.enable(owner, endpointId),
          webhooks.setKinds(owner, endpointId, [])
        ]) {
          yield* refusedBy("reauthentication_required", Effect.asVoid(act))
        }
        const fresh = yield* signIn(manager.ownerEmail)
        yield* webhooks.setKinds(fresh, endpointId, [])
        yield* webhooks.enable(fresh, endpointId)
        yield* webhooks.enable(fresh, endpointId)
        yield* webhooks.remove(fresh, endpointId)
        yield* refusedBy("not_found", webhooks.enable(fresh, endpointId))
        const log = yield* ControlLog
        const entries = yield* log.page({ workspaceId: manager.workspaceId, keyId: null, limit: 100, before: null })
        assert.deepStrictEqual(
          entries
            .filter(({ action }) => action.includes("webhook"))
            .map(({ action, direction }) => `${action} ${direction}`),
          [
            "set_webhook tighten",
            "set_webhook loosen",
            "set_webhook loosen",
            "set_webhook tighten",
            "set_webhook tighten",
            "add_webhook loosen"
          ]
        )
        assert.notInclude(JSON.stringify(entries), "whsec_")
      }).pipe(Effect.orDie)
    )

    it.effect("the log says what became of a webhook; its kinds are kept once, in the order of the trail", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { manager, owner } = yield* office()
        const url = freshUrl()
        const { endpointId } = yield* webhooks.add(owner, { url: ` ${url} `, kinds: ["reply", "sent", "reply"] })
        const { endpoint } = yield* webhooks.endpoint(owner, endpointId)
        const kinds = TRAIL_KINDS.filter((kind) => kind === "reply" || kind === "sent")
        assert.deepStrictEqual([endpoint.url, endpoint.kinds], [url, kinds])
        yield* webhooks.setKinds(owner, endpointId, kinds.toReversed())
        yield* webhooks.setKinds(owner, endpointId, [])
        assert.deepStrictEqual((yield* webhooks.endpoint(owner, endpointId)).endpoint.kinds, [])
        yield* webhooks.rotate(owner, endpointId)
        yield* webhooks.disable(owner, endpointId)
        yield* webhooks.disable(owner, endpointId)
        yield* refusedBy("not_found", webhooks.endpoint(owner, "no id"))
        yield* refusedBy("not_found", webhooks.rotate(owner, "no id"))
        yield* refusedBy("not_found", webhooks.sendAgain(owner, endpointId, "no id"))
        const log = yield* ControlLog
        const entries = yield* log.page({ workspaceId: manager.workspaceId, keyId: null, limit: 100, before: null })
        const whole = { endpoint_id: endpointId, url, kinds, state: "enabled" }
        assert.deepStrictEqual<unknown>(
          entries
            .filter(({ action }) => action.includes("webhook"))
            .map(({ action, after, before, direction }) => [action, direction, before, after]),
          [
            ["set_webhook", "tighten", { url, state: "enabled" }, { url, state: "disabled" }],
            ["rotate_webhook_secret", "none", {}, { endpoint_id: endpointId, url }],
            ["set_webhook", "loosen", { url, kinds }, { url, kinds: "all" }],
            ["set_webhook", "none", { url }, { url }],
            ["add_webhook", "loosen", {}, whole]
          ]
        )
      }).pipe(Effect.orDie)
    )

    it.effect("an address that may not be told is refused", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { owner } = yield* office()
        for (const url of [
          "",
          "example.com",
          "http://example.com/",
          "ftp://example.com/",
          "https://user:secret@example.com/",
          "https://example.com/#here",
          "https://10.0.0.1/",
          "https://169.254.169.254/latest",
          "https://[fd00::1]/",
          "https://0x7f.1.1.1/",
          // The service of this suite is not at home on its users' machine.
          "http://127.0.0.1:9000/a",
          "http://localhost:9000/b",
          `https://example.com/${"x".repeat(1_000)}`
        ]) {
          yield* refusedBy("invalid", webhooks.add(owner, { url, kinds: [] }))
        }
        for (let at = 0; at < 10; at += 1) yield* webhooks.add(owner, { url: freshUrl(), kinds: [] })
        yield* refusedBy("invalid", webhooks.add(owner, { url: freshUrl(), kinds: [] }))
        assert.lengthOf(yield* webhooks.list(owner), 10)
      }).pipe(Effect.orDie)
    )

    it.effect("webhooks that were sent of what it did are told with the call", () =>
      Effect.gen(function* () {
        const { manager, owner } = yield* office()
        const client = yield* keyIn(manager, { scopes: ["campaign:write"] })
        const { endpointId } = yield* (yield* Webhooks).add(owner, { url: "https://hooks.test/story", kinds: [] })
        const created = yield* client.call("create_campaign", draft, { key: "draft" })
        resultOf(created)
        const before = yield* storyOf(created.requestId)
        assert.isNotEmpty(before.webhooks)
        yield* (yield* Deliveries).round
        const { events, webhooks } = yield* storyOf(created.requestId)
        for (const { attempts, endpointId: to, state, status } of webhooks) {
          assert.deepStrictEqual([to, state, attempts, status], [endpointId, "delivered", 1, 200])
        }
        assert.sameMembers(
          webhooks.map(({ eventId }) => eventId),
          events.map(({ eventId }) => eventId)
        )
      })
    )
  })
}
