import { resourceOf } from "@outbound/domain/control/oauth/OAuth.js"
import { GRANTABLE_SCOPES } from "@outbound/domain/control/oauth/scopes.js"

/** The paths of the endpoints. */
export const AUTHORIZE_PATH = "/oauth/authorize"
export const TOKEN_PATH = "/oauth/token"
export const REGISTER_PATH = "/oauth/register"
export const REVOKE_PATH = "/oauth/revoke"

const RESOURCE = "oauth-protected-resource"
const SERVER = "oauth-authorization-server"
const OPENID = "openid-configuration"

/** The URL of the MCP endpoint's metadata, which its challenge names (RFC 9728 §3.1). */
export const resourceMetadataUrl = (baseUrl: string): string => `${baseUrl}/.well-known/${RESOURCE}/mcp`

const resource = (baseUrl: string) => ({
  resource: resourceOf(baseUrl),
  resource_name: "outbound",
  authorization_servers: [baseUrl],
  scopes_supported: GRANTABLE_SCOPES,
  bearer_methods_supported: ["header"]
})

const server = (baseUrl: string) => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}${AUTHORIZE_PATH}`,
  token_endpoint: `${baseUrl}${TOKEN_PATH}`,
  registration_endpoint: `${baseUrl}${REGISTER_PATH}`,
  revocation_endpoint: `${baseUrl}${REVOKE_PATH}`,
  scopes_supported: GRANTABLE_SCOPES,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true
})

/**
 * Where clients look for a document: at its root (RFC 8414 §3, RFC 9728 §3), with the tools' path behind it, or behind the
 * tools' path, each also with a slash at the end.
 */
const spellingsOf = (name: string): ReadonlyArray<string> =>
  [`/.well-known/${name}`, `/.well-known/${name}/mcp`, `/mcp/.well-known/${name}`].flatMap((path) => [path, `${path}/`])

/**
 * Protected-resource metadata (RFC 9728) and authorization-server metadata (RFC 8414), by path. Some clients look for the
 * latter only where OpenID Connect has it.
 */
export const metadataDocuments = (baseUrl: string): Readonly<Record<string, string>> => {
  const documents = [
    [RESOURCE, resource(baseUrl)],
    [SERVER, server(baseUrl)],
    [OPENID, server(baseUrl)]
  ] as const
  return Object.fromEntries(
    documents.flatMap(([name, document]) => spellingsOf(name).map((path) => [path, JSON.stringify(document)]))
  )
}
