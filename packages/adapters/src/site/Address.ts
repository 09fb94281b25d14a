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

/** Services that tell a machine its own secrets, at addresses outside of the link-local ranges. */
const METADATA: ReadonlySet<string> = new Set([...INTERNAL, "100.100.100.200", "fd00:ec2::254"])

/** Ranges of one link, and those that hide an IPv4 address, which may be of one. */
const NEVER = new Set<string>(["linkLocal", "rfc6052", "rfc6145", "6to4", "teredo"])

/**
 * Whether an address must never be connected to, even where private ones are allowed for tests: it is link-local
 * (169.254.0.0/16, fe80::/10), where clouds offer their machines' secrets, a metadata service elsewhere, or no address.
 */
export const isForbiddenAddress = (address: string): boolean => {
  if (address.includes("%") || isIP(address) === 0) return true
  const ip = ipaddr.process(address)
  return NEVER.has(ip.range()) || METADATA.has(ip.toString())
}

/** The ranges of networks of one's own: private (RFC 1918), unique local (RFC 4193) and shared (RFC 6598). */
const NETWORK = new Set<string>(["private", "uniqueLocal", "carrierGradeNat"])

/** Whether an address is of somebody's own network, and offers nothing that must never be connected to. */
export const isNetworkAddress = (address: string): boolean =>
  !isForbiddenAddress(address) && NETWORK.has(ipaddr.process(address).range())

/** This machine's names in URLs and their addresses. No other name counts as this machine. */
export const LOOPBACK_HOSTS: ReadonlyMap<string, string> = new Map([
  ["localhost", "127.0.0.1"],
  ["127.0.0.1", "127.0.0.1"],
  ["[::1]", "::1"]
])

/** A range of addresses, written as CIDR. */
export const isRange = (text: string): boolean => ipaddr.isValidCIDR(text)

/** Whether an address is in one of these ranges. */
export const isWithin = (address: string, ranges: ReadonlyArray<string>): boolean => {
  if (isIP(address) === 0) return false
  const ip = ipaddr.process(address)
  return ranges.some((range) => {
    const [from, bits] = ipaddr.parseCIDR(range)
    return from.kind() === ip.kind() && ip.match(from, bits)
  })
}
