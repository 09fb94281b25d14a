import { Clock, Effect, Result } from "effect"
import { Ids } from "../../kernel/ports/Ids.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { Settings } from "../../kernel/Settings.js"
import { ASK_WINDOW_MINUTES, type AskSubject, makeAsks } from "../users/asks.js"
import { makeClients, registeredId, registrationOf } from "./clients.js"
import {
  OPEN_REQUESTS_MAX,
  REGISTRATIONS_PER_ADDRESS_MAX,
  REQUEST_MILLIS,
  REQUESTS_PER_ADDRESS_MAX,
  UNUSED_CLIENTS_MAX
} from "./lifetimes.js"
import { type Asked, askedTooOften, type OAuth, type OAuthRefused, refused } from "./OAuth.js"
import { type AuthorizationRequest, type OAuthClient, OAuthStore, type RegisteredClient } from "./OAuthStore.js"
import { onlyFor, parameter, required } from "./parameters.js"
import { answerAt, isRegistered } from "./redirects.js"
import { askedScopes } from "./scopes.js"
import { isChallenge } from "./secrets.js"

/** RFC 6749 Appendix A.5, and no more than fits an address. */
const STATE = /^[\x20-\x7e]{1,2000}$/

const stateOf = (given: URLSearchParams): string | null => {
  const [state = "", ...more] = given.getAll("state")
  return more.length === 0 && STATE.test(state) ? state : null
}

/** The rest of a request, once the client's redirect address is known to be valid. */
const askedOf = (given: URLSearchParams, baseUrl: string) =>
  Effect.gen(function* () {
    const type = yield* required(given, "response_type")
    if (type !== "code") return yield* refused("unsupported_response_type", "response_type is code")
    const sent = yield* parameter(given, "state")
    if (sent !== null && !STATE.test(sent)) {
      return yield* refused("invalid_request", "state must have at most 2000 printable ASCII characters")
    }
    const codeChallenge = yield* required(given, "code_challenge")
    const method = yield* parameter(given, "code_challenge_method")
    if (method !== "S256" || !isChallenge(codeChallenge)) {
      return yield* refused("invalid_request", "code_challenge must use code_challenge_method S256")
    }
    yield* onlyFor(given, baseUrl)
    const scopes = askedScopes(yield* parameter(given, "scope"))
    return scopes === null
      ? yield* refused("invalid_scope", "scope names only scopes that clients can't have")
      : { codeChallenge, scopes, state: sent }
  })

/** Registration and authorisation requests. */
export const makeAsking = Effect.gen(function* () {
  const store = yield* OAuthStore
  const ids = yield* Ids
  const { baseUrl } = yield* Settings
  const { atomically } = yield* UnitOfWork
  const clientOf = yield* makeClients
  const mayAsk = yield* makeAsks

  /** Runs first, so that clients over the limit can't make us fetch documents. */
  const notTooOften = (subject: AskSubject): FromStore<void, OAuthRefused> =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      if (!(yield* atomically(mayAsk([subject], nowMillis)))) return yield* askedTooOften(ASK_WINDOW_MINUTES * 60)
    })

  const register: OAuth["Service"]["register"] = (metadata, from) =>
    Effect.gen(function* () {
      yield* notTooOften({ kind: "registration", name: from, max: REGISTRATIONS_PER_ADDRESS_MAX })
      const nowMillis = yield* Clock.currentTimeMillis
      const client = yield* Effect.fromResult(registrationOf(registeredId(ids.next(nowMillis)), metadata))
      const registered: RegisteredClient = { ...client, createdAtMillis: nowMillis }
      yield* atomically(Effect.andThen(store.trimClients(UNUSED_CLIENTS_MAX - 1), store.insertClient(registered)))
      return registered
    })

  const keep = (client: OAuthClient, redirectUri: string, given: URLSearchParams) =>
    Effect.gen(function* () {
      const asked = yield* askedOf(given, baseUrl)
      const nowMillis = yield* Clock.currentTimeMillis
      const request: AuthorizationRequest = {
        requestId: ids.next(nowMillis),
        clientId: client.clientId,
        clientKind: client.kind,
        clientName: client.name,
        redirectUri,
        ...asked,
        createdAtMillis: nowMillis,
        expiresAtMillis: nowMillis + REQUEST_MILLIS
      }
      yield* atomically(Effect.andThen(store.trimRequests(OPEN_REQUESTS_MAX - 1), store.insertRequest(request)))
      return request.requestId
    })

  const ask = (given: URLSearchParams, from: string): FromStore<Asked, OAuthRefused> =>
    Effect.gen(function* () {
      yield* notTooOften({ kind: "authorization", name: from, max: REQUESTS_PER_ADDRESS_MAX })
      const client = yield* clientOf(yield* required(given, "client_id"))
      const redirectUri = yield* required(given, "redirect_uri")
      if (!isRegistered(client.redirectUris, redirectUri)) {
        return yield* refused("invalid_request", "redirect_uri is not registered for this client")
      }
      const kept = yield* Effect.result(keep(client, redirectUri, given))
      if (Result.isSuccess(kept)) return { _tag: "Waiting", requestId: kept.success }
      if (kept.failure._tag === "StoreUnavailable") return yield* kept.failure
      const { description, error } = kept.failure
      const answer = { error, error_description: description, state: stateOf(given), iss: baseUrl }
      return { _tag: "Answered", redirectTo: answerAt(redirectUri, answer) }
    })

  return { register, ask } satisfies Partial<OAuth["Service"]>
})
