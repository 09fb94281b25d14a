import { assert, describe, it } from "@effect/vitest"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { Effect } from "effect"
import { CLIENTS, type ClientOptions, type ToolClient } from "./support/Clients.js"
import { baseUrl, withHost } from "./support/Host.js"

const connected = <A>(
  connect: (typeof CLIENTS)[keyof typeof CLIENTS],
  use: (client: ToolClient) => Promise<A>,
  options?: ClientOptions
) =>
  withHost(
    Effect.gen(function* () {
      const { apiKey } = yield* makeClient()
      const url = yield* baseUrl
      return yield* Effect.acquireUseRelease(
        Effect.promise(() => connect(url, apiKey, options)),
        (client) => Effect.promise(() => use(client)),
        (client) => Effect.promise(() => client.close())
      )
    })
  )

describe.each(Object.entries(CLIENTS))("%s", (_, connect) => {
  it.live("lists the tools, calls one, and reads the envelope and the text", () =>
    connected(connect, async (client) => {
      const tools = await client.tools()
      assert.include(
        tools.map(({ name }) => name),
        "verify_email"
      )
      const done = await client.call("verify_email", { email: "valid@magic.test" })
      assert.isUndefined(done.isError)
      assert.strictEqual(done.structured.result.status, "valid")
      assert.strictEqual(done.structured.svc.credits_charged, "1")
      assert.include(done.text, "Charged 1 credits, 299 available.")
    })
  )

  it.live("lists the prompts of the loop, fills one in, and hears what is wrong with another", () =>
    connected(connect, async (client) => {
      const names = (await client.prompts()).map(({ name }) => name)
      assert.includeMembers(names, ["start", "find_people", "draft_campaign", "launch_campaign", "read_replies"])
      assert.include(await client.prompt("find_people", { audience: "Plumbers in Ghent" }), "Plumbers in Ghent")
      const said = (asking: Promise<string>) =>
        asking.then(
          () => "nothing",
          ({ message }: Error) => message
        )
      assert.match(await said(client.prompt("find_people")), /Missing argument: audience/)
      assert.match(await said(client.prompt("start", { colour: "red" })), /Unknown argument: colour/)
      assert.match(await said(client.prompt("rob_a_bank")), /Unknown prompt: rob_a_bank/)
    })
  )

  it.live("is told of a refusal by the error envelope, every mistake at once", () =>
    connected(connect, async (client) => {
      await client.tools()
      const { isError, structured } = await client.call("verify_email", {
        email: 3,
        colour: "red",
        idempotency_key: 7,
        run_id: "no"
      })
      assert.isTrue(isError)
      assert.strictEqual(structured.error.code, "invalid_request")
      assert.sameDeepMembers(structured.error.details.issues, [
        { path: "email", message: "must be a string" },
        { path: "colour", message: "unknown field" },
        { path: "idempotency_key", message: "must be a string" },
        { path: "run_id", message: "must be a UUID" }
      ])
    })
  )

  it.live("is told of progress while a call runs", () =>
    connected(connect, async (client) => {
      const told: Array<number> = []
      const { structured } = await client.call("verify_email", { email: "slow@magic.test" }, ({ progress }) =>
        told.push(progress)
      )
      assert.strictEqual(structured.result.status, "valid")
      assert.deepStrictEqual(told, [1])
    })
  )
})
