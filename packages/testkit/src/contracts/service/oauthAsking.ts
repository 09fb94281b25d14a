import { assert, layer as describeLayer } from "@effect/vitest"
import { Control } from "@outbound/domain/control/Control.js"
import { REGISTRATIONS_PER_ADDRESS_MAX, REQUESTS_PER_ADDRESS_MAX } from "@outbound/domain/control/oauth/lifetimes.js"
import { OAuth } from "@outbound/domain/control/oauth/OAuth.js"
import { ASK_WINDOW_MINUTES } from "@outbound/domain/control/users/asks.js"
import { Effect, type Layer, TestClock } from "effect"
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
      ["a script", { redirect_uri: "javascript:alert(1)" }]
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

    it.effect("a program on the user's machine is answered at whatever port it listens", () =>
      Effect.gen(function* () {
        const oauth = yield* OAuth
        const { clientId } = yield* registered()
        for (const redirect_uri of ["http://127.0.0.1:4000/back", "http://127.0.0.1/back"]) {
          assert.strictEqual(
            (yield* oauth.ask(askedBy(clientId, newVerifier(), { redirect_uri }), anAddress()))._tag,
            "Waiting"
          )
        }
      })
    )

    const WRONG: ReadonlyArray<readonly [what: string, error: string, given: Parameters]> = [
      ["another response type", "unsupported_response_type", { response_type: "token" }],
      ["no response type", "invalid_request", { response_type: null }],
      ["no challenge", "invalid_request", { code_challenge: null }],
      ["a challenge that is none", "invalid_request", { code_challenge: "short" }],
      ["no method", "invalid_request", { code_challenge_method: null }],
      ["the plain method", "invalid_request", { code_challenge_method: "plain" }],
      ["another audience", "invalid_target", { resource: "https://other.example/mcp" }],
      ["the service as its audience", "invalid_target", { resource: BASE_URL }],
      ["a scope that is never granted", "invalid_scope", { scope: "data:read trail:read" }],
      ["control", "invalid_scope", { scope: "control:manage" }],
      ["answers to people", "invalid_scope", { scope: "reply:send" }],
      ["an unknown scope", "invalid_scope", { scope: "everything" }]
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
      ]
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

    it.effect("a registration says what was kept of it; one that can't be used is refused", () =>
      Effect.gen(function* () {
        const oauth = yield* OAuth
        const client = yield* registered({ redirect_uris: [REDIRECT, "custom:back"], token_endpoint_auth_method: "x" })
        assert.deepStrictEqual(client.redirectUris, [REDIRECT])
        const nameless = yield* registered({ client_name: 7 })
        assert.strictEqual(nameless.name, "Unnamed client")
        const wrong: ReadonlyArray<readonly ["invalid_client_metadata" | "invalid_redirect_uri", unknown]> = [
          ["invalid_client_metadata", null],
          ["invalid_client_metadata", {}],
          ["invalid_client_metadata", { redirect_uris: [] }],
          ["invalid_client_metadata", { redirect_uris: Array.from({ length: 51 }, () => REDIRECT) }],
          ["invalid_client_metadata", { redirect_uris: [REDIRECT], grant_types: ["implicit"] }],
          ["invalid_client_metadata", { redirect_uris: [REDIRECT], response_types: ["token"] }],
          ["invalid_redirect_uri", { redirect_uris: ["http://client.example/back"] }],
          ["invalid_redirect_uri", { redirect_uris: ["javascript:alert(1)", "https://a@client.example/"] }]
        ]
        for (const [error, metadata] of wrong) yield* refusedAs(error, oauth.register(metadata, anAddress()))
      })
    )

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
        const asking = (url: string) => Effect.either(oauth.ask(askedBy(url, newVerifier()), from))
        yield* Effect.replicateEffect(asking("https://client.example/none.json"), REQUESTS_PER_ADDRESS_MAX)
        yield* asking("https://client.example/other.json")
        assert.strictEqual(yield* documents.asked("https://client.example/other.json"), 0)
      })
    )
  })
