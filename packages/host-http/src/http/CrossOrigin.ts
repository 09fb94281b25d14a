import type { CrossOrigin, Exchange } from "./Exchange.js"

/** What a page may read besides the body. */
const EXPOSED =
  "mcp-protocol-version, mcp-session-id, ratelimit, ratelimit-policy, retry-after, www-authenticate, x-request-id"

/** How long a browser remembers what it was told: browsers keep it two hours at most. */
const REMEMBERED_SECONDS = "7200"

const HEADER_NAMES = /^[\w\-, ]{1,1000}$/

/** Adds what a page's browser asks for. True: it only asked whether it may (a preflight), and is answered. */
export const shareWithPages = (exchange: Exchange, { allows, methods }: CrossOrigin): boolean => {
  const origin = exchange.header("origin")
  if (origin !== undefined && !allows(origin, exchange.path)) return false
  const { response } = exchange
  if (origin !== undefined) {
    response.setHeader("access-control-allow-origin", origin)
    response.setHeader("access-control-expose-headers", EXPOSED)
    response.setHeader("vary", "origin")
  }
  if (exchange.method !== "OPTIONS") return false
  const asked = exchange.header("access-control-request-headers") ?? ""
  const preflight = {
    "access-control-allow-methods": methods,
    "access-control-max-age": REMEMBERED_SECONDS,
    ...(HEADER_NAMES.test(asked) ? { "access-control-allow-headers": asked } : {})
  }
  exchange.send({ status: 204, headers: { allow: methods, ...(origin === undefined ? {} : preflight) }, body: "" })
  return true
}
