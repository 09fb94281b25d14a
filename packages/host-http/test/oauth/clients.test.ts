import { assert, describe, it } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client"
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { UnauthorizedError as OldUnauthorized } from "@modelcontextprotocol/sdk/client/auth.js"
import { Control } from "@outbound/domain/control/Control.js"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { ScriptedDocuments } from "@outbound/testkit/providers/ScriptedDocuments.js"
import { signIn } from "@outbound/testkit/contracts/service/controlSupport.js"
import { Effect } from "effect"
import { Base, owner, withOAuth } from "../support/OAuthHost.js"
import { METADATA, NAME, Provider, REDIRECT } from "../support/OAuthProvider.js"

const DOCUMENT = "https://client.example/oauth/client.json"

interface Generation {
  /** Connects; false: the human has to be asked first. */
  readonly connect: (endpoint: URL, provider: Provider) => Promise<boolean>
  /** Hands over what the client was answered. */
  readonly finish: (endpoint: URL, provider: Provider, answer: URLSearchParams) => Promise<void>
  // oxlint-disable-next-line typescript/no-explicit-any -- a client's view of JSON
  readonly call: (endpoint: URL, provider: Provider, name: string) => Promise<any>
}

const INFO = { name: "a test", version: "1" }

const newGeneration = (mode: "legacy" | { readonly pin: string }): Generation => {
  const transport = (endpoint: URL, authProvider: Provider) =>
    new StreamableHTTPClientTransport(endpoint, { authProvider })
  const connected = async (endpoint: URL, provider: Provider) => {
    const client = new Client(INFO, { versionNegotiation: { mode } })
    await client.connect(transport(endpoint, provider))
    return client
  }
  return {
    connect: async (endpoint, provider) => {
      try {
        const client = await connected(endpoint, provider)
        // A client of today asks nothing before its first call.
        await client.listTools()
        await client.close()
        return true
      } catch (error) {
        if (error instanceof UnauthorizedError) return false
        throw error
      }
    },
    finish: (endpoint, provider, answer) => transport(endpoint, provider).finishAuth(answer),
    call: async (endpoint, provider, name) => {
      const client = await connected(endpoint, provider)
      const { structuredContent } = await client.callTool({ name, arguments: {} })
      await client.close()
      return structuredContent
    }
  }
}

const oldGeneration: Generation = {
  connect: async (endpoint, provider) => {
    const client = new OldClient(INFO)
    try {
      await client.connect(new OldTransport(endpoint, { authProvider: provider as never }) as never)
      await client.close()
      return true
    } catch (error) {
      if (error instanceof OldUnauthorized) return false
      throw error
    }
  },
  finish: (endpoint, provider, answer) =>
    new OldTransport(endpoint, { authProvider: provider as never }).finishAuth(answer.get("code") ?? ""),
  call: async (endpoint, provider, name) => {
    const client = new OldClient(INFO)
    await client.connect(new OldTransport(endpoint, { authProvider: provider as never }) as never)
    const { structuredContent } = await client.callTool({ name, arguments: {} })
    await client.close()
    return structuredContent
  }
}

const AT_ONCE = 5

/** Lets no call be renewed before every one is refused, so that all of them use one refresh token. */
const whenAllAreRefused = (): typeof fetch => {
  let refused = 0
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    if (pathname === "/oauth/token" && refused > 0) await opened
    const response = await fetch(input, init)
    if (pathname === "/mcp" && init?.method === "POST" && response.status === 401 && ++refused === AT_ONCE) open()
    return response
  }
}

/** Calls at once of one connection, whose access token ends after it was opened. */
// oxlint-disable-next-line typescript/no-explicit-any -- a client's view of JSON
type Parallel = (endpoint: URL, provider: Provider, expire: () => void) => Promise<ReadonlyArray<any>>

const atOnce = async (call: () => Promise<object>) => {
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, call))
  return answers.map((answer) => (answer as { readonly structuredContent?: unknown }).structuredContent)
}

const newParallel =
  (mode: "legacy" | { readonly pin: string }): Parallel =>
  async (endpoint, authProvider, expire) => {
    const client = new Client(INFO, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(endpoint, { authProvider, fetch: whenAllAreRefused() }))
    expire()
    const answers = await atOnce(() => client.callTool({ name: "get_me", arguments: {} }))
    await client.close()
    return answers
  }

const oldParallel: Parallel = async (endpoint, provider, expire) => {
  const client = new OldClient(INFO)
  const options = { authProvider: provider as never, fetch: whenAllAreRefused() }
  await client.connect(new OldTransport(endpoint, options) as never)
  expire()
  const answers = await atOnce(() => client.callTool({ name: "get_me", arguments: {} }))
  await client.close()
  return answers
}

const GENERATIONS: Readonly<Record<string, readonly [Generation, clientMetadataUrl?: string]>> = {
  "the client of today, known by its document": [newGeneration({ pin: "2026-07-28" }), DOCUMENT],
  "the client of today, registered": [newGeneration({ pin: "2026-07-28" })],
  "the client of today on 2025-11-25, known by its document": [newGeneration("legacy"), DOCUMENT],
  "the client of last year, registered": [oldGeneration]
}

