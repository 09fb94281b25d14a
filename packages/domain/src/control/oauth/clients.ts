import { Cache, Duration, Effect, Result, Schema } from "effect"
import { ClientDocuments } from "./ClientDocuments.js"
import { orFail } from "../../kernel/orFail.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { type OAuthRefused, refused } from "./OAuth.js"
import { type OAuthClient, OAuthStore } from "./OAuthStore.js"
import { isUsableRedirect } from "./redirects.js"

/** Longest client name we show, in characters, and the name of a client without one. */
export const CLIENT_NAME_CHARS_MAX = 80
const NAMELESS = "Unnamed client"

const REDIRECT_URIS_MAX = 50

/** The fields we use. Others are ignored (RFC 7591 §2), and null counts as absent: libraries write out what is not set. */
interface Metadata {
  readonly clientId: unknown
  readonly name: unknown
  readonly redirectUris: ReadonlyArray<string>
  readonly grantTypes: ReadonlyArray<string>
  readonly responseTypes: ReadonlyArray<string>
  readonly authMethod: string | null
  /** All that it can do (OpenID Connect Relying Party Metadata Choices 1.0), where it says so. */
  readonly authMethods: ReadonlyArray<string>
}

const invalid = (description: string) => Result.fail(refused("invalid_client_metadata", description))

const isText = Schema.is(Schema.String)
const isTexts = Schema.is(Schema.Array(Schema.String))
const isRecord = Schema.is(Schema.Record(Schema.String, Schema.Unknown))

/** Names what is wrong, by its member. */
const metadataOf = (given: unknown): Result.Result<Metadata, OAuthRefused> => {
  if (!isRecord(given) || Array.isArray(given)) return invalid("client metadata must be a JSON object")
  const lists = ["redirect_uris", "grant_types", "response_types"] as const
  const wrong = lists.find((name) => !isTexts(given[name] ?? []))
  if (wrong !== undefined) return invalid(`${wrong} must be a list of strings`)
  const [redirectUris = [], grantTypes = [], responseTypes = []] = lists
    .map((name) => given[name] ?? [])
    .filter(isTexts)
  if (redirectUris.length === 0 || redirectUris.length > REDIRECT_URIS_MAX) {
    return invalid(`redirect_uris must list 1 to ${REDIRECT_URIS_MAX} URIs`)
  }
  const authMethod = given["token_endpoint_auth_method"] ?? null
  if (authMethod !== null && !isText(authMethod)) return invalid("token_endpoint_auth_method must be a string")
  const { client_id: clientId, client_name: name, token_endpoint_auth_methods_supported: methods } = given
  const authMethods = isTexts(methods) ? methods : []
  return Result.succeed({ clientId, name, redirectUris, grantTypes, responseTypes, authMethod, authMethods })
}

/** Invisible and bidirectional characters. They could mislead the person who decides. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu

const nameOf = (given: unknown): string => {
  if (typeof given !== "string") return NAMELESS
  const seen = given.replaceAll(UNSEEN, " ").replaceAll(/\s+/g, " ").trim()
  return seen === "" ? NAMELESS : [...seen].slice(0, CLIENT_NAME_CHARS_MAX).join("")
}

/** A client from its metadata. `clientId` says where the metadata came from. */
const clientOf = <Kind extends OAuthClient["kind"]>(
  clientId: string,
  kind: Kind,
  metadata: Metadata
): Result.Result<OAuthClient & { readonly kind: Kind }, OAuthRefused> => {
  const { grantTypes, name, responseTypes } = metadata
  // RFC 7591 §2: an omitted list means the authorization code.
  if (grantTypes.length > 0 && !grantTypes.includes("authorization_code")) {
    return invalid("grant_types lacks authorization_code")
  }
  if (responseTypes.length > 0 && !responseTypes.includes("code")) return invalid("response_types lacks code")
  const redirectUris = metadata.redirectUris.filter(isUsableRedirect)
  return redirectUris.length === 0
    ? Result.fail(
        refused(
          "invalid_redirect_uri",
          "a redirect URI must use https, http on a loopback address, or a scheme of the program itself, as in com.example.app:/back"
        )
      )
    : Result.succeed({ clientId, kind, name: nameOf(name), redirectUris })
}

/** A registration (RFC 7591). Every client is public: we replace any other authentication method it asks for. */
export const registrationOf = (clientId: string, given: unknown) =>
  Result.flatMap(metadataOf(given), (metadata) => clientOf(clientId, "registered", metadata))

/** Whether a client id is a document's address in canonical form. */
const isDocumentUrl = (clientId: string): boolean => {
  if (!URL.canParse(clientId)) return false
  const url = new URL(clientId)
  return url.protocol === "https:" && url.href === clientId && url.pathname !== "/" && !clientId.includes("#")
}

/**
 * A document fetched from a client's id (draft-ietf-oauth-client-id-metadata-document). It must name that id, and must
 * not need authentication other than PKCE. ChatGPT's prefers another one, and can do without.
 */
const documentOf = (clientId: string, text: string): Result.Result<OAuthClient, OAuthRefused> => {
  const parsed = Result.try(() => JSON.parse(text) as unknown)
  const metadata = Result.flatMap(parsed, metadataOf)
  if (Result.isFailure(metadata)) return invalid("the document at client_id contains no client metadata")
  if (metadata.success.clientId !== clientId) return invalid("the document at client_id names another client_id")
  const { authMethod, authMethods } = metadata.success
  return authMethod === null || [authMethod, ...authMethods].includes("none")
    ? clientOf(clientId, "document", metadata.success)
    : invalid("token_endpoint_auth_method must be none: only public clients are supported")
}

/** How long documents are cached, and how many. Failures are not cached. */
const DOCUMENT_TIME = Duration.minutes(5)
const DOCUMENTS_MAX = 500

/** Only ids of this form are looked up in the store. */
const REGISTERED_ID = /^svc_client_[0-9a-f-]{36}$/

export const registeredId = (uuid: string): string => `svc_client_${uuid}`

const unknown = refused("invalid_client", "the client is unknown")

/** Finds the client of a client id. */
export const makeClients = Effect.gen(function* () {
  const store = yield* OAuthStore
  const documents = yield* ClientDocuments

  const read = (clientId: string): Effect.Effect<OAuthClient, OAuthRefused> =>
    documents.read(clientId).pipe(
      Effect.tapError((error) => Effect.logInfo("oauth: reading a client's document failed", error)),
      Effect.mapError(() => refused("invalid_client", "the document at client_id can't be read")),
      Effect.flatMap((text) => Effect.fromResult(documentOf(clientId, text)))
    )

  const cache = yield* Cache.make({
    capacity: DOCUMENTS_MAX,
    lookup: read,
    timeToLive: DOCUMENT_TIME
  })

  return (clientId: string): FromStore<OAuthClient, OAuthRefused> => {
    if (isDocumentUrl(clientId))
      return Effect.tapError(Cache.get(cache, clientId), () => Cache.invalidate(cache, clientId))
    if (!REGISTERED_ID.test(clientId)) return Effect.fail(unknown)
    return store.client(clientId).pipe(orFail(unknown))
  }
})
