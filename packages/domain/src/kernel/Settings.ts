import { Context } from "effect"

/** Where the service is reached. */
export class Settings extends Context.Service<
  Settings,
  {
    /** Without a trailing slash. */
    readonly baseUrl: string
    /** Where approvals are decided, if not in the console: on a page of the program that embeds the service. */
    readonly approvalPage?: (approvalId: string) => string
  }
>()("@outbound/domain/kernel/Settings") {}

export const consoleUrl = (baseUrl: string): string => `${baseUrl}/console`

export const approvalUrl = (settings: Settings["Service"], approvalId: string): string =>
  settings.approvalPage?.(approvalId) ?? `${consoleUrl(settings.baseUrl)}/approvals/${approvalId}`

export const unsubscribeUrl = (baseUrl: string, workspaceId: string, token: string): string =>
  `${baseUrl}/u/${workspaceId}/${token}`

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

/** Whether the host name (as `URL` writes it) is this machine. */
export const isLoopbackHost = (hostname: string): boolean => LOOPBACK.has(hostname)

/**
 * Whether recipients' mail programs can reach addresses of the service: by https, as one-click unsubscribing requires
 * (RFC 8058), and not on this machine alone.
 */
export const isReachable = (baseUrl: string): boolean => {
  const { hostname, protocol } = new URL(baseUrl)
  const isHere = isLoopbackHost(hostname) || hostname.endsWith(".localhost") || /^(?:127\.|0\.0\.0\.0$)/.test(hostname)
  return protocol === "https:" && !isHere
}

/** Whether the service runs on its user's own machine rather than hosted for others. */
export const isAtHome = (baseUrl: string): boolean => isLoopbackHost(new URL(baseUrl).hostname)
