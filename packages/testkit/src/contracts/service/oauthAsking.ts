import { assert, layer as describeLayer } from "@effect/vitest"
import { Control } from "@outbound/domain/control/Control.js"
import { REGISTRATIONS_PER_ADDRESS_MAX, REQUESTS_PER_ADDRESS_MAX } from "@outbound/domain/control/oauth/lifetimes.js"
import { OAuth } from "@outbound/domain/control/oauth/OAuth.js"
import { ASK_WINDOW_MINUTES } from "@outbound/domain/control/users/asks.js"
import { GRANTABLE_SCOPES } from "@outbound/domain/control/oauth/scopes.js"
import type { Scope } from "@outbound/domain/verbs/Policy.js"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { ScriptedDocuments } from "../../providers/ScriptedDocuments.js"
import { BASE_URL } from "../../service/Service.js"
import {
  allow,
  anAddress,
  answerIn,
  askedBy,
  consented,
  DOCUMENT,
  newVerifier,
  type OAuthOnStores,
  type Parameters,
  REDIRECT,
  RESOURCE,
  refusedAs,
  registered,
  sent,
  STATE,
  waiting
} from "./oauthStories.js"
import { SUITE } from "./stories.js"

/** How clients come in: what they may ask for, where they are answered, and how they are known. */
export const oauthAskingContract = <E>(name: string, adapter: Layer.Layer<OAuthOnStores, E>): void =>
  describeLayer(adapter, SUITE)(`OAuth, asking (${name})`, (it) => {
    const STRAY: ReadonlyArray<readonly [what: string, given: Parameters]> = [
      ["no client", { client_id: null }],
      ["a client that nobody knows", { client_id: "svc_client_01890000-0000-7000-8000-000000000000" }],
      ["a client that is no id", { client_id: "\0" }],
      ["a document that is not there", { client_id: "https://nowhere.example/client.json" }],
      ["no redirect", { redirect_uri: null }],
      ["another site", { redirect_uri: "https://evil.example/back?of=us" }],
      ["another path", { redirect_uri: "https://client.example/back/evil?of=us" }],
      ["more of the path", { redirect_uri: `${REDIRECT}&evil=1` }],
      ["a port", { redirect_uri: "https://client.example:8443/back?of=us" }],
      ["credentials before the host", { redirect_uri: "http://127.0.0.1:80@evil.example/back" }],
      ["a backslash before the host", { redirect_uri: "http://127.0.0.1\\@evil.example/back" }],
      ["another loopback path", { redirect_uri: "http://127.0.0.1:4000/back/evil" }],
      ["another loopback host", { redirect_uri: "http://localhost:4000/back" }],
      ["a fragment", { redirect_uri: `${REDIRECT}#x` }],
      ["a line break", { redirect_uri: `${REDIRECT}\r\nx` }],
      ["a script", { redirect_uri: "javascript:alert(1)" }],
      ["a program's scheme that it did not register", { redirect_uri: "com.example.app:/back" }]
    ]
    for (const [what, given] of STRAY) {
      it.effect(`a request with ${what} is answered to nobody`, () =>
        Effect.gen(function* () {
          const oauth = yield* OAuth
          const { clientId } = yield* registered()
          const error = "client_id" in given && given["client_id"] !== null ? "invalid_client" : "invalid_request"
          yield* refusedAs(error, oauth.ask(askedBy(clientId, newVerifier(), given), anAddress()))
        })
      )
    }

    const PROGRAMS: ReadonlyArray<readonly [registered: string, asked: string]> = [
      ["http://127.0.0.1/back", "http://127.0.0.1:4000/back"],
      ["http://127.0.0.1:1/back", "http://127.0.0.1/back"],
      ["http://localhost/back", "http://localhost:4000/back"],
      ["http://[::1]/back", "http://[::1]:4000/back"],
      ["http://localhost:4000", "http://localhost:4001/"],
      ["https://client.example", "https://client.example/"],
      ["editor://example.mcp/oauth/callback", "editor://example.mcp/oauth/callback"],
      ["com.example.app:/back", "com.example.app:/back"],
      ["com.example.app:///back", "com.example.app:///back"],
      ["com.example.app://back?of=us", "com.example.app://back?of=us"],
      ["launcher2+beta://oauth", "launcher2+beta://oauth"]
    ]
    for (const [redirectUri, asked] of PROGRAMS) {
      it.effect(`a program that registered ${redirectUri} is answered at ${asked}`, () =>
        Effect.gen(function* () {
          const { client, oauth, owner, redeeming, verifier } = yield* consented({ redirectUri })
          assert.deepStrictEqual(client.redirectUris, [redirectUri])
          const given = askedBy(client.clientId, verifier, { redirect_uri: asked })
          const { redirectTo } = yield* oauth.decide(owner, waiting(yield* oauth.ask(given, anAddress())), allow())
          assert.isTrue(redirectTo.startsWith(`${asked}${asked.includes("?") ? "&" : "?"}code=`))
          const code = answerIn(redirectTo).get("code")
          const tokens = yield* oauth.token(redeeming({ code, redirect_uri: asked }))
          assert.strictEqual(tokens.scopes.length, GRANTABLE_SCOPES.length)
        })
      )
    }

    const SPELLINGS = [
      RESOURCE,
      `${RESOURCE}/`,
      RESOURCE.toUpperCase().replace("/MCP", "/mcp"),
      RESOURCE.replace(/^(https?:\/\/[^/]+)/, (origin) => `${origin}:${origin.startsWith("https") ? 443 : 80}`),
      BASE_URL,
      `${BASE_URL}/`
    ]
    for (const resource of SPELLINGS) {
      it.effect(`the tools are meant by ${resource}`, () =>
        Effect.gen(function* () {
          const oauth = yield* OAuth
          const { clientId } = yield* registered()
          waiting(yield* oauth.ask(askedBy(clientId, newVerifier(), { resource }), anAddress()))
          const of = yield* consented()
          yield* of.oauth.token(of.redeeming({ resource }))
        })
      )
    }

    it.effect("a client may name the tools in several spellings, but nothing else beside them", () =>
      Effect.gen(function* () {
        const oauth = yield* OAuth
        const { clientId } = yield* registered()
        const asked = askedBy(clientId, newVerifier())
        asked.append("resource", BASE_URL)
        waiting(yield* oauth.ask(asked, anAddress()))
        asked.append("resource", "https://other.example/mcp")
        assert.strictEqual((yield* oauth.ask(asked, anAddress()))._tag, "Answered")
      })
    )

    const NARROWED: ReadonlyArray<readonly [scope: string, asked: ReadonlyArray<Scope>]> = [
      ["openid email profile", GRANTABLE_SCOPES],
      ["everything", GRANTABLE_SCOPES],
      ["openid email profile data:read", ["data:read"]],
      ["usage:read  offline_access data:read", ["data:read", "usage:read"]],
      ["data:read trail:read", ["data:read"]],
      ["data:read,usage:read", ["data:read", "usage:read"]],
      ["data:read+usage:read", ["data:read", "usage:read"]],
      ["\tDATA:READ;", ["data:read"]],
      ['["data:read"]', ["data:read"]]
    ]
    for (const [scope, asked] of NARROWED) {
      it.effect(`of "${scope}" what can be granted is asked for, and the rest left out`, () =>
        Effect.gen(function* () {
          const oauth = yield* OAuth
          const { clientId } = yield* registered()
          const requestId = waiting(yield* oauth.ask(askedBy(clientId, newVerifier(), { scope }), anAddress()))
          assert.deepStrictEqual((yield* oauth.request(requestId)).scopes, asked)
        })
      )
    }

    const WRONG: ReadonlyArray<readonly [what: string, error: string, given: Parameters]> = [
      ["another response type", "unsupported_response_type", { response_type: "token" }],
      ["no response type", "invalid_request", { response_type: null }],
      ["no challenge", "invalid_request", { code_challenge: null }],
      ["a challenge that is none", "invalid_request", { code_challenge: "short" }],
      ["no method", "invalid_request", { code_challenge_method: null }],
      ["the plain method", "invalid_request", { code_challenge_method: "plain" }],
      ["another audience", "invalid_target", { resource: "https://other.example/mcp" }],
      ["another path of the service", "invalid_target", { resource: `${BASE_URL}/v1` }],
      ["a fragment of the tools", "invalid_target", { resource: `${RESOURCE}#tools` }],
      ["no address", "invalid_target", { resource: "mcp" }],
      ["a scope that is never granted", "invalid_scope", { scope: "openid trail:read" }],
      ["control", "invalid_scope", { scope: "control:manage" }],
      ["answers to people", "invalid_scope", { scope: "reply:send" }]
    ]
    for (const [what, error, given] of WRONG) {
      it.effect(`a request with ${what} is refused to its client, with its state`, () =>
        Effect.gen(function* () {
          const oauth = yield* OAuth
          const { clientId } = yield* registered()
          const asked = yield* oauth.ask(askedBy(clientId, newVerifier(), given), anAddress())
          const answer = answerIn(asked._tag === "Answered" ? asked.redirectTo : "x:")
          assert.deepStrictEqual(
            ["error", "state", "iss", "of", "code"].map((one) => answer.get(one)),
            [error, STATE, BASE_URL, "us", null]
          )
        })
      )
    }

    it.effect("a client is known by its document: its name, its redirects, and where it stands", () =>
      Effect.gen(function* () {
        const oauth = yield* OAuth
        const documents = yield* ScriptedDocuments
        const metadata = {
          client_id: DOCUMENT,
          client_name: "Ａssistant\u202E\n of   many",
          redirect_uris: [REDIRECT, "custom:back"],
          token_endpoint_auth_method: "none",
          whatever: 1
        }
        yield* documents.publish(DOCUMENT, JSON.stringify(metadata))
        const verifier = newVerifier()
        const requestId = waiting(yield* oauth.ask(askedBy(DOCUMENT, verifier), anAddress()))
        const { clientName } = yield* oauth.request(requestId)
        assert.strictEqual(clientName, "Ａssistant of many")
        yield* refusedAs(
          "invalid_request",
          oauth.ask(askedBy(DOCUMENT, verifier, { redirect_uri: "custom:back" }), anAddress())
        )
        assert.strictEqual(yield* documents.asked(DOCUMENT), 1)
        const { owner } = yield* consented()
        const { redirectTo } = yield* oauth.decide(owner, requestId, allow())
        const code = answerIn(redirectTo).get("code")
        const given = { grant_type: "authorization_code", client_id: DOCUMENT, code, code_verifier: verifier }
        yield* oauth.token(sent(given))
        const names = (yield* Effect.flatMap(Control, (control) => control.listKeys(owner))).map(({ key }) => key.name)
        assert.include(names, "Ａssistant of many (client.example)")
        // It is read again before long.
        yield* TestClock.adjust("6 minutes")
        yield* documents.publish(DOCUMENT, JSON.stringify({ ...metadata, redirect_uris: ["https://client.example/x"] }))
        yield* refusedAs("invalid_request", oauth.ask(askedBy(DOCUMENT, verifier), anAddress()))
      })
    )

    const PROVING = { redirect_uris: [REDIRECT], token_endpoint_auth_method: "private_key_jwt" }

    it.effect("a client is taken that prefers to prove who it is, and says that it can do without", () =>
      Effect.gen(function* () {
        const oauth = yield* OAuth
        const documents = yield* ScriptedDocuments
        const clientId = "https://prefers.example/oauth/client.json"
        const choices = { token_endpoint_auth_methods_supported: ["none", "private_key_jwt"] }
        yield* documents.publish(clientId, JSON.stringify({ client_id: clientId, ...PROVING, ...choices }))
        waiting(yield* oauth.ask(askedBy(clientId, newVerifier()), anAddress()))
      })
    )

    const DOCUMENTS: ReadonlyArray<readonly [what: string, text: (url: string) => string]> = [
      ["that is no JSON", () => "<html>"],
      ["that is no object", () => "[]"],
      ["of another client", () => JSON.stringify({ client_id: DOCUMENT, redirect_uris: [REDIRECT] })],
      ["without an id", () => JSON.stringify({ redirect_uris: [REDIRECT] })],
      ["without redirects", (client_id) => JSON.stringify({ client_id })],
      ["with no redirect that can be used", (client_id) => JSON.stringify({ client_id, redirect_uris: ["x:y"] })],
      [
        "of a client with a secret",
        (client_id) =>
          JSON.stringify({ client_id, redirect_uris: [REDIRECT], token_endpoint_auth_method: "client_secret_basic" })
      ],
      ["of a client that proves who it is", (client_id) => JSON.stringify({ client_id, ...PROVING })]
    ]
    for (const [index, [what, text]] of DOCUMENTS.entries()) {
      it.effect(`a document ${what} makes nobody known`, () =>
        Effect.gen(function* () {
          const oauth = yield* OAuth
          const documents = yield* ScriptedDocuments
          const url = `https://client.example/wrong-${index}.json`
          yield* documents.publish(url, text(url))
          const asking = oauth.ask(askedBy(url, newVerifier()), anAddress())
          const refused = yield* Effect.flip(asking)
          assert.include(["invalid_client_metadata", "invalid_redirect_uri"], (refused as { error?: string }).error)
          // What was wrong is not remembered.
          yield* documents.publish(url, JSON.stringify({ client_id: url, redirect_uris: [REDIRECT] }))
          assert.strictEqual((yield* asking)._tag, "Waiting")
        })
      )
    }

    it.effect("an address that is no document's is not asked for", () =>
      Effect.gen(function* () {
        const oauth = yield* OAuth
        const documents = yield* ScriptedDocuments
        for (const url of [
          "http://client.example/client.json",
          "https://client.example/",
          "https://client.example/a/../client.json",
          "https://client.example/client.json#x",
          "https://CLIENT.example/client.json",
          "file:///etc/passwd"
        ]) {
          yield* refusedAs("invalid_client", oauth.ask(askedBy(url, newVerifier()), anAddress()))
          assert.strictEqual(yield* documents.asked(url), 0, url)
        }
      })
    )

    it.effect("a registration says what was kept of it", () =>
      Effect.gen(function* () {
        const client = yield* registered({ redirect_uris: [REDIRECT, "custom:back"], token_endpoint_auth_method: "x" })
        assert.deepStrictEqual(client.redirectUris, [REDIRECT])
        assert.strictEqual((yield* registered({ client_name: 7 })).name, "Unnamed client")
      })
    )

    it.effect("members that are null, empty or unknown are as if they were not sent", () =>
      Effect.gen(function* () {
        const nothing = {
          client_name: null,
          grant_types: null,
          response_types: null,
          token_endpoint_auth_method: null,
          scope: null,
          contacts: null,
          software_statement: null,
          example_extension: { of: ["theirs"] }
        }
        const client = yield* registered(nothing)
        assert.deepStrictEqual([client.name, client.redirectUris.length], ["Unnamed client", 2])
        yield* registered({ grant_types: [], response_types: [] })
        const documents = yield* ScriptedDocuments
        const url = "https://client.example/nulls.json"
        yield* documents.publish(url, JSON.stringify({ ...nothing, client_id: url, redirect_uris: [REDIRECT] }))
        waiting(yield* (yield* OAuth).ask(askedBy(url, newVerifier()), anAddress()))
      })
    )

    const UNUSABLE: ReadonlyArray<
      readonly ["invalid_client_metadata" | "invalid_redirect_uri", names: string, metadata: unknown]
    > = [
      ["invalid_client_metadata", "JSON object", null],
      ["invalid_client_metadata", "JSON object", []],
      ["invalid_client_metadata", "redirect_uris", {}],
      ["invalid_client_metadata", "redirect_uris", { redirect_uris: null }],
      ["invalid_client_metadata", "redirect_uris", { redirect_uris: [] }],
      ["invalid_client_metadata", "redirect_uris", { redirect_uris: [7] }],
      ["invalid_client_metadata", "redirect_uris", { redirect_uris: Array.from({ length: 51 }, () => REDIRECT) }],
      ["invalid_client_metadata", "grant_types", { redirect_uris: [REDIRECT], grant_types: ["implicit"] }],
      ["invalid_client_metadata", "grant_types", { redirect_uris: [REDIRECT], grant_types: "authorization_code" }],
      ["invalid_client_metadata", "response_types", { redirect_uris: [REDIRECT], response_types: ["token"] }],
      [
        "invalid_client_metadata",
        "token_endpoint_auth_method",
        { redirect_uris: [REDIRECT], token_endpoint_auth_method: 7 }
      ],
      ["invalid_redirect_uri", "https", { redirect_uris: ["http://client.example/back"] }]
    ]
    for (const [error, names, metadata] of UNUSABLE) {
      it.effect(`a registration of ${JSON.stringify(metadata)?.slice(0, 90)} is refused, and its mistake named`, () =>
        Effect.gen(function* () {
          const refused = yield* refusedAs(error, (yield* OAuth).register(metadata, anAddress()))
          assert.include(refused.description, names)
        })
      )
    }

    const OPENED_BY_OTHERS = [
      "javascript:alert(1)",
      "javascript://client.example/%0aalert(1)",
      "data://text/html,x",
      "VBScript://x",
      "file:///etc/passwd",
      "intent://back",
      "itms-services://?action=download-manifest",
      "market://details",
      "steam://run",
      "rtsp://back",
      "mailto://ann@client.example",
      "ws://client.example/back",
      "ms-msdt:/id",
      "urn:ietf:wg:oauth:2.0:oob",
      "https://a@client.example/",
      "editor:back",
      "editor://back#x",
      "editor:////back",
      "javascript:///x",
      "://back"
    ]
    for (const uri of OPENED_BY_OTHERS) {
      it.effect(`no code is sent to ${uri}`, () =>
        Effect.gen(function* () {
          const metadata = { redirect_uris: [uri] }
          yield* refusedAs("invalid_redirect_uri", (yield* OAuth).register(metadata, anAddress()))
        })
      )
    }

    it.effect("a network address that registers or asks too often waits, and keeps nobody else out", () =>
      Effect.gen(function* () {
        const oauth = yield* OAuth
        const [noisy, quiet] = [anAddress(), anAddress()]
        const metadata = { redirect_uris: [REDIRECT] }
        const registering = (from: string) => oauth.register(metadata, from)
        const { clientId } = yield* Effect.replicateEffect(registering(noisy), REGISTRATIONS_PER_ADDRESS_MAX).pipe(
          Effect.map(([first]) => first!)
        )
        const asking = (from: string) => oauth.ask(askedBy(clientId, newVerifier()), from)
        yield* Effect.replicateEffect(asking(noisy), REQUESTS_PER_ADDRESS_MAX)
        for (const step of [Effect.asVoid(registering(noisy)), Effect.asVoid(asking(noisy))]) {
          const refused = yield* refusedAs("temporarily_unavailable", step)
          assert.strictEqual(refused.retryAfterSeconds, ASK_WINDOW_MINUTES * 60)
        }
        yield* registering(quiet)
        waiting(yield* asking(quiet))
        yield* TestClock.adjust(`${ASK_WINDOW_MINUTES} minutes`)
        yield* registering(noisy)
        waiting(yield* asking(noisy))
      })
    )

    it.effect("no document is fetched for a client over its limit", () =>
      Effect.gen(function* () {
        const oauth = yield* OAuth
        const documents = yield* ScriptedDocuments
        const from = anAddress()
        const asking = (url: string) => Effect.result(oauth.ask(askedBy(url, newVerifier()), from))
        yield* Effect.replicateEffect(asking("https://client.example/none.json"), REQUESTS_PER_ADDRESS_MAX)
        yield* asking("https://client.example/other.json")
        assert.strictEqual(yield* documents.asked("https://client.example/other.json"), 0)
      })
    )
  })
