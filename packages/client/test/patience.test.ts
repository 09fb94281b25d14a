import { Effect } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, assert, describe, it } from "vitest"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { connect, type ConnectOptions } from "../src/connect.js"
import { NoAnswer } from "../src/NoAnswer.js"
import { Refusal } from "../src/Refusal.js"
import { baseUrl, withHost } from "./support/Host.js"

const servers: Array<Server> = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

interface Message {
  readonly id: string
  readonly headers: ReadonlyArray<readonly [string, string]>
}

/** A server of our own, and every message that it got. */
const serving = async (answer: (message: Message, response: ServerResponse) => void) => {
  const got: Array<Message> = []
  const server = createServer((request: IncomingMessage, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (part: string) => (text += part))
    request.on("end", () => {
      const message = JSON.parse(text) as Message
      got.push(message)
      answer(message, response)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const silent = () => undefined

const keysOf = (got: ReadonlyArray<Message>) =>
  new Set(got.map(({ headers }) => new Map(headers).get("idempotency-key")))

const failed = async (call: Promise<unknown>): Promise<NoAnswer> => {
  const error = await call.then(
    () => assert.fail("it was answered"),
    (thrown: unknown) => thrown
  )
  assert.instanceOf(error, NoAnswer)
  return error as NoAnswer
}

const using = async (options: Partial<ConnectOptions>, answer = silent as Parameters<typeof serving>[0]) => {
  const { got, url } = await serving(answer)
  return { got, client: await connect({ url, apiKey: "k", ...options }) }
}

const ADDRESS = { email: "valid@magic.test" }

describe("how long a call is waited for, and how often it is sent", () => {
  it("an attempt ends in its time, is sent again with its key, and says what to ask about", async () => {
    const { client, got } = await using({ attemptMillis: 1_000, retriesMax: 1 })
    const error = await failed(client.verify_email(ADDRESS))
    assert.deepInclude(error, { reason: "timed_out", verb: "verify_email", isRetryable: true })
    assert.lengthOf(got, 2)
    assert.deepStrictEqual([...keysOf(got)], [error.idempotencyKey])
    await client.close()
  })

  it("a call ends in its own time, whatever its attempts would still do", async () => {
    const { client, got } = await using({ attemptMillis: 40, retriesMax: 1_000 })
    const since = performance.now()
    assert.strictEqual((await failed(client.verify_email(ADDRESS, { callMillis: 300 }))).reason, "timed_out")
    assert.isBelow(performance.now() - since, 5_000)
    assert.isAtLeast(got.length, 1)
    await client.close()
  })

  it("what a call says of its patience goes before what the client says", async () => {
    const { client, got } = await using(
      { retriesMax: 4 },
      (_message, response) => void response.writeHead(502).end("?")
    )
    assert.strictEqual((await failed(client.verify_email(ADDRESS, { retriesMax: 0 }))).reason, "unreachable")
    assert.lengthOf(got, 1)
    await client.close()
  })

  it("a signal gives up one call, or all of a client, also one that was given before", async () => {
    const all = new AbortController()
    const { client, got } = await using({ signal: all.signal })
    const one = new AbortController()
    const [first, second] = [client.verify_email(ADDRESS, { signal: one.signal }), client.get_usage()]
    one.abort()
    assert.strictEqual((await failed(first)).reason, "aborted")
    all.abort()
    assert.strictEqual((await failed(second)).reason, "aborted")
    const before = got.length
    assert.isFalse((await failed(client.verify_email(ADDRESS))).isRetryable)
    assert.strictEqual(got.length, before)
    await client.close()
  })

  it("closing gives up what is under way, and `await using` closes", async () => {
    const { client } = await using({})
    const call = failed(client.get_usage())
    await client[Symbol.asyncDispose]()
    assert.strictEqual((await call).reason, "aborted")
  })
})

describe("nothing ends in an error of our own making", () => {
  const ANSWERS: ReadonlyArray<readonly [what: string, value: unknown]> = [
    [
      "a result of another shape",
      { result: { email: 7 }, svc: { request_id: "r", credits_charged: "1", credits_available: "2" } }
    ],
    ["no bill", { result: {} }],
    ["a text", "ok"]
  ]
  it.each(ANSWERS)("an answer with %s is unreadable, with its key", async (_what, value) => {
    const { client } = await using({}, ({ id }, response) => {
      const exit = { _tag: "Exit", requestId: id, exit: { _tag: "Success", value } }
      response.end(`${JSON.stringify(exit)}\n`)
    })
    const error = await failed(client.verify_email(ADDRESS, { idempotencyKey: "mine" }))
    assert.deepInclude(error, { reason: "unreadable", idempotencyKey: "mine", isRetryable: false })
    await client.close()
  })

  it("a redirect is followed by neither key nor request: the call has no answer", async () => {
    for (const status of [307, 308]) {
      const { client, got } = await using({ retriesMax: 0 }, (_message, response) => {
        response.writeHead(status, { location: "/elsewhere" }).end()
      })
      assert.strictEqual((await failed(client.verify_email(ADDRESS))).reason, "unreachable")
      assert.lengthOf(got, 1)
      await client.close()
    }
  })

  it("a request that can't be written down is refused as the service would, and never sent", async () => {
    const { client, got } = await using({})
    const circle: Record<string, unknown> = {}
    circle["self"] = circle
    const call = client.verify_email as unknown as (request: unknown) => Promise<unknown>
    for (const request of [{ email: 1n }, circle, "text", ["list"], null]) {
      const error: unknown = await call(request).catch((thrown: unknown) => thrown)
      assert.instanceOf(error, Refusal)
      assert.strictEqual((error as Refusal).code, "invalid_request")
    }
    assert.lengthOf(got, 0)
    await client.close()
  })

  it("a request of the wrong types is refused by the service, member by member", () =>
    Effect.gen(function* () {
      const { apiKey } = yield* makeClient()
      const url = yield* baseUrl
      yield* Effect.promise(async () => {
        const client = await connect({ url, apiKey })
        const call = client.find_leads as unknown as (request: unknown) => Promise<unknown>
        const error: unknown = await call({ audience: 7, titles: "CTO", colour: "red" }).catch(
          (thrown: unknown) => thrown
        )
        assert.instanceOf(error, Refusal)
        const { issues } = (error as Refusal<"invalid_request">).details
        assert.includeMembers(issues?.map(({ path }) => path) ?? [], ["audience", "titles", "colour"])
        await client.close()
      })
    }).pipe(withHost, Effect.runPromise))
})
