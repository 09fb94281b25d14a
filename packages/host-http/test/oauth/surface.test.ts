import { assert, describe, it } from "@effect/vitest"
import { REGISTRATIONS_PER_ADDRESS_MAX, REQUESTS_PER_ADDRESS_MAX } from "@outbound/domain/control/oauth/lifetimes.js"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { MemoryFaults } from "@outbound/testkit/memory/MemoryFaults.js"
import { Effect } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { Base, owner, withOAuth } from "../support/OAuthHost.js"

const REDIRECT = "http://127.0.0.1:49152/back"
const verifier = randomBytes(32).toString("base64url")
const challenge = createHash("sha256").update(verifier).digest("base64url")

const send = (path: string, init: RequestInit = {}) =>
  Effect.flatMap(Base, (base) =>
    Effect.promise(async () => {
      const response = await fetch(`${base}${path}`, { redirect: "manual", ...init })
      const text = await response.text()
      const isJson = response.headers.get("content-type")?.startsWith("application/json") === true && text !== ""
      // oxlint-disable-next-line typescript/no-explicit-any -- a client's view of JSON
      const body: any = isJson ? JSON.parse(text) : text
      return { status: response.status, headers: response.headers, body }
    })
  )

const form = (path: string, fields: Readonly<Record<string, string>>, headers: Record<string, string> = {}) =>
  send(path, { method: "POST", body: new URLSearchParams(fields), headers })

const register = (metadata: unknown, headers: Record<string, string> = {}) =>
  send("/oauth/register", {
    method: "POST",
    body: typeof metadata === "string" ? metadata : JSON.stringify(metadata),
    headers: { "content-type": "application/json", ...headers }
  })

const asking = (clientId: string, given: Readonly<Record<string, string>> = {}): string =>
  `/oauth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    state: "s",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...given
  }).toString()}`

/** A client, a workspace, and its owner in a browser. */
const story = Effect.gen(function* () {
  const base = yield* Base
  const { ownerEmail } = yield* makeClient()
  const human = yield* owner(ownerEmail)
  const { body } = yield* register({ client_name: "A <b>client</b>", redirect_uris: [REDIRECT] })
  return { base, human, clientId: body.client_id as string, ownerEmail }
})

describe("the metadata", () => {
  it.live("says where tokens are got, what for and how, wherever a client looks", () =>
    withOAuth(
      Effect.gen(function* () {
        const base = yield* Base
        const resource = yield* send("/.well-known/oauth-protected-resource/mcp")
        assert.deepStrictEqual(resource.body, {
          resource: `${base}/mcp`,
          resource_name: "outbound",
          authorization_servers: [base],
          scopes_supported: ["data:read", "usage:read", "campaign:write", "campaign:launch", "assets:purchase"],
          bearer_methods_supported: ["header"]
        })
        assert.deepStrictEqual((yield* send("/.well-known/oauth-protected-resource")).body, resource.body)
        const { body: server } = yield* send("/.well-known/oauth-authorization-server")
        assert.strictEqual(server.issuer, base)
        for (const name of ["authorization", "token", "registration", "revocation"]) {
          const endpoint: string = server[`${name}_endpoint`]
          assert.isTrue(endpoint.startsWith(`${base}/oauth/`))
          assert.notStrictEqual((yield* send(endpoint.slice(base.length))).status, 404)
        }
        assert.deepStrictEqual(server.code_challenge_methods_supported, ["S256"])
        assert.deepStrictEqual(server.token_endpoint_auth_methods_supported, ["none"])
        assert.isTrue(server.client_id_metadata_document_supported)
        assert.isTrue(server.authorization_response_iss_parameter_supported)
        const challenged = yield* send("/mcp", { method: "POST" })
        assert.strictEqual(
          challenged.headers.get("www-authenticate"),
          `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`
        )
      })
    )
  )
})

