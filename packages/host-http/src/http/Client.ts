import { isIP } from "node:net"
import type { Exchange } from "./Exchange.js"

const PRIVATE = /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd]|fe[89ab])/i

/** An IPv4 address that came over an IPv6 socket is one. */
const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, "")

/** A household has a whole /64 of IPv6 to itself: its first half names it. */
const named = (address: string): string => {
  if (isIP(address) !== 6) return address
  const [head = "", tail] = address.toLowerCase().split("::")
  const parts = head === "" ? [] : head.split(":")
  const rest = tail === undefined || tail === "" ? [] : tail.split(":")
  const filled = tail === undefined ? parts : [...parts, ...Array(8 - parts.length - rest.length).fill("0"), ...rest]
  return filled.slice(0, 4).join(":")
}

/**
 * Who asks, as far as the network says; good for counting, and for nothing else. Behind a proxy, which is one whose
 * connection comes from a private network, it is whom that proxy names last.
 */
export const clientNamed = (remote: string | undefined, forwardedFor: string | undefined): string => {
  const peer = plain(remote ?? "")
  const forwarded = plain(forwardedFor?.split(",").at(-1) ?? "")
  return named(PRIVATE.test(peer) && isIP(forwarded) !== 0 ? forwarded : peer)
}

export const clientOf = (exchange: Exchange): string =>
  clientNamed(exchange.request.socket.remoteAddress, exchange.header("x-forwarded-for"))
