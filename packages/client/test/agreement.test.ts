import { assert, describe, it } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { verbList, verbs } from "@outbound/domain/verbs/verbs.js"
import { callEntries, ID } from "@outbound/testkit/contracts/service/wellFormed.js"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { Effect } from "effect"
import { verbGroup } from "../src/VerbGroup.js"
import { withHost } from "./support/Host.js"
import { byRest, byRpc, envelopeOf, type Got, message, type Options, postLine, timeless } from "./support/Surfaces.js"

/** A well-formed call of every verb. */
const called: typeof callEntries = [
  ...callEntries,
  ["llm_chat", ["data:read", { model: "sandbox-mini", messages: [{ role: "user", content: "Say hello." }] }]],
  ["llm_models", [null, {}]],
  ["llm_model", [null, { model: "sandbox-mini" }]]
]

const parsed = ({ text }: Got) => JSON.parse(text)

/** By REST some verbs write a success with its members at the top; what they say is the same. */
const enveloped = (got: Got) => {
  const body = parsed(got)
  if (body.error !== undefined || body.result !== undefined) return body
  const { svc, ...result } = body
  return { result, svc }
}

const HEADERS = ["ratelimit-policy", "ratelimit", "retry-after", "www-authenticate", "cache-control"]
const headersOf = ({ headers }: Got) => HEADERS.map((name) => headers.get(name)?.replace(/r=\d+;t=\d+/, "left"))

const needsKey = (verb: AnyVerb): boolean => verb.idempotency === "required"

describe("REST and RPC agree", () => {
  it("on names: every verb is a procedure, and nothing else is", () => {
    assert.sameMembers(
      [...verbGroup.requests.keys()],
      verbList.map(({ name }) => name)
    )
    assert.sameMembers(
      called.map(([name]) => name),
      verbList.map(({ name }) => name)
    )
  })

  it.live.each(called)("on what %s answers and charges", ([name, [, input]]) =>
    withHost(
      Effect.gen(function* () {
        const verb: AnyVerb = verbs[name]
        const [one, other] = [yield* makeClient(), yield* makeClient()]
        const options = needsKey(verb) ? { key: "the same" } : {}
        const rest = yield* byRest(one.apiKey, verb, input, options)
        const rpc = yield* byRpc(other.apiKey, verb, input, options)
        assert.deepStrictEqual(timeless(envelopeOf(rpc)), timeless(enveloped(rest)))
        assert.deepStrictEqual([rpc.status, ...headersOf(rpc)], [rest.status, ...headersOf(rest)])
        assert.match(rpc.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/)
        assert.strictEqual(rpc.headers.get("content-type"), "application/ndjson")
        const left = yield* Effect.forEach([one, other], (client) => client.call("get_usage"))
        assert.strictEqual(left[0]?.result.credits_available, left[1]?.result.credits_available)
      })
    )
  )

  const wrong: ReadonlyArray<readonly [what: string, input: JsonObject, options: Options]> = [
    ["an unknown field", { colour: "red" }, { key: "k" }],
    ["a key that is too long", {}, { key: "k".repeat(201) }],
    ["a run that is no UUID", {}, { run: "no", key: "k" }],
    ["an unknown run", {}, { run: ID, key: "k" }],
    ["U+0000", { email: "a\u0000@x.test" }, { key: "k" }]
  ]
  it.live.each(wrong)("on the refusal of %s", ([, more, options]) =>
    withHost(
      Effect.gen(function* () {
        const [one, other] = [yield* makeClient(), yield* makeClient()]
        for (const [name, [, input]] of called) {
          const verb: AnyVerb = verbs[name]
          // In a query all is text, and what is unknown is called a parameter.
          if (verb.route.method === "GET") continue
          const rest = yield* byRest(one.apiKey, verb, { ...input, ...more }, options)
          const rpc = yield* byRpc(other.apiKey, verb, { ...input, ...more }, options)
          assert.deepStrictEqual(timeless(envelopeOf(rpc)), timeless(enveloped(rest)), name)
          assert.strictEqual(rpc.status, rest.status)
        }
      })
    )
  )

  it.live("on the refusal of a missing scope, a missing key and an id that is none", () =>
    withHost(
      Effect.gen(function* () {
        const { apiKey } = yield* makeClient({ scopes: ["usage:read"] })
        for (const [name, [, input]] of called) {
          const verb: AnyVerb = verbs[name]
          for (const options of [{}, { key: "k" }]) {
            const rest = yield* byRest(apiKey, verb, input, options)
            const rpc = yield* byRpc(apiKey, verb, input, options)
            assert.deepStrictEqual(timeless(envelopeOf(rpc)), timeless(enveloped(rest)), name)
          }
        }
        for (const id of ["nothing", ID]) {
          const rest = yield* byRest(apiKey, verbs.get_operation, { operation_id: id })
          const rpc = yield* byRpc(apiKey, verbs.get_operation, { operation_id: id })
          assert.deepStrictEqual(timeless(envelopeOf(rpc)), timeless(parsed(rest)))
        }
      })
    )
  )

  it.live("on idempotency records: what one surface did, the other replays, and charges once", () =>
    withHost(
      Effect.gen(function* () {
        const { apiKey, call } = yield* makeClient()
        const verb: AnyVerb = verbs.verify_email
        const rest = (input: JsonObject, options: Options) => Effect.map(byRest(apiKey, verb, input, options), parsed)
        const rpc = (input: JsonObject, options: Options) => Effect.map(byRpc(apiKey, verb, input, options), envelopeOf)
        const email = (n: number) => ({ email: `valid+${n}@magic.test` })
        for (const [index, [one, other]] of [[rest, rpc] as const, [rpc, rest] as const].entries()) {
          const options = { key: `k${index}` }
          const first = yield* one(email(index), options)
          const second = yield* other(email(index), options)
          assert.deepStrictEqual(second, { ...first, svc: { ...first.svc, replayed: true } })
          assert.deepInclude((yield* other(email(9), options)).error, { code: "idempotency_conflict" })
        }
        assert.strictEqual((yield* call("get_usage")).result.credits_available, "298")
      })
    )
  )

  it.live("on headers, wherever they stand, and on the key's rate", () =>
    withHost(
      Effect.gen(function* () {
        const { apiKey, keyId } = yield* makeClient()
        const line = message("verify_email", { email: "valid@magic.test" })
        const first = yield* postLine(apiKey, line, { "idempotency-key": "above the message" })
        const again = yield* byRest(
          apiKey,
          verbs.verify_email,
          { email: "valid@magic.test" },
          { key: "above the message" }
        )
        assert.strictEqual(
          parsed(again).svc.request_id,
          (envelopeOf(first)["svc"] as { request_id: string }).request_id
        )
        const admin = yield* Admin
        yield* Effect.orDie(admin.setKey(keyId, { ratePerMinute: 2 }))
        const over = yield* byRpc(apiKey, verbs.get_me, {})
        assert.deepStrictEqual(
          [over.status, (envelopeOf(over)["error"] as { code: string }).code],
          [429, "rate_limited"]
        )
        assert.match(over.headers.get("retry-after") ?? "", /^\d+$/)
      })
    )
  )
})