describe("wherever a client looks", () => {
  const NAMES = ["oauth-protected-resource", "oauth-authorization-server", "openid-configuration"]
  const spellings = (name: string) =>
    [`/.well-known/${name}`, `/.well-known/${name}/mcp`, `/mcp/.well-known/${name}`].flatMap((path) => [
      path,
      `${path}/`
    ])

  it.live("the same documents are found, for programs and for pages of any origin", () =>
    withOAuth(
      Effect.gen(function* () {
        const base = yield* Base
        const page = "https://client.example"
        for (const name of NAMES) {
          for (const path of spellings(name)) {
            const got = yield* send(path, { headers: { origin: page } })
            assert.strictEqual(got.status, 200, path)
            assert.strictEqual(got.body.resource ?? got.body.issuer, got.body.issuer ?? `${base}/mcp`, path)
            assert.strictEqual(got.headers.get("access-control-allow-origin"), page)
            const head = yield* send(path, { method: "HEAD" })
            assert.deepStrictEqual([head.status, head.body], [200, ""])
          }
        }
      })
    )
  )

  it.live("a page may register and get tokens, and asks the human by sending them here", () =>
    withOAuth(
      Effect.gen(function* () {
        const origin = "https://client.example"
        const asking = {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type"
        }
        for (const path of ["/oauth/register", "/oauth/token", "/oauth/revoke"]) {
          const asked = yield* send(path, { method: "OPTIONS", headers: asking })
          assert.deepStrictEqual([asked.status, asked.headers.get("access-control-allow-origin")], [204, origin], path)
          assert.strictEqual(asked.headers.get("access-control-allow-headers"), "content-type")
          assert.isNull(asked.headers.get("access-control-allow-credentials"))
        }
        const made = yield* register({ redirect_uris: [REDIRECT] }, { origin })
        assert.deepStrictEqual([made.status, made.headers.get("access-control-allow-origin")], [201, origin])
        const authorizing = yield* send("/oauth/authorize", { method: "OPTIONS", headers: asking })
        assert.deepStrictEqual(
          [authorizing.status, authorizing.headers.get("access-control-allow-origin")],
          [405, null]
        )
        for (const path of ["/console/keys", "/v1/me"]) {
          const foreign = yield* send(path, { headers: { origin } })
          assert.isNull(foreign.headers.get("access-control-allow-origin"), path)
        }
      })
    )
  )
})

