import { assert, describe, it } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { verbs } from "@outbound/domain/verbs/verbs.js"
import { openApiDocument } from "@outbound/host-http/openapi/Document.js"
import { callEntries, ID } from "@outbound/testkit/contracts/service/wellFormed.js"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { Effect } from "effect"
import { describe as describeTool, toolVerbs } from "../src/tools/Tools.js"
import { baseUrl, withHost } from "./support/Host.js"
import { bearer, newerCall, olderCall } from "./support/Raw.js"

const tools = toolVerbs(Object.values(verbs))
const called = callEntries.filter(([name]) => tools.some((verb) => verb.name === name))

type Envelope = Readonly<Record<string, unknown>>

interface Options {
  readonly key?: string
  readonly run?: string
}

/** The same call by REST, as its route has it. */
const byRest = (apiKey: string, verb: AnyVerb, input: JsonObject, { key, run }: Options = {}) =>
  Effect.flatMap(baseUrl, (url) =>
    Effect.promise(async () => {
      const { method, path } = verb.route
      const named = new Set([...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name))
      const at = path.replace(/:(\w+)/g, (_, name: string) => String(input[name]))
      const query = new URLSearchParams(
        Object.fromEntries(
          Object.entries(input).flatMap(([name, value]) => (named.has(name) ? [] : [[name, String(value)]]))
        )
      )
      const response = await fetch(method === "GET" ? `${url}${at}?${query}` : `${url}${at}`, {
        method,
        headers: {
          ...bearer(apiKey),
          "content-type": "application/json",
          ...(key === undefined ? {} : { "idempotency-key": key }),
          ...(run === undefined ? {} : { "svc-run-id": run })
        },
        ...(method === "GET"
          ? {}
          : { body: JSON.stringify(Object.fromEntries(Object.entries(input).filter(([name]) => !named.has(name)))) })
      })
      return (await response.json()) as Envelope
    })
  )

/** The same call by MCP, in both revisions in turn. */
const byMcp = (apiKey: string, verb: AnyVerb, input: JsonObject, { key, run }: Options = {}, newer = true) => {
  const given = {
    ...input,
    ...(key === undefined ? {} : { idempotency_key: key }),
    ...(run === undefined ? {} : { run_id: run })
  }
  return Effect.map(
    (newer ? newerCall : olderCall)(apiKey, verb.name, given),
    ({ body }) => body.result.structuredContent as Envelope
  )
}

/** Without what differs between any two calls: ids, times, tokens. */
const timeless = (envelope: unknown): unknown =>
  JSON.parse(
    JSON.stringify(envelope)
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "an id")
      .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "a time")
      .replace(/svc_(confirm|key)_[\w-]+/g, "a token")
      .replace(/"remaining":\d+/g, '"remaining":0')
  )

/** A refusal by REST, with its headers and routes named as arguments and tools. */
const inArguments = (envelope: Envelope): Envelope =>
  envelope["error"] === undefined
    ? envelope
    : (JSON.parse(
        JSON.stringify(envelope)
          .replaceAll("the header ", "the argument ")
          .replaceAll("Idempotency-Key", "idempotency_key")
          .replaceAll("Svc-Run-Id", "run_id")
      ) as Envelope)

const needsKey = (verb: AnyVerb): boolean => verb.idempotency === "required"

