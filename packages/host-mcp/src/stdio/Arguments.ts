import { parseArgs } from "node:util"
import { MCP_PATH } from "../http/Path.js"

export const USAGE = `outbound-mcp: the tools of a running outbound service, for clients that start local programs.

  outbound-mcp --url https://outbound.example --key svc_key_...

  --url    base address of the service, or OUTBOUND_URL
  --key    API key, or OUTBOUND_API_KEY (other users of this machine can read a program's arguments, not its environment)
`

export interface StdioArguments {
  readonly endpoint: URL
  readonly apiKey: string
}

/** What is wrong with the arguments, in words. */
export class UsageError extends Error {}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"])

const endpointOf = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--url is no http or https address: ${text}`)
  if (url.protocol === "http:" && !LOOPBACK.has(url.hostname)) {
    throw new UsageError("--url must be https: over http anybody on the way could read the key.")
  }
  const path = url.pathname.replace(/\/+$/, "")
  url.pathname = path.endsWith(MCP_PATH) ? path : `${path}${MCP_PATH}`
  return url
}

/** Null: help was asked for. */
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
  if (url === undefined || url === "") throw new UsageError("--url or OUTBOUND_URL says where the service is.")
  if (apiKey === undefined || apiKey === "") throw new UsageError("--key or OUTBOUND_API_KEY holds the API key.")
  return { endpoint: endpointOf(url), apiKey }
}
