import { parseArgs } from "node:util"
import { MCP_PATH } from "../http/Path.js"

export const USAGE = `outbound-mcp: connects MCP clients that start local programs to a running outbound service.

  outbound-mcp --url https://outbound.example --key svc_key_...

  --url    the service's base URL; or set OUTBOUND_URL
  --key    the API key; or set OUTBOUND_API_KEY, which other users of this machine can't read
`

export interface StdioArguments {
  readonly endpoint: URL
  readonly apiKey: string
}

/** An error in the arguments. */
export class UsageError extends Error {}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"])

const endpointOf = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--url must be an http or https URL: ${text}`)
  if (url.protocol === "http:" && !LOOPBACK.has(url.hostname)) {
    throw new UsageError("--url must use https: over http, others on the network could read the key.")
  }
  const path = url.pathname.replace(/\/+$/, "")
  url.pathname = path.endsWith(MCP_PATH) ? path : `${path}${MCP_PATH}`
  return url
}

/** Null if --help was given. */
export const readArguments = (
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string | undefined>>
): StdioArguments | null => {
  let values: { readonly url?: string; readonly key?: string; readonly help?: boolean }
  try {
    values = parseArgs({
      args: [...args],
      options: { url: { type: "string" }, key: { type: "string" }, help: { type: "boolean", short: "h" } }
    }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
  if (values.help === true) return null
  const url = values.url ?? environment["OUTBOUND_URL"]
  const apiKey = values.key ?? environment["OUTBOUND_API_KEY"]
  if (url === undefined || url === "") throw new UsageError("Set --url or OUTBOUND_URL to the service's base URL.")
  if (apiKey === undefined || apiKey === "") throw new UsageError("Set --key or OUTBOUND_API_KEY to the API key.")
  return { endpoint: endpointOf(url), apiKey }
}