describe("a request", () => {
  it.live("of a program with a scheme of its own shows where access goes, and leads there only by a click", () =>
    withOAuth(
      Effect.gen(function* () {
        const { base, human } = yield* story
        const redirectUri = "editor://example.mcp/oauth/callback"
        const { body } = yield* register({ client_name: "Editor", redirect_uris: [redirectUri] })
        const wrong = yield* send(asking(body.client_id, { redirect_uri: redirectUri, scope: "control:manage" }))
        assert.deepStrictEqual([wrong.status, wrong.headers.get("location")], [400, null])
        assert.match(wrong.body, /href="editor:\/\/example\.mcp\/oauth\/callback\?error=invalid_scope/)
        const consent = (yield* send(asking(body.client_id, { redirect_uri: redirectUri }))).headers.get("location")!
        const { html } = yield* Effect.promise(() => human.go(consent))
        assert.include(html, "<code>editor:</code> links")
        const path = asking(body.client_id, { redirect_uri: redirectUri })
        const redirectTo = yield* Effect.promise(() => human.decide(new URL(`${base}${path}`), "allow"))
        assert.isTrue(redirectTo.startsWith(`${redirectUri}?code=svc_code_`))
      })
    )
  )

  it.live("that can be answered to nobody is told to the human, and redirects nowhere", () =>
    withOAuth(
      Effect.gen(function* () {
        const { clientId } = yield* story
        for (const path of [
          "/oauth/authorize",
          asking("nobody"),
          asking(clientId, { redirect_uri: "https://evil.example/" }),
          asking(clientId, { redirect_uri: "https://evil.example/", scope: "trail:read" })
        ]) {
          const got = yield* send(path)
          assert.deepStrictEqual([got.status, got.headers.get("location")], [400, null], path)
          assert.match(got.headers.get("content-type")!, /^text\/html/)
          assert.notInclude(got.body, "evil.example")
        }
      })
    )
  )

  it.live("that is wrong otherwise is answered to its client, without us as the referrer", () =>
    withOAuth(
      Effect.gen(function* () {
        const { base, clientId } = yield* story
        const got = yield* send(asking(clientId, { scope: "control:manage" }))
        const location = new URL(got.headers.get("location")!)
        assert.strictEqual(`${location.origin}${location.pathname}`, REDIRECT)
        assert.strictEqual(location.searchParams.get("error"), "invalid_scope")
        assert.deepStrictEqual([location.searchParams.get("state"), location.searchParams.get("iss")], ["s", base])
        assert.strictEqual(got.headers.get("referrer-policy"), "no-referrer")
      })
    )
  )

  it.live("an error for a client on another site leads nobody there without their click", () =>
    withOAuth(
      Effect.gen(function* () {
        const elsewhere = "https://client.example/back"
        const { body } = yield* register({ client_name: "A client", redirect_uris: [elsewhere] })
        const asked = { redirect_uri: elsewhere, scope: "control:manage" }
        const got = yield* send(asking(body.client_id, asked))
        assert.deepStrictEqual([got.status, got.headers.get("location")], [400, null])
        assert.match(got.body, /href="https:\/\/client\.example\/back\?error=invalid_scope/)
        assert.include(got.body, "Go back to client.example")
      })
    )
  )

  it.live("asks visitors to sign in first, and brings them back to it", () =>
    withOAuth(
      Effect.gen(function* () {
        const { clientId } = yield* story
        const { headers } = yield* send(asking(clientId))
        const consent = headers.get("location")!
        assert.match(consent, /^\/console\/oauth\/authorize\/[0-9a-f-]{36}$/)
        const stranger = yield* send(consent)
        assert.strictEqual(stranger.headers.get("location"), `/console/sign-in?next=${encodeURIComponent(consent)}`)
      })
    )
  )

  it.live("shows its human who asks, for what and where it goes, as text", () =>
    withOAuth(
      Effect.gen(function* () {
        const { clientId, human } = yield* story
        const { headers } = yield* send(asking(clientId, { scope: "data:read usage:read" }))
        const consent = headers.get("location")!
        const { html } = yield* Effect.promise(() => human.go(consent))
        assert.include(html, "A &lt;b>client&lt;/b>")
        assert.include(html, "this computer")
        assert.include(html, "scope-data-read")
        assert.notInclude(html, "scope-campaign-write")
        const page = yield* send(consent)
        assert.strictEqual(page.status, 303)
      })
    )
  )

  it.live("is decided by a form of the page alone", () =>
    withOAuth(
      Effect.gen(function* () {
        const { clientId, human } = yield* story
        const { headers } = yield* send(asking(clientId))
        const consent = headers.get("location")!
        for (const path of [consent, `${consent}/deny`]) {
          const forged = yield* Effect.promise(() => human.go(path, new URLSearchParams({ scopes: "data:read" })))
          assert.strictEqual(forged.status, 403, path)
        }
        const shown = yield* Effect.promise(() => human.go(consent))
        const csrf = /name="csrf" value="([^"]*)"/.exec(shown.html)![1]!
        for (const scopes of ["trail:read", "campaign:write,trail:read", ""]) {
          const given = new URLSearchParams([
            ["csrf", csrf],
            ...scopes.split(",").map((one) => ["scopes", one] as [string, string])
          ])
          const refused = yield* Effect.promise(() => human.go(consent, given))
          assert.deepStrictEqual([refused.status, refused.location], [400, null], scopes)
        }
        const capped = new URLSearchParams([
          ["csrf", csrf],
          ["scopes", "usage:read"],
          ["monthly_spend_cap", "12.5"]
        ])
        const allowed = yield* Effect.promise(() => human.go(consent, capped))
        assert.isTrue(allowed.location!.startsWith(`${REDIRECT}?code=svc_code_`))
        const keys = yield* Effect.promise(() => human.go("/console/keys"))
        assert.include(keys.html, "of 12.5 credits this month")
        assert.strictEqual((yield* Effect.promise(() => human.go(consent))).status, 404)
      })
    )
  )
})

