import type { OAuthClientProvider } from "@modelcontextprotocol/client"

export const REDIRECT = "http://127.0.0.1:49152/back"
export const NAME = "Assistant of many"

export const METADATA = {
  client_name: NAME,
  redirect_uris: [REDIRECT],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none"
}

/** What a client's program keeps, and the human it sends somewhere. */
export class Provider implements OAuthClientProvider {
  // oxlint-disable-next-line typescript/no-explicit-any -- kept as the library gives it
  kept: Record<string, any> = {}
  sentTo: URL | undefined
  readonly redirectUrl = REDIRECT
  readonly clientMetadata = METADATA

  readonly clientMetadataUrl?: string

  constructor(documentUrl: string | undefined) {
    if (documentUrl !== undefined) this.clientMetadataUrl = documentUrl
  }

  state = () => "what the client remembers"
  clientInformation = () => this.kept["client"]
  saveClientInformation = (client: unknown) => void (this.kept["client"] = client)
  tokens = () => this.kept["tokens"]
  saveTokens = (tokens: unknown) => void (this.kept["tokens"] = tokens)
  redirectToAuthorization = (url: URL) => void (this.sentTo = url)
  invalidateCredentials = () => void delete this.kept["tokens"]
  saveCodeVerifier = (verifier: string) => void (this.kept["verifier"] = verifier)
  codeVerifier = () => this.kept["verifier"]
  saveDiscoveryState = (state: unknown) => void (this.kept["discovery"] = state)
  discoveryState = () => this.kept["discovery"]
}
