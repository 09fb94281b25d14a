import { assert } from "@effect/vitest"
import { Calls } from "@outbound/domain/calls/Calls.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Control } from "@outbound/domain/control/Control.js"
import type { Scope } from "@outbound/domain/verbs/Policy.js"
import {
  type Asked,
  type Decision,
  OAuth,
  type OAuthErrorCode,
  OAuthRefused
} from "@outbound/domain/control/oauth/OAuth.js"
import type { OAuthStore } from "@outbound/domain/control/oauth/OAuthStore.js"
import { GRANTABLE_SCOPES } from "@outbound/domain/control/oauth/scopes.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import type { SignInAskStore } from "@outbound/domain/control/users/SignInAskStore.js"
import type { SignedIn } from "@outbound/domain/control/users/UserStore.js"
import { type VerbName, verbs } from "@outbound/domain/verbs/verbs.js"
import { Clock, Effect } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { BASE_URL } from "../../service/Service.js"
import { type ControlOnStores, office } from "./controlSupport.js"

/** The service with the stores that tell what was granted. */
export type OAuthOnStores = ControlOnStores | OAuthStore | SignInAskStore

export const RESOURCE = `${BASE_URL}/mcp`
export const REDIRECT = "https://client.example/back?of=us"
export const STATE = "a state & more"
export const DOCUMENT = "https://client.example/oauth/client.json"

/** A network address that nobody asked from before. */
export const anAddress = (): string => randomBytes(8).toString("hex")

export type Parameters = Readonly<Record<string, string | null>>

/** Parameters as they are sent; null: not sent. */
export const sent = (parameters: Parameters): URLSearchParams =>
  new URLSearchParams(Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null))

export const newVerifier = (): string => randomBytes(32).toString("base64url")
export const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url")

/** What a step comes to is refused so. */
export const refusedAs = <A, E, R>(error: OAuthErrorCode, step: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(step), (failure) => {
    assert.instanceOf(failure, OAuthRefused)
    assert.strictEqual((failure as OAuthRefused).error, error)
    return failure as OAuthRefused
  })

/** A client that registered for these addresses. */
export const registered = (metadata: Readonly<Record<string, unknown>> = {}) =>
  Effect.flatMap(OAuth, (oauth) =>
    oauth.register(
      { client_name: "Assistant", redirect_uris: [REDIRECT, "http://127.0.0.1/back"], ...metadata },
      anAddress()
    )
  )

/** What a client asks for that does everything right, but for what is given. */
export const askedBy = (clientId: string, verifier: string, given: Parameters = {}): URLSearchParams =>
  sent({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    state: STATE,
    code_challenge: challengeOf(verifier),
    code_challenge_method: "S256",
    resource: RESOURCE,
    ...given
  })

export const waiting = (asked: Asked): string => {
  if (asked._tag !== "Waiting") throw new Error(`answered: ${asked.redirectTo}`)
  return asked.requestId
}

/** What an answer to a client holds behind its address. */
export const answerIn = (redirectTo: string): URLSearchParams => new URL(redirectTo).searchParams

export const allow = (scopes: ReadonlyArray<Scope> = GRANTABLE_SCOPES): Decision => ({
  _tag: "Allow",
  scopes,
  monthlySpendCap: null
})

export interface ConsentOptions {
  /** What the owner ticks; all of it otherwise. */
  readonly scopes?: ReadonlyArray<Scope>
  /** The client's only redirect address; two of its kinds otherwise. */
  readonly redirectUri?: string
}

/** A client that a fresh owner allowed what it asked for, with its code not yet redeemed. */
export const consented = (options: ConsentOptions = {}) =>
  Effect.gen(function* () {
    const oauth = yield* OAuth
    const people = yield* office({ credits: "100" })
    const { redirectUri } = options
    const client = yield* registered(redirectUri === undefined ? {} : { redirect_uris: [redirectUri] })
    const verifier = newVerifier()
    const redirect_uri = redirectUri ?? REDIRECT
    const requestId = waiting(yield* oauth.ask(askedBy(client.clientId, verifier, { redirect_uri }), anAddress()))
    const { redirectTo } = yield* oauth.decide(people.owner, requestId, allow(options.scopes))
    const code = answerIn(redirectTo).get("code")!
    const redeeming = (given: Parameters = {}) =>
      sent({
        grant_type: "authorization_code",
        client_id: client.clientId,
        code,
        redirect_uri,
        code_verifier: verifier,
        resource: RESOURCE,
        ...given
      })
    const refreshing = (refreshToken: string, given: Parameters = {}) =>
      sent({ grant_type: "refresh_token", client_id: client.clientId, refresh_token: refreshToken, ...given })
    return { ...people, oauth, client, verifier, redirectTo, requestId, redeeming, refreshing }
  })

export type Consented = Effect.Success<ReturnType<typeof consented>>

/** As `consented`, with the code redeemed. */
export const redeemed = (options: ConsentOptions = {}) =>
  Effect.gen(function* () {
    const of = yield* consented(options)
    return { ...of, tokens: yield* of.oauth.token(of.redeeming()) }
  })

export const keysOf = (by: SignedIn) => Effect.flatMap(Control, (control) => control.listKeys(by))

/** The key that a grant made. */
export const keyOf = (of: Consented) =>
  Effect.map(keysOf(of.owner), (keys) => keys.find(({ key }) => key.name === "Assistant")!.key)

export const stateOf = (of: Consented) => Effect.map(keyOf(of), ({ state }) => state)

/** A call by an access token, from the surface that takes them or from another; its parsed answer and status. */
export const callWith = (
  bearer: string,
  verb: VerbName,
  given: { readonly takesTokens?: true; readonly key?: string; readonly input?: JsonObject }
) =>
  Effect.gen(function* () {
    const calls = yield* Calls
    const ids = yield* Ids
    const { input, key, ...surface } = given
    const answer = yield* calls.answer({
      requestId: ids.next(yield* Clock.currentTimeMillis),
      bearer,
      ...surface,
      verb: verbs[verb],
      input: input ?? (verb === "verify_email" ? { email: "valid@magic.test" } : {}),
      reject: null,
      idempotencyKey: key ?? null,
      runId: null
    })
    return { status: answer.status, rate: answer.rate, ...JSON.parse(answer.body) }
  })

/** As the tools are called. */
export const TOOLS = { takesTokens: true } as const
