import { isIP } from "node:net"
import { isPublicAddress, LOOPBACK_HOSTS } from "./Address.js"
import type { Gate } from "./Gate.js"

/** The way to a host: the addresses that a connection may use. */
export type Door = Pick<Gate, "addresses">

/**
 * The way to a host that a person named: its public addresses, or this machine where the user runs the service
 * themselves. Null: we must not request it.
 */
export const doorTo = (url: URL, isAtHome: boolean, gate: Door): Door | null => {
  const own = isAtHome ? LOOPBACK_HOSTS.get(url.hostname) : undefined
  if (own !== undefined) {
    return { addresses: () => Promise.resolve([{ address: own, family: isIP(own) }]) }
  }
  // A literal address is connected to without a look-up, so check it here.
  const literal = url.hostname.replace(/^\[|\]$/g, "")
  return url.protocol === "https:" && (isIP(literal) === 0 || isPublicAddress(literal)) ? gate : null
}
