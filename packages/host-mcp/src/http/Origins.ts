import { isLoopbackHost } from "@outbound/domain/kernel/Settings.js"

/** Names below `localhost` always mean this machine (RFC 6761 §6.3). */
const isHere = (host: string): boolean => isLoopbackHost(host) || host.endsWith(".localhost")

/**
 * Whether a page may speak to the endpoint: the service's own pages, those that a program on the user's machine serves, such
 * as an inspector's, and those of a program itself, such as an editor or an extension of a browser, whose origin has a scheme
 * of its own. A page of a site that was bound to this machine's address (DNS rebinding) has that site's origin, which is of
 * the web, and is refused (MCP 2025-11-25, transports, security). So is `null`, which any site can give its frames.
 */
export const isPageAllowed =
  (baseUrl: string) =>
  (origin: string): boolean => {
    if (!URL.canParse(origin)) return false
    const { hostname, protocol } = new URL(origin)
    const isOfTheWeb = protocol === "http:" || protocol === "https:"
    return !isOfTheWeb || origin === new URL(baseUrl).origin || isHere(hostname)
  }

/** What the HTTP server needs to answer pages. */
export const crossOriginOf = (baseUrl: string) => ({ allows: isPageAllowed(baseUrl), methods: "POST, OPTIONS" })
