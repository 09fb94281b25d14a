import ipaddr from "ipaddr.js"
import { isIP } from "node:net"

/** Public by range, but internal to a cloud provider's network. */
const INTERNAL: ReadonlySet<string> = new Set(["168.63.129.16"])

/** The public range of IPv6 (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3")

/**
 * Whether an IP address is on the public internet: not private, loopback, link-local, carrier-internal, a metadata
 * service, multicast, reserved, or an embedded IPv4 address.
 */
export const isPublicAddress = (address: string): boolean => {
  // A zone belongs to a link.
  if (address.includes("%") || isIP(address) === 0) return false
  const ip = ipaddr.process(address)
  if (ip.range() !== "unicast" || INTERNAL.has(ip.toString())) return false
  return ip.kind() === "ipv4" || (ip as ipaddr.IPv6).match(GLOBAL_UNICAST)
}

/** This machine's names in URLs and their addresses. No other name counts as this machine. */
export const LOOPBACK_HOSTS: ReadonlyMap<string, string> = new Map([
  ["localhost", "127.0.0.1"],
  ["127.0.0.1", "127.0.0.1"],
  ["[::1]", "::1"]
])
