import { assert, layer as describeLayer } from "@effect/vitest"
import { CallStories } from "@outbound/domain/control/CallStories.js"
import { credits, zero } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Fiber, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { decide, makeClient, turn } from "../../service/Client.js"
import { Faults, type Service } from "../../service/Service.js"
import { freshId } from "../fixtures.js"
import { withMailboxes } from "./loop.js"
import { resultOf, SUITE, untilAsked, VERIFIERS } from "./support.js"

export const storyOf = (requestId: string) =>
  Effect.gen(function* () {
    const { of } = yield* CallStories
    return Option.getOrThrow(yield* of(requestId))
  })

export const draft = {
  name: "First",
  recipients: [
    { email: "silent@magic.test", first_name: "Sil" },
    { email: "interested@magic.test", first_name: "Ines" }
  ],
  sequence: [{ subject: "Hello", body: "Hi" }]
}

/** What `outbound request` tells of calls that were made through the service. */
export const callStoriesContract = <E>(name: string, service: Layer.Layer<Service | Faults | CallStories, E>) => {
  describeLayer(service, SUITE)(`the story of a call (${name})`, (it) => {
    it.effect("a call under way says which host holds it and what it reserved; one that ended, what it came to", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const { behave, forgetCalls } = yield* Faults
        const [first] = VERIFIERS
        const id = freshId()
        yield* forgetCalls
        yield* behave(first, Behaviour.Late({ after: "1 second" }))
        const verify = client.call("verify_email", { email: "valid@magic.test" }, { id, key: "once" })
        const fiber = yield* Effect.forkChild(verify)
        yield* untilAsked(first, 1)

        const open = yield* storyOf(id)
        assert.deepInclude(open.record, {
          requestId: id,
          verb: "verify_email",
          status: "pending",
          reserved: credits("1"),
          httpStatus: null,
          finishedAtMillis: null
        })
        assert.isTrue(open.lease?.isHeld)
        assert.deepInclude(open.workspace, { workspaceId: client.workspaceId, name: "Test", kind: "sandbox" })
        assert.deepInclude(open.key, { keyId: client.keyId, name: "test", state: "active" })
        assert.isTrue(client.apiKey.startsWith(open.key.prefix))
        assert.deepStrictEqual(open.idempotency, { key: "once", phase: "act", isRemembered: false })
        assert.isEmpty(open.ledger)

        yield* TestClock.adjust("2 seconds")
        resultOf(yield* Fiber.join(fiber))
        yield* behave(first, Behaviour.Answer())
        resultOf(yield* verify)
        const ended = yield* storyOf(id)
        assert.deepInclude(ended.record, {
          status: "succeeded",
          httpStatus: 200,
          reserved: zero,
          charged: credits("1"),
          replayedCount: 1
        })
        assert.isNull(ended.lease)
        assert.isTrue(ended.idempotency?.isRemembered)
        assert.deepStrictEqual(
          ended.ledger.map(({ amount, kind }) => ({ amount, kind })),
          [{ kind: "charge", amount: credits("1") }]
        )
        assert.isNull(ended.allowedBy)
      })
    )

    it.effect("a refusal shows its code, and cost nothing", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "0.5" })
        const { requestId } = yield* client.call("verify_email", { email: "valid@magic.test" })
        const { admitted, ledger, record } = yield* storyOf(requestId)
        assert.isFalse(admitted)
        assert.deepInclude(record, { status: "failed", httpStatus: 402, errorCode: "insufficient_credits" })
        assert.isEmpty(ledger)
      })
    )

    it.effect("a launch is told from the approval that it used to the messages that left, and names no recipient", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({
          scopes: ["data:read", "campaign:write", "campaign:launch", "assets:purchase"]
        })
        const bought = yield* storyOf((yield* withMailboxes(client)).requestId)
        assert.deepStrictEqual(
          bought.operations.map(({ kind, status }) => ({ kind, status })),
          [{ kind: "setup_sending", status: "succeeded" }]
        )
        const [first, ...others] = bought.approvals
        assert.isEmpty(others)
        assert.deepInclude(first, { role: "used", target: "purchase", state: "used", decidedBy: client.ownerEmail })
        const kinds = bought.events.map(({ kind }) => kind)
        assert.include(kinds, "purchased")
        assert.include(kinds, "mailbox_active")

        const { campaign_id } = resultOf(yield* client.call("create_campaign", draft, { key: "draft" }))
        const asked = yield* client.call("launch_campaign", { campaign_id }, { key: "launch" })
        const { approval_url, confirmation_token } = resultOf(asked)
        const waiting = yield* storyOf(asked.requestId)
        assert.deepStrictEqual(
          waiting.approvals.map(({ decidedBy, role, state }) => ({ decidedBy, role, state })),
          [{ decidedBy: null, role: "asked", state: "pending" }]
        )
        yield* decide(client, approval_url, "approve")
        const launch = yield* client.call("launch_campaign", { campaign_id, confirmation_token }, { key: "launch" })
        resultOf(launch)
        yield* turn
        const story = yield* storyOf(launch.requestId)
        assert.deepStrictEqual(
          story.approvals.map(({ approvalId, role, state }) => ({ approvalId, role, state })),
          [{ approvalId: waiting.approvals[0]?.approvalId, role: "used", state: "used" }]
        )
        assert.deepInclude(story.idempotency, { key: "launch", phase: "act" })
        assert.deepStrictEqual(story.messages, [{ campaignId: campaign_id, state: "sent", count: 2 }])
        assert.include(
          story.events.map(({ campaignId, kind }) => `${kind} ${campaignId}`),
          `launched ${campaign_id}`
        )
        const all = JSON.stringify([bought, waiting, story], (_, value) =>
          typeof value === "bigint" ? `${value}` : value
        )
        assert.notInclude(all, "magic.test")
      })
    )

    it.effect("a call of another workspace, or none, is not told in its place", () =>
      Effect.gen(function* () {
        const { of } = yield* CallStories
        const [one, other] = [yield* makeClient(), yield* makeClient()]
        const { requestId } = yield* one.call("get_me")
        yield* other.call("get_me")
        assert.strictEqual((yield* storyOf(requestId)).workspace.workspaceId, one.workspaceId)
        assert.isTrue(Option.isNone(yield* of(freshId())))
      })
    )
  })
}
