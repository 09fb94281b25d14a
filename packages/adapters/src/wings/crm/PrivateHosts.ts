import { BlockList, isIP } from "node:net"
import { isNetworkAddress, LOOPBACK_HOSTS } from "../../site/Address.js"

/** The hosts of private networks that the operator lets CRMs be at. */
export interface PrivateHosts {
  /** Whether the host is listed as a URL writes it: by its name, or as an address in a range. */
  readonly isListed: (hostname: string) => boolean
  /** Whether a connection to the host may use the address, although it isn't public. */
  readonly allows: (hostname: string, address: string) => boolean
}

const LOOPBACK: ReadonlySet<string> = new Set(LOOPBACK_HOSTS.values())

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 4 ? "ipv4" : "ipv6")

/**
 * Of host names, addresses and CIDR ranges. A listed name may lead anywhere within private networks. To this machine
 * leads only what is listed by its address, or as `localhost`; to services with a machine's secrets leads nothing.
 */
export const privateHostsOf = (entries: ReadonlyArray<string>): PrivateHosts => {
  const names = new Set<string>()
  const ranges = new BlockList()
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/")
    const family = familyOf(address)
    if (isIP(address) === 0) names.add(entry.toLowerCase())
    else ranges.addSubnet(address, bits === undefined ? (family === "ipv4" ? 32 : 128) : Number(bits), family)
  }
  const isInRange = (address: string): boolean =>
    (isNetworkAddress(address) || LOOPBACK.has(address)) && ranges.check(address, familyOf(address))

  return {
    isListed: (hostname) => {
      const literal = hostname.replace(/^\[|\]$/g, "")
      return isIP(literal) === 0 ? names.has(hostname) : isInRange(literal)
    },
    allows: (hostname, address) => isInRange(address) || (names.has(hostname) && isNetworkAddress(address))
  }
}