describe("the endpoints for programs", () => {
  const tokenOf = (clientId: string, redirectTo: string) => ({
    grant_type: "authorization_code",
    client_id: clientId,
    code: new URL(redirectTo).searchParams.get("code")!,
    code_verifier: verifier,
    redirect_uri: REDIRECT
  })

  it.live("register, issue and revoke as the RFCs have it, kept by no cache", () =>
    withOAuth(
      Effect.gen(function* () {
        const { base, clientId, human } = yield* story
        const made = yield* register({
          redirect_uris: [REDIRECT, "x:y"],
          token_endpoint_auth_method: "client_secret_post"
        })
        assert.strictEqual(made.status, 201)
        assert.deepStrictEqual(made.body.redirect_uris, [REDIRECT])
        assert.strictEqual(made.body.token_endpoint_auth_method, "none")
        assert.notProperty(made.body, "client_secret")
        const redirectTo = yield* Effect.promise(() => human.decide(new URL(`${base}${asking(clientId)}`), "allow"))
        const issued = yield* form("/oauth/token", tokenOf(clientId, redirectTo))
        assert.deepStrictEqual(
          [issued.status, issued.body.token_type, issued.body.expires_in, issued.headers.get("cache-control")],
          [200, "Bearer", 3600, "no-store"]
        )
        const again = yield* form("/oauth/token", tokenOf(clientId, redirectTo))
        assert.deepStrictEqual([again.status, again.body.error], [400, "invalid_grant"])
        const revoked = yield* form("/oauth/revoke", { token: issued.body.refresh_token, client_id: clientId })
        assert.strictEqual(revoked.status, 200)
      })
    )
  )

  it.live("know a public client by a Basic credential without a secret, and take no secret", () =>
    withOAuth(
      Effect.gen(function* () {
        const { base, clientId, human } = yield* story
        const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` })
        const code = Effect.map(
          Effect.promise(() => human.decide(new URL(`${base}${asking(clientId)}`), "allow")),
          (redirectTo) => tokenOf(clientId, redirectTo)
        )
        const { client_id: _, ...unnamed } = yield* code
        const issued = yield* form("/oauth/token", unnamed, basic(`${encodeURIComponent(clientId)}:`))
        assert.strictEqual(issued.status, 200)
        const token = { token: issued.body.refresh_token }
        for (const said of [`${clientId}:a-secret`, ":", "another:", "no colon"]) {
          const refused = yield* form("/oauth/revoke", { ...token, client_id: clientId }, basic(said))
          assert.deepStrictEqual([refused.status, refused.body.error], [401, "invalid_client"], said)
        }
        const renewal = { grant_type: "refresh_token", refresh_token: issued.body.refresh_token, client_id: clientId }
        assert.strictEqual((yield* form("/oauth/token", renewal, basic(`${clientId}:`))).status, 200)
      })
    )
  )

  it.live("refuse what is no request of theirs", () =>
    withOAuth(
      Effect.gen(function* () {
        const json = { "content-type": "application/json" }
        const refusals = [
          [yield* send("/oauth/token"), 405, "invalid_request"],
          [yield* send("/oauth/authorize", { method: "POST" }), 405, "invalid_request"],
          [yield* send("/oauth/token", { method: "POST", body: "{}", headers: json }), 400, "invalid_request"],
          [yield* form("/oauth/register", {}), 400, "invalid_request"],
          [yield* register("{"), 400, "invalid_client_metadata"],
          [yield* register({ redirect_uris: [REDIRECT], client_name: "x".repeat(20_000) }), 400, "invalid_request"],
          [yield* form("/oauth/token", { grant_type: "password", client_id: "x" }), 400, "unsupported_grant_type"],
          [yield* form("/oauth/token", {}, { authorization: "Basic eDp5" }), 401, "invalid_client"]
        ] as const
        for (const [got, status, error] of refusals) {
          assert.deepStrictEqual([got.status, got.body.error?.code ?? got.body.error], [status, error])
        }
        assert.strictEqual(refusals[7][0].headers.get("www-authenticate"), 'Basic realm="outbound"')
      })
    )
  )

  it.live("tell callers that ask too often when to come back, programs and humans alike", () =>
    withOAuth(
      Effect.gen(function* () {
        const metadata = { redirect_uris: [REDIRECT] }
        // Behind a proxy it is the address that the proxy names which counts.
        const registering = (from: string) => register(metadata, { "x-forwarded-for": from })
        const [first] = yield* Effect.replicateEffect(registering("198.51.100.7"), REGISTRATIONS_PER_ADDRESS_MAX)
        const got = yield* registering("198.51.100.7")
        assert.deepStrictEqual(
          [got.status, got.body.error, got.headers.get("retry-after")],
          [429, "temporarily_unavailable", "900"]
        )
        assert.strictEqual((yield* registering("198.51.100.8")).status, 201)
        const path = asking(first!.body.client_id)
        const looking = (from: string) => send(path, { headers: { "x-forwarded-for": from } })
        yield* Effect.replicateEffect(looking("198.51.100.7"), REQUESTS_PER_ADDRESS_MAX)
        const page = yield* looking("198.51.100.7")
        assert.deepStrictEqual([page.status, page.headers.get("retry-after")], [429, "900"])
        assert.include(page.body, "Start again from the program in 15 minutes.")
        assert.strictEqual((yield* looking("198.51.100.8")).status, 303)
      })
    )
  )

  it.live("say that they cannot, where the store cannot be reached", () =>
    withOAuth(
      Effect.gen(function* () {
        const faults = yield* MemoryFaults
        const { clientId } = yield* story
        yield* faults.failNext("OAuthStore.lockGrantByCode", 1)
        const got = yield* form("/oauth/token", tokenOf(clientId, `${REDIRECT}?code=x`))
        assert.deepStrictEqual(
          [got.status, got.body.error, got.headers.get("retry-after")],
          [503, "temporarily_unavailable", "5"]
        )
        yield* faults.failNext("OAuthStore.client", 1)
        assert.strictEqual((yield* send(asking(clientId))).status, 503)
      })
    )
  )
})
