import { BlockList, isIP } from "node:net"

/** Unwraps an IPv4 address on an IPv6 socket. */
const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, "")

/** The first half of an IPv6 address: a household has a whole /64. */
const named = (address: string): string => {
  if (isIP(address) !== 6) return address
  const [head = "", tail] = address.toLowerCase().split("::")
  const parts = head === "" ? [] : head.split(":")
  const rest = tail === undefined || tail === "" ? [] : tail.split(":")
  const filled = tail === undefined ? parts : [...parts, ...Array(8 - parts.length - rest.length).fill("0"), ...rest]
  return filled
    .slice(0, 4)
    .map((part) => part.replace(/^0+(?=.)/, ""))
    .join(":")
}

/** An address or a CIDR range, or null. */
export const rangeOf = (text: string): { readonly address: string; readonly bits: number } | null => {
  const [address = "", bits, ...more] = text.split("/")
  const family = isIP(address)
  const bitsMax = family === 4 ? 32 : 128
  const length = bits === undefined ? bitsMax : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
  return family === 0 || more.length > 0 || length < 0 || length > bitsMax ? null : { address, bits: length }
}

/** Names clients by their network address, for limits only. A proxy's word counts only if it is configured. */
export class Addresses {
  readonly #proxies = new BlockList()
  readonly #hasProxies: boolean

  constructor(proxies: ReadonlyArray<string>) {
    this.#hasProxies = proxies.length > 0
    for (const range of proxies.map(rangeOf)) {
      if (range !== null)
        this.#proxies.addSubnet(range.address, range.bits, isIP(range.address) === 4 ? "ipv4" : "ipv6")
    }
  }

  isProxy(remote: string | undefined): boolean {
    if (!this.#hasProxies) return false
    const address = plain(remote ?? "")
    const family = isIP(address)
    return family !== 0 && this.#proxies.check(address, family === 4 ? "ipv4" : "ipv6")
  }

  /** The peer itself. */
  peer(remote: string | undefined): string {
    return named(plain(remote ?? ""))
  }

  /** The client: the peer, or the last address that is no proxy's in what a proxy has forwarded. */
  client(remote: string | undefined, forwardedFor: string | undefined): string {
    if (!this.isProxy(remote)) return this.peer(remote)
    const hops = (forwardedFor ?? "").split(",").map(plain)
    for (const hop of hops.toReversed()) {
      if (isIP(hop) === 0) break
      if (!this.isProxy(hop)) return named(hop)
    }
    return this.peer(remote)
  }
}
