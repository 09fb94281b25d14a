import type { Issue } from "../../kernel/errors/Wire.js"
import { isLoopbackHost } from "../../kernel/Settings.js"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"

const URL_CHARS_MAX = 1_000

/** Lower ports belong to the machine's own services. */
const OWN_PORT_MIN = 1_024

const isAddress = (host: string): boolean => host.startsWith("[") || /^[\d.]+$/.test(host)

/**
 * What is wrong with a webhook URL. The sender checks the resolved address again for each message, so a name that
 * resolves to an internal network gets nothing.
 */
export const urlIssues = (text: string, kind: WorkspaceKind, isAtHome: boolean): ReadonlyArray<Issue> => {
  const issue = (message: string) => [{ path: "url", message }]
  if (text.length > URL_CHARS_MAX) return issue(`must have at most ${URL_CHARS_MAX} characters`)
  if (!URL.canParse(text)) return issue("must be a URL, such as https://example.com/events")
  const { hash, hostname, password, port, protocol, username } = new URL(text)
  if (username !== "" || password !== "")
    return issue("must not contain a user name or password; deliveries are signed")
  if (hash !== "") return issue("must not have a fragment")
  // A sandbox's events may go to a program beside the service, where its user runs both; nobody else has one there.
  const mayBeOwn = kind === "sandbox" && isAtHome
  const isOwn = mayBeOwn && isLoopbackHost(hostname)
  if (protocol !== "https:" && !(protocol === "http:" && isOwn)) {
    return issue(mayBeOwn ? "must use https, or http on a loopback host" : "must use https")
  }
  // None is the scheme's own, which is lower.
  if (isOwn && Number(port) < OWN_PORT_MIN) return issue(`must name a port from ${OWN_PORT_MIN} on, on a loopback host`)
  return isAddress(hostname) && !isOwn ? issue("must have a host name, not an IP address") : []
}
