import { assert, layer as describeLayer } from "@effect/vitest"
import { SPANS } from "@outbound/domain/kernel/telemetry.js"
import { Effect, Layer, References } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { type Client, decide, makeClient, turn } from "../../service/Client.js"
import type { Faults, Service } from "../../service/Service.js"
import { type CollectedSpan, makeCollected } from "../../telemetry/Collected.js"
import { withMailboxes } from "./loop.js"
import { ENRICHERS, resultOf, SUITE, VERIFIERS, whileSources } from "./support.js"

const ADDRESS = "ada.lovelace@magic.test"

const launched = (client: Client) =>
  Effect.gen(function* () {
    yield* withMailboxes(client)
    const draft = {
      name: "First",
      recipients: [{ email: "silent@magic.test", first_name: "Sil" }],
      sequence: [{ subject: "Hello", body: "Hi" }]
    }
    const { campaign_id } = resultOf(yield* client.call("create_campaign", draft, { key: "draft" }))
    const asked = resultOf(yield* client.call("launch_campaign", { campaign_id }, { key: "launch" }))
    yield* decide(client, asked.approval_url, "approve")
    const { confirmation_token } = asked
    resultOf(yield* client.call("launch_campaign", { campaign_id, confirmation_token }, { key: "launch" }))
    return campaign_id as string
  })

/** What lines and spans say of the work that they are about. */
export const telemetryContract = <E>(name: string, service: Layer.Layer<Service | Faults, E>) => {
  describeLayer(service, SUITE)(`logs and traces (${name})`, (it) => {
    it.effect("every line of a call that fails names the call, and neither its key nor whom it is about", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const { layer, lines } = makeCollected()
        const verify = client.call("verify_email", { email: ADDRESS })
        const failing = whileSources(VERIFIERS, Behaviour.Fail({ reason: "account" }), verify)
        const dying = whileSources(VERIFIERS, Behaviour.Die({ defect: `no ${ADDRESS.length}` }), verify)
        for (const call of [failing, dying]) {
          lines.length = 0
          const answer = yield* Effect.provide(call, layer)
          assert.notStrictEqual(answer.status, 200, answer.text)
          assert.isNotEmpty(lines)
          for (const { annotations, message } of lines) {
            assert.deepInclude(
              annotations,
              {
                request_id: answer.requestId,
                verb: "verify_email",
                workspace_id: client.workspaceId,
                key_id: client.keyId
              },
              message
            )
          }
          const all = JSON.stringify(lines)
          assert.notInclude(all, ADDRESS)
          assert.notInclude(all, client.apiKey)
        }
      })
    )

    it.effect("what a call says of itself ends with it", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const { layer, lines } = makeCollected()
        yield* Effect.provide(
          Effect.andThen(client.call("verify_email", { email: ADDRESS }), Effect.logInfo("after")),
          layer
        )
        assert.deepStrictEqual(lines, [{ message: "after", annotations: {} }])
      })
    )

    it.effect("each step of a call has its span: admission, each source with its outcome, settlement", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const { layer, named, spans } = makeCollected()
        const person = { full_name: "Ada Lovelace", company_domain: "corp.example" }
        const [broken] = ENRICHERS
        const answer = yield* whileSources(
          [broken],
          Behaviour.Fail({ reason: "account" }),
          Effect.provide(client.call("enrich", { person }), layer)
        )
        const only = (one: string): CollectedSpan => named(one)[0] ?? assert.fail(`no span ${one}: ${answer.text}`)
        const [call, admit, perform] = [only("call"), only("call.admit"), only("call.perform")]
        assert.strictEqual(admit.parentId, call.spanId)
        assert.strictEqual(perform.parentId, call.spanId)
        assert.strictEqual(admit.attributes.get("outbound.admission"), "Admitted")
        assert.strictEqual(call.attributes.get("http.response.status_code"), answer.status)
        // The database's library makes spans of its own.
        for (const span of spans.filter(({ name }) => SPANS.some((ours) => ours === name))) {
          assert.strictEqual(span.attributes.get("outbound.request_id"), answer.requestId, span.name)
          assert.strictEqual(span.attributes.get("outbound.verb"), "enrich", span.name)
        }
        const asked = named("source.ask")
        assert.isAtLeast(asked.length, 2)
        for (const span of asked) {
          assert.strictEqual(span.parentId, perform.spanId)
          assert.strictEqual(span.kind, "client")
          assert.strictEqual(span.attributes.get("outbound.workspace_id"), client.workspaceId)
        }
        const failed = asked.find((span) => span.attributes.get("peer.service") === broken)
        assert.strictEqual(failed?.attributes.get("error.type"), "account")
        assert.isTrue(asked.some((span) => typeof span.attributes.get("outbound.found") === "boolean"))
        assert.isNotEmpty(named("call.settle"))
        const all = JSON.stringify(spans.map((span) => ({ ...span, attributes: [...span.attributes] })))
        for (const secret of ["Lovelace", "corp.example", client.apiKey]) assert.notInclude(all, secret)
      })
    )

    it.effect("a message's span names the message and its campaign", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({
          scopes: ["data:read", "campaign:write", "campaign:launch", "assets:purchase"]
        })
        const { layer, named } = makeCollected()
        const campaignId = yield* launched(client)
        yield* TestClock.adjust("1 second")
        yield* Effect.provide(turn, layer)
        const sent = named("mail.send").find(({ attributes }) => attributes.get("outbound.campaign_id") === campaignId)
        if (sent === undefined) return assert.fail("no message was sent")
        assert.strictEqual(sent.attributes.get("outbound.workspace_id"), client.workspaceId)
        assert.isString(sent.attributes.get("outbound.message_id"))
        assert.strictEqual(sent.attributes.get("outbound.step"), 1)
      })
    )

    it.effect("where nobody collects spans none is made", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const { layer, spans } = makeCollected()
        const off = Layer.merge(layer, Layer.succeed(References.TracerEnabled, false))
        resultOf(yield* Effect.provide(client.call("verify_email", { email: "valid@magic.test" }), off))
        assert.isEmpty(spans)
      })
    )
  })
}
