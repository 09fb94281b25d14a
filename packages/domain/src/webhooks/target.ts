import type { Issue } from "../errors/Wire.js"
import type { WorkspaceKind } from "../workspaces/WorkspaceStore.js"

const URL_CHARS_MAX = 1_000
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

const isAddress = (host: string): boolean => host.startsWith("[") || /^[\d.]+$/.test(host)

/**
 * What speaks against sending events there. Where a name leads is looked at again before each single message: a name
 * that points at the inside of a network gets nothing.
 */
export const urlIssues = (text: string, kind: WorkspaceKind): ReadonlyArray<Issue> => {
  const issue = (message: string) => [{ path: "url", message }]
  if (text.length > URL_CHARS_MAX) return issue(`must have at most ${URL_CHARS_MAX} characters`)
  if (!URL.canParse(text)) return issue("must be an address such as https://example.com/events")
  const { hash, hostname, password, protocol, username } = new URL(text)
  if (username !== "" || password !== "") return issue("must hold no name and password: messages are signed")
  if (hash !== "") return issue("must have no fragment")
  const isOwn = kind === "sandbox" && LOOPBACK.has(hostname)
  if (protocol !== "https:" && !(protocol === "http:" && isOwn)) {
    return issue(kind === "sandbox" ? "must begin with https, or http on a loopback host" : "must begin with https")
  }
  return isAddress(hostname) && !isOwn ? issue("must name a host, not an IP address") : []
}
