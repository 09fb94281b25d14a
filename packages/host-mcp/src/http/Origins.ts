import { isLoopbackHost } from "@outbound/domain/kernel/Settings.js"

/**
 * Whether a page may speak to the endpoint: the service's own pages, and those that a program on the user's machine serves,
 * such as an inspector's. A page of a site that was bound to this machine's address (DNS rebinding) has that site's origin,
 * and is refused (MCP 2025-11-25, transports, security).
 */
export const isPageAllowed =
  (baseUrl: string) =>
  (origin: string): boolean =>
    URL.canParse(origin) && (origin === new URL(baseUrl).origin || isLoopbackHost(new URL(origin).hostname))

/** What the HTTP server needs to answer pages. */
export const crossOriginOf = (baseUrl: string) => ({ allows: isPageAllowed(baseUrl), methods: "POST, OPTIONS" })
