import { Cache, Clock, Duration, Effect, Either, Schema } from "effect"
import { ClientDocuments } from "./ClientDocuments.js"
import { orFail } from "../../kernel/orFail.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { Settings } from "../../kernel/Settings.js"
import { ASK_WINDOW_MINUTES, type AskSubject, makeAsks } from "../users/asks.js"
import {
  OPEN_REQUESTS_MAX,
  REGISTRATIONS_PER_ADDRESS_MAX,
  REQUEST_MILLIS,
  REQUESTS_PER_ADDRESS_MAX,
  UNUSED_CLIENTS_MAX
} from "./lifetimes.js"
import { type Asked, askedTooOften, type OAuth, type OAuthRefused, refused, resourceOf } from "./OAuth.js"
import { type AuthorizationRequest, type OAuthClient, OAuthStore, type RegisteredClient } from "./OAuthStore.js"
import { scopesOf } from "./scopes.js"
import { isChallenge } from "./secrets.js"

/** Longest redirect address we accept. */
const URI_CHARS_MAX = 1_000

/** Refuses characters that browsers interpret differently. */
const PRINTABLE = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** A program on the user's own machine (RFC 8252 §7.3), and the path after its port. */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?((?:[/?].*)?)$/

export const isLoopback = (uri: string): boolean => LOOPBACK.test(uri)

/** Whether a code may be sent there: HTTPS or the user's own machine, without a fragment. */
const isUsableRedirect = (uri: string): boolean => {
  if (uri.length > URI_CHARS_MAX || !PRINTABLE.test(uri) || uri.includes("#") || !URL.canParse(uri)) return false
  const { password, protocol, username } = new URL(uri)
  return username === "" && password === "" && (protocol === "https:" || isLoopback(uri))
}

const sameButForPort = (one: string, other: string): boolean => {
  const [a, b] = [LOOPBACK.exec(one), LOOPBACK.exec(other)]
  return a !== null && b !== null && a[1] === b[1] && a[2] === b[2]
}

/** Exact match with a registered address. Only a loopback port may differ. */
const isRegistered = (registered: ReadonlyArray<string>, given: string): boolean =>
  isUsableRedirect(given) && registered.some((one) => one === given || sameButForPort(one, given))