describe("a client that was given nothing but an address", () => {
  for (const [name, [generation, documentUrl]] of Object.entries(GENERATIONS)) {
    it.live(`finds out, asks its human, calls, renews and is ended: ${name}`, () =>
      withOAuth(
        Effect.gen(function* () {
          const base = yield* Base
          const documents = yield* ScriptedDocuments
          yield* documents.publish(DOCUMENT, JSON.stringify({ client_id: DOCUMENT, ...METADATA }))
          const { apiKey, ownerEmail } = yield* makeClient()
          const human = yield* owner(ownerEmail)
          const endpoint = new URL(`${base}/mcp`)
          const provider = new Provider(documentUrl)

          assert.isFalse(yield* Effect.promise(() => generation.connect(endpoint, provider)))
          assert.strictEqual(provider.sentTo?.origin, base)
          const answeredAt = new URL(yield* Effect.promise(() => human.decide(provider.sentTo!, "allow")))
          assert.strictEqual(`${answeredAt.origin}${answeredAt.pathname}`, REDIRECT)
          assert.strictEqual(answeredAt.searchParams.get("state"), "what the client remembers")
          assert.strictEqual(answeredAt.searchParams.get("iss"), base)
          yield* Effect.promise(() => generation.finish(endpoint, provider, answeredAt.searchParams))

          const me = yield* Effect.promise(() => generation.call(endpoint, provider, "get_me"))
          assert.strictEqual(me.result.key.name, documentUrl === undefined ? NAME : `${NAME} (client.example)`)
          assert.notStrictEqual(apiKey.slice(0, 14), me.result.key.prefix)

          // By REST it is nobody's.
          const { access_token, refresh_token } = provider.kept["tokens"]
          const byRest = yield* Effect.promise(() =>
            fetch(`${base}/v1/me`, { headers: { authorization: `Bearer ${access_token}` } })
          )
          assert.deepStrictEqual([byRest.status, byRest.headers.get("www-authenticate")], [401, "Bearer"])

          // An access token that is over is renewed without the human.
          provider.kept["tokens"] = { ...provider.kept["tokens"], access_token: `svc_access_${"A".repeat(43)}` }
          provider.sentTo = undefined
          yield* Effect.promise(() => generation.call(endpoint, provider, "get_me"))
          assert.isUndefined(provider.sentTo)
          assert.notStrictEqual(provider.kept["tokens"].refresh_token, refresh_token)

          // Revoked in the console, it has to ask again.
          const control = yield* Control
          yield* control.revokeKey(yield* signIn(ownerEmail), me.result.key.id)
          assert.isFalse(yield* Effect.promise(() => generation.connect(endpoint, provider)))
          assert.isDefined(provider.sentTo)
        })
      )
    )
  }

  for (const [name, calling] of Object.entries({
    "the client of today": newParallel("legacy"),
    "the client of today on 2026-07-28": newParallel({ pin: "2026-07-28" }),
    "the client of last year": oldParallel
  })) {
    it.live(`calls many tools at once with an access token that is over, and keeps its grant: ${name}`, () =>
      withOAuth(
        Effect.gen(function* () {
          const base = yield* Base
          const { ownerEmail } = yield* makeClient()
          const human = yield* owner(ownerEmail)
          const endpoint = new URL(`${base}/mcp`)
          const provider = new Provider(undefined)
          const [generation] = GENERATIONS["the client of last year, registered"]!
          assert.isFalse(yield* Effect.promise(() => generation.connect(endpoint, provider)))
          const answeredAt = new URL(yield* Effect.promise(() => human.decide(provider.sentTo!, "allow")))
          yield* Effect.promise(() => generation.finish(endpoint, provider, answeredAt.searchParams))
          provider.sentTo = undefined

          const expire = () => {
            provider.kept["tokens"] = { ...provider.kept["tokens"], access_token: `svc_access_${"A".repeat(43)}` }
          }
          const answers = yield* Effect.promise(() => calling(endpoint, provider, expire))
          assert.lengthOf(answers, AT_ONCE)
          for (const answer of answers) assert.strictEqual(answer.result.key.name, NAME)
          assert.isUndefined(provider.sentTo)
          const me = yield* Effect.promise(() => generation.call(endpoint, provider, "get_me"))
          assert.strictEqual(me.result.key.name, NAME)
          assert.isUndefined(provider.sentTo)
        })
      )
    )
  }

  it.live("is told when its human denies", () =>
    withOAuth(
      Effect.gen(function* () {
        const base = yield* Base
        const { ownerEmail } = yield* makeClient()
        const human = yield* owner(ownerEmail)
        const provider = new Provider(undefined)
        const [generation] = GENERATIONS["the client of today, registered"]!
        const endpoint = new URL(`${base}/mcp`)
        assert.isFalse(yield* Effect.promise(() => generation.connect(endpoint, provider)))
        const answeredAt = new URL(yield* Effect.promise(() => human.decide(provider.sentTo!, "deny")))
        const failure = yield* Effect.flip(
          Effect.tryPromise(() => generation.finish(endpoint, provider, answeredAt.searchParams))
        )
        assert.include(String(failure.cause), "access_denied")
        assert.isUndefined(provider.kept["tokens"])
      })
    )
  )
})
