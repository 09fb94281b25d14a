import ipaddr from "ipaddr.js"
import { isIP } from "node:net"

/** Addresses that are public by their range, and serve the inside of a cloud provider's network. */
const INTERNAL: ReadonlySet<string> = new Set(["168.63.129.16"])

/** What of IPv6 is assigned for the public internet (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3")

/**
 * Whether an IP address is one of the public internet: none that is private, of this machine or link, of a carrier's
 * inside, a metadata service, multicast, reserved, or a wrapping of an IPv4 address in another form.
 */
export const isPublicAddress = (address: string): boolean => {
  // A zone belongs to a link.
  if (address.includes("%") || isIP(address) === 0) return false
  const ip = ipaddr.process(address)
  if (ip.range() !== "unicast" || INTERNAL.has(ip.toString())) return false
  return ip.kind() === "ipv4" || (ip as ipaddr.IPv6).match(GLOBAL_UNICAST)
}

/** This machine by the names that a URL has for it, and where each leads. No other name of it is taken for it. */
export const LOOPBACK_HOSTS: ReadonlyMap<string, string> = new Map([
  ["localhost", "127.0.0.1"],
  ["127.0.0.1", "127.0.0.1"],
  ["[::1]", "::1"]
])