/** Adds an answer's parameters to the address. */
export const answerAt = (redirectUri: string, parameters: Readonly<Record<string, string | null>>): string => {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null)
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(given).toString()}`
}

/** Refuses a repeated parameter. An empty one counts as missing (RFC 6749 §3.1 and §3.2). */
export const parameter = (given: URLSearchParams, name: string): Effect.Effect<string | null, OAuthRefused> => {
  const [first = "", ...more] = given.getAll(name)
  if (more.length > 0) return Effect.fail(refused("invalid_request", `${name} is sent more than once`))
  return Effect.succeed(first === "" ? null : first)
}

export const required = (given: URLSearchParams, name: string): Effect.Effect<string, OAuthRefused> =>
  Effect.flatMap(parameter(given, name), (value) =>
    value === null ? Effect.fail(refused("invalid_request", `${name} is missing`)) : Effect.succeed(value)
  )

/** Refuses any other resource. A client that names none (RFC 8707) means ours. */
export const onlyFor = (given: URLSearchParams, resource: string): Effect.Effect<void, OAuthRefused> =>
  Effect.flatMap(parameter(given, "resource"), (named) =>
    named === null || named === resource
      ? Effect.void
      : Effect.fail(refused("invalid_target", `resource must be ${resource}`))
  )

/** Longest client name we show, in characters, and the name of a client without one. */
export const CLIENT_NAME_CHARS_MAX = 80
const NAMELESS = "Unnamed client"

const REDIRECT_URIS_MAX = 50

/** The fields we use; others are ignored (RFC 7591 §2). */
const Metadata = Schema.Struct({
  client_id: Schema.optional(Schema.Unknown),
  client_name: Schema.optional(Schema.Unknown),
  redirect_uris: Schema.Array(Schema.String).pipe(Schema.minItems(1), Schema.maxItems(REDIRECT_URIS_MAX)),
  grant_types: Schema.optional(Schema.Array(Schema.String)),
  response_types: Schema.optional(Schema.Array(Schema.String)),
  token_endpoint_auth_method: Schema.optional(Schema.Unknown)
})

const decode = Schema.decodeUnknownEither(Metadata)

/** Invisible and bidirectional characters. They could mislead the person who decides. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu

const nameOf = (given: unknown): string => {
  if (typeof given !== "string") return NAMELESS
  const seen = given.replaceAll(UNSEEN, " ").replaceAll(/\s+/g, " ").trim()
  return seen === "" ? NAMELESS : [...seen].slice(0, CLIENT_NAME_CHARS_MAX).join("")
}

const invalid = (description: string) => Either.left(refused("invalid_client_metadata", description))

/** A client from its metadata. `clientId` says where the metadata came from. */
const clientOf = <Kind extends OAuthClient["kind"]>(
  clientId: string,
  kind: Kind,
  metadata: typeof Metadata.Type
): Either.Either<OAuthClient & { readonly kind: Kind }, OAuthRefused> => {
  if (metadata.grant_types?.includes("authorization_code") === false) {
    return invalid("grant_types lacks authorization_code")
  }
  if (metadata.response_types?.includes("code") === false) return invalid("response_types lacks code")
  const redirectUris = metadata.redirect_uris.filter(isUsableRedirect)
  return redirectUris.length === 0
    ? Either.left(refused("invalid_redirect_uri", "a redirect URI must use https, or http on a loopback address"))
    : Either.right({ clientId, kind, name: nameOf(metadata.client_name), redirectUris })
}

/** A registration (RFC 7591). Every client is public: we replace any other authentication method it asks for. */
const registrationOf = (clientId: string, given: unknown) =>
  Either.flatMap(
    Either.mapLeft(decode(given), () =>
      refused("invalid_client_metadata", `redirect_uris has 1 to ${REDIRECT_URIS_MAX} URIs`)
    ),
    (metadata) => clientOf(clientId, "registered", metadata)
  )

/** Whether a client id is a document's address in canonical form. */
const isDocumentUrl = (clientId: string): boolean => {
  if (!URL.canParse(clientId)) return false
  const url = new URL(clientId)
  return url.protocol === "https:" && url.href === clientId && url.pathname !== "/" && !clientId.includes("#")
}

/**
 * A document fetched from a client's id (draft-ietf-oauth-client-id-metadata-document). It must name that id, and must
 * not ask for authentication other than PKCE.
 */
const documentOf = (clientId: string, text: string): Either.Either<OAuthClient, OAuthRefused> => {
  const parsed = Either.try(() => JSON.parse(text) as unknown)
  const metadata = Either.flatMap(parsed, decode)
  if (Either.isLeft(metadata)) return invalid("the document at client_id contains no client metadata")
  const { client_id: said, token_endpoint_auth_method: method } = metadata.right
  if (said !== clientId) return invalid("the document at client_id names another client_id")
  return method === undefined || method === "none"
    ? clientOf(clientId, "document", metadata.right)
    : invalid("token_endpoint_auth_method must be none: only public clients are supported")
}

/** How long documents are cached, and how many. Failures are not cached. */
const DOCUMENT_TIME = Duration.minutes(5)
const DOCUMENTS_MAX = 500

/** Only ids of this form are looked up in the store. */
const REGISTERED_ID = /^svc_client_[0-9a-f-]{36}$/

const registeredId = (uuid: string): string => `svc_client_${uuid}`

const unknown = refused("invalid_client", "the client is unknown")

/** Finds the client of a client id. */
const makeClients = Effect.gen(function* () {
  const store = yield* OAuthStore
  const documents = yield* ClientDocuments

  const read = (clientId: string): Effect.Effect<OAuthClient, OAuthRefused> =>
    documents.read(clientId).pipe(
      Effect.tapError((error) => Effect.logInfo("oauth: reading a client's document failed", error)),
      Effect.mapError(() => refused("invalid_client", "the document at client_id can't be read")),
      Effect.flatMap((text) => documentOf(clientId, text))
    )

  const cache = yield* Cache.make({
    capacity: DOCUMENTS_MAX,
    lookup: read,
    timeToLive: DOCUMENT_TIME
  })

  return (clientId: string): FromStore<OAuthClient, OAuthRefused> => {
    if (isDocumentUrl(clientId)) return Effect.tapError(cache.get(clientId), () => cache.invalidate(clientId))
    if (!REGISTERED_ID.test(clientId)) return Effect.fail(unknown)
    return store.client(clientId).pipe(orFail(unknown))
  }
})

/** RFC 6749 Appendix A.5, and no more than fits an address. */
const STATE = /^[\x20-\x7e]{1,2000}$/

const stateOf = (given: URLSearchParams): string | null => {
  const [state = "", ...more] = given.getAll("state")
  return more.length === 0 && STATE.test(state) ? state : null
}

/** The rest of a request, once the client's redirect address is known to be valid. */
const askedOf = (given: URLSearchParams, resource: string) =>
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
    yield* onlyFor(given, resource)
    const scopes = scopesOf(yield* parameter(given, "scope"))
    return scopes === null
      ? yield* refused("invalid_scope", "scope contains a scope that clients can't have")
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
  const resource = resourceOf(baseUrl)

  /** Runs first, so that clients over the limit can't make us fetch documents. */
  const notTooOften = (subject: AskSubject): FromStore<void, OAuthRefused> =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      if (!(yield* atomically(mayAsk([subject], nowMillis)))) return yield* askedTooOften(ASK_WINDOW_MINUTES * 60)
    })

  const register: OAuth["Type"]["register"] = (metadata, from) =>
    Effect.gen(function* () {
      yield* notTooOften({ kind: "registration", name: from, max: REGISTRATIONS_PER_ADDRESS_MAX })
      const nowMillis = yield* Clock.currentTimeMillis
      const client = yield* registrationOf(registeredId(ids.next(nowMillis)), metadata)
      const registered: RegisteredClient = { ...client, createdAtMillis: nowMillis }
      yield* atomically(Effect.zipRight(store.trimClients(UNUSED_CLIENTS_MAX - 1), store.insertClient(registered)))
      return registered
    })

  const keep = (client: OAuthClient, redirectUri: string, given: URLSearchParams) =>
    Effect.gen(function* () {
      const asked = yield* askedOf(given, resource)
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
      yield* atomically(Effect.zipRight(store.trimRequests(OPEN_REQUESTS_MAX - 1), store.insertRequest(request)))
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
      const kept = yield* Effect.either(keep(client, redirectUri, given))
      if (Either.isRight(kept)) return { _tag: "Waiting", requestId: kept.right }
      if (kept.left._tag === "StoreUnavailable") return yield* kept.left
      const { description, error } = kept.left
      const answer = { error, error_description: description, state: stateOf(given), iss: baseUrl }
      return { _tag: "Answered", redirectTo: answerAt(redirectUri, answer) }
    })

  return { register, ask } satisfies Partial<OAuth["Type"]>
})
