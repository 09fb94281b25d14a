import { Either, Schema } from "effect"
import { type OAuthRefused, refused } from "./OAuthRefused.js"
import type { OAuthClient } from "./OAuthStore.js"
import { isUsableRedirect } from "./redirects.js"

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
export const registrationOf = (clientId: string, given: unknown) =>
  Either.flatMap(
    Either.mapLeft(decode(given), () =>
      refused("invalid_client_metadata", `redirect_uris has 1 to ${REDIRECT_URIS_MAX} URIs`)
    ),
    (metadata) => clientOf(clientId, "registered", metadata)
  )

/** Whether a client id is a document's address in canonical form. */
export const isDocumentUrl = (clientId: string): boolean => {
  if (!URL.canParse(clientId)) return false
  const url = new URL(clientId)
  return url.protocol === "https:" && url.href === clientId && url.pathname !== "/" && !clientId.includes("#")
}

/**
 * A document fetched from a client's id (draft-ietf-oauth-client-id-metadata-document). It must name that id, and must
 * not ask for authentication other than PKCE.
 */
export const documentOf = (clientId: string, text: string): Either.Either<OAuthClient, OAuthRefused> => {
  const parsed = Either.try(() => JSON.parse(text) as unknown)
  const metadata = Either.flatMap(parsed, decode)
  if (Either.isLeft(metadata)) return invalid("the document at client_id contains no client metadata")
  const { client_id: said, token_endpoint_auth_method: method } = metadata.right
  if (said !== clientId) return invalid("the document at client_id names another client_id")
  return method === undefined || method === "none"
    ? clientOf(clientId, "document", metadata.right)
    : invalid("token_endpoint_auth_method must be none: only public clients are supported")
}
