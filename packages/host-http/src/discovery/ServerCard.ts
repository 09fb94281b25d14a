/**
 * Where MCP clients and registries look for the tools before they connect: the server card at the endpoint's
 * `/server-card`, the catalog that names it (SEP-2127, `experimental-ext-server-card`), and the entry of a registry.
 */
import { INTERFACE_VERSION } from "@outbound/domain/verbs/version.js"

export const CARD_PATH = "/mcp/server-card"
/** Where the catalog is looked for. The second is what the proposal said before. */
export const CATALOG_PATHS = ["/.well-known/ai-catalog.json", "/.well-known/mcp/catalog.json"] as const
/** Where older drafts of the proposal had the card. */
export const OLDER_CARD_PATHS = ["/.well-known/mcp/server-card", "/.well-known/mcp/server-card.json"] as const
export const REGISTRY_PATH = "/server.json"

export const CARD_TYPE = "application/mcp-server-card+json"
export const CATALOG_TYPE = "application/ai-catalog+json"

const CARD_SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
const REGISTRY_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

const NAME = "outbound"

/** An address has no name to reverse, and a name holds no brackets or colons. */
const publisherOf = (baseUrl: string): string => {
  const { hostname } = new URL(baseUrl)
  return /^\[|^[\d.]+$/.test(hostname) ? "localhost" : hostname
}

const reversed = (host: string): string => host.split(".").toReversed().join(".")

/** What card and registry say alike. */
const described = (baseUrl: string) => ({
  name: `${reversed(publisherOf(baseUrl))}/${NAME}`,
  title: NAME,
  description: "Outbound sales that agents run and humans approve: leads, emails, campaigns, replies.",
  version: INTERFACE_VERSION,
  websiteUrl: `${baseUrl}/docs`
})

const AUTHORIZATION = {
  name: "Authorization",
  description: "`Bearer` and a key of the workspace. Clients that can open a page of consent need none.",
  isRequired: false,
  isSecret: true,
  placeholder: "Bearer svc_key_…"
}

const remote = (baseUrl: string) => ({ type: "streamable-http", url: `${baseUrl}/mcp`, headers: [AUTHORIZATION] })

export const serverCard = (baseUrl: string) => ({
  $schema: CARD_SCHEMA,
  ...described(baseUrl),
  remotes: [remote(baseUrl)]
})

export const catalog = (baseUrl: string) => ({
  specVersion: "1.0",
  entries: [
    {
      identifier: `urn:air:${publisherOf(baseUrl)}:mcp:${NAME}`,
      displayName: NAME,
      type: CARD_TYPE,
      url: `${baseUrl}${CARD_PATH}`
    }
  ]
})

/** What the operator of a public service hands to the MCP registry. */
export const registryEntry = (baseUrl: string) => ({
  $schema: REGISTRY_SCHEMA,
  ...described(baseUrl),
  remotes: [remote(baseUrl)]
})
