import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { signedIn } from "../test/support/OAuthBrowser.js"
import { Provider, REDIRECT } from "../test/support/OAuthProvider.js"
import { operate } from "./support/Host.js"
import { Served } from "./support/Served.js"
import { makeTenant } from "./support/Tenant.js"

const SUITE = { timeout: "180 seconds" } as const

layer(Served.layer, SUITE)("OAuth on the running service", (it) => {
  it.effect("a client of the tools gets in, works, and is shut out, from nothing but the address", () =>
    Effect.gen(function* () {
      const { host, place } = yield* Served
      const { ownerEmail } = yield* makeTenant(place, { credits: 10 })
      const { url } = yield* operate(place, "sign-in-link", "--email", ownerEmail)
      const token = new URL(String(url)).searchParams.get("token")!
      const human = yield* Effect.promise(() => signedIn(host.baseUrl, token))
      const provider = new Provider(undefined)
      const transport = () =>
        new StreamableHTTPClientTransport(new URL(`${host.baseUrl}/mcp`), { authProvider: provider })
      const connected = async () => {
        const client = new Client({ name: "a test", version: "1" }, { versionNegotiation: { mode: "auto" } })
        await client.connect(transport())
        return client
      }
      const called = async () => {
        const client = await connected()
        // oxlint-disable-next-line typescript/no-explicit-any -- a client's view of JSON
        const { structuredContent }: any = await client.callTool({
          name: "verify_email",
          arguments: { email: "valid@magic.test", idempotency_key: "the same" }
        })
        await client.close()
        return structuredContent
      }
      const isShutOut = Effect.promise(() =>
        called().then(
          () => false,
          (error) => error instanceof UnauthorizedError
        )
      )
      assert.isTrue(yield* isShutOut)
      const answeredAt = new URL(yield* Effect.promise(() => human.decide(provider.sentTo!, "allow")))
      assert.strictEqual(`${answeredAt.origin}${answeredAt.pathname}`, REDIRECT)
      yield* Effect.promise(() => transport().finishAuth(answeredAt.searchParams))
      const first = yield* Effect.promise(called)
      assert.strictEqual(first.result.status, "valid")
      provider.kept["tokens"] = { ...provider.kept["tokens"], access_token: `svc_access_${"A".repeat(43)}` }
      const again = yield* Effect.promise(called)
      assert.isTrue(again.svc.replayed)
      const byRest = yield* Effect.promise(() =>
        fetch(`${host.baseUrl}/v1/me`, { headers: { authorization: `Bearer ${provider.kept["tokens"].access_token}` } })
      )
      assert.strictEqual(byRest.status, 401)
      const keys = yield* Effect.promise(() => human.go("/console/keys"))
      const keyPath = /href="(\/console\/keys\/[0-9a-f-]{36})">Assistant of many</.exec(keys.html)![1]!
      const keyPage = yield* Effect.promise(() => human.go(keyPath))
      const csrf = /name="csrf" value="([^"]*)"/.exec(keyPage.html)![1]!
      const revoked = yield* Effect.promise(() => human.go(`${keyPath}/revoke`, new URLSearchParams({ csrf })))
      assert.strictEqual(revoked.status, 303)
      assert.isTrue(yield* isShutOut)
    })
  )

  it.effect("the document of a client that stands inside is not asked for", () =>
    Effect.gen(function* () {
      const { host } = yield* Served
      for (const clientId of [
        "https://127.0.0.1/client.json",
        "https://localhost/client.json",
        "https://169.254.169.254/latest/meta-data"
      ]) {
        const query = new URLSearchParams({ response_type: "code", client_id: clientId, redirect_uri: REDIRECT })
        const got = yield* Effect.promise(() => fetch(`${host.baseUrl}/oauth/authorize?${query.toString()}`))
        assert.strictEqual(got.status, 400, clientId)
        assert.include(yield* Effect.promise(() => got.text()), "can't be read")
      }
    })
  )
})