describe("REST and MCP agree", () => {
  it("on names and on what each takes, which is what the document says", () => {
    const { paths } = openApiDocument(Object.values(verbs), "http://outbound.test")
    const operations = Object.values(paths).flatMap((path) => Object.values(path))
    for (const verb of tools) {
      const operation = operations.find(({ operationId }) => operationId === verb.name)
      const body = operation?.requestBody?.content["application/json"].schema
      const { idempotency_key, run_id, ...fields } = describeTool(verb).inputSchema.properties
      assert.isDefined(idempotency_key)
      assert.isDefined(run_id)
      const named = (...places: ReadonlyArray<string>) =>
        (operation?.parameters ?? []).flatMap((one) => (places.includes(String(one["in"])) ? [one["name"]] : []))
      const names =
        body === undefined ? named("path", "query") : [...named("path"), ...Object.keys(body.properties ?? {})]
      assert.sameMembers(Object.keys(fields), names, verb.name)
      if (body !== undefined) {
        assert.sameMembers(
          [...((describeTool(verb).inputSchema["required"] ?? []) as ReadonlyArray<string>)],
          [...named("path"), ...(body.required ?? [])],
          verb.name
        )
      }
    }
  })

  it.live.each(called)("on what %s answers and charges", ([name, [, input]]) =>
    withHost(
      Effect.gen(function* () {
        const verb: AnyVerb = verbs[name]
        const clients = [yield* makeClient(), yield* makeClient(), yield* makeClient()] as const
        const options = needsKey(verb) ? { key: "the same" } : {}
        const rest = yield* byRest(clients[0].apiKey, verb, input, options)
        const older = yield* byMcp(clients[1].apiKey, verb, input, options, false)
        const newer = yield* byMcp(clients[2].apiKey, verb, input, options)
        assert.deepStrictEqual(timeless(older), timeless(rest))
        assert.deepStrictEqual(timeless(newer), timeless(rest))
        const left = yield* Effect.forEach(clients, (client) => client.call("get_usage"))
        const [first, ...others] = left.map(({ result }) => result.credits_available)
        for (const other of others) assert.strictEqual(other, first)
      })
    )
  )

  const wrong: ReadonlyArray<readonly [what: string, input: JsonObject, options: Options]> = [
    ["an unknown field", { colour: "red" }, { key: "k" }],
    ["an empty key", {}, { key: "" }],
    ["a key that is too long", {}, { key: "k".repeat(201) }],
    ["a run that is no UUID", {}, { run: "no", key: "k" }],
    ["an unknown run", {}, { run: ID, key: "k" }],
    ["U+0000", { email: "a\u0000@x.test" }, { key: "k" }]
  ]
  it.live.each(wrong)("on the refusal of %s", ([, more, options]) =>
    withHost(
      Effect.gen(function* () {
        const { apiKey } = yield* makeClient()
        for (const [name, [, input]] of called) {
          const verb: AnyVerb = verbs[name]
          // By REST these stand in headers that a read has none of, or in a query that holds text alone.
          if (verb.route.method === "GET") continue
          const rest = yield* byRest(apiKey, verb, { ...input, ...more }, options)
          const mcp = yield* byMcp(apiKey, verb, { ...input, ...more }, options)
          assert.deepStrictEqual(timeless(mcp), timeless(inArguments(rest)), name)
        }
      })
    )
  )

  it.live("on the refusal of a missing scope, a missing key and an id that is none", () =>
    withHost(
      Effect.gen(function* () {
        const bare = yield* makeClient({ scopes: ["usage:read"] })
        for (const [name, [scope, input]] of called) {
          const verb: AnyVerb = verbs[name]
          const options = needsKey(verb) ? { key: "k" } : {}
          const [rest, mcp] = [
            yield* byRest(bare.apiKey, verb, input, options),
            yield* byMcp(bare.apiKey, verb, input, options)
          ]
          assert.deepStrictEqual(timeless(mcp), timeless(inArguments(rest)), name)
          if (scope !== null) assert.property(mcp, "error", name)
          if (!needsKey(verb)) continue
          assert.deepStrictEqual(
            timeless(yield* byMcp(bare.apiKey, verb, input)),
            timeless(inArguments(yield* byRest(bare.apiKey, verb, input))),
            name
          )
        }
        for (const id of ["nothing", ID]) {
          const verb: AnyVerb = verbs.get_operation
          const rest = yield* byRest(bare.apiKey, verb, { operation_id: id })
          const mcp = yield* byMcp(bare.apiKey, verb, { operation_id: id })
          assert.deepStrictEqual(timeless(mcp), timeless(rest))
        }
      })
    )
  )

  it.live("on idempotency records: what one surface did, the other replays, and charges once", () =>
    withHost(
      Effect.gen(function* () {
        const { apiKey, call } = yield* makeClient()
        const verb: AnyVerb = verbs.verify_email
        const email = (n: number) => ({ email: `valid+${n}@magic.test` })
        const orders = [
          [byRest, byMcp],
          [byMcp, byRest]
        ] as const
        for (const [index, [one, other]] of orders.entries()) {
          const options = { key: `k${index}` }
          const first = yield* one(apiKey, verb, email(index), options)
          const second = yield* other(apiKey, verb, email(index), options)
          assert.deepStrictEqual(second, { ...first, svc: { ...(first["svc"] as object), replayed: true } })
          const conflict = yield* other(apiKey, verb, email(9), options)
          assert.deepInclude(conflict["error"] as object, { code: "idempotency_conflict" })
        }
        assert.strictEqual((yield* call("get_usage")).result.credits_available, "298")
      })
    )
  )

  it.live("on the key's rate: all surfaces together, and what is over it is refused on each", () =>
    withHost(
      Effect.gen(function* () {
        const { apiKey, keyId } = yield* makeClient()
        const admin = yield* Admin
        yield* Effect.orDie(admin.setKey(keyId, { ratePerMinute: 4 }))
        const verb: AnyVerb = verbs.get_usage
        for (const one of [byRest, byMcp, byRest, byMcp]) {
          assert.property(yield* one(apiKey, verb, {}), "result")
        }
        for (const one of [byRest, byMcp]) {
          const { error } = yield* one(apiKey, verb, {})
          assert.deepInclude(error as object, { code: "rate_limited" })
        }
      })
    )
  )
})
