import { isIP } from "node:net"
import type { Exchange } from "./Exchange.js"

const PRIVATE = /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd]|fe[89ab])/i

/** Unwraps an IPv4 address on an IPv6 socket. */
const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, "")

/** The first half of an IPv6 address: a household has a whole /64. */
const named = (address: string): string => {
  if (isIP(address) !== 6) return address
  const [head = "", tail] = address.toLowerCase().split("::")
  const parts = head === "" ? [] : head.split(":")
  const rest = tail === undefined || tail === "" ? [] : tail.split(":")
  const filled = tail === undefined ? parts : [...parts, ...Array(8 - parts.length - rest.length).fill("0"), ...rest]
  return filled.slice(0, 4).join(":")
}

/**
 * The client's network address, for rate limits only. If the connection comes from a private network, that is a proxy, and
 * the client is the last address that it names.
 */
export const clientNamed = (remote: string | undefined, forwardedFor: string | undefined): string => {
  const peer = plain(remote ?? "")
  const forwarded = plain(forwardedFor?.split(",").at(-1) ?? "")
  return named(PRIVATE.test(peer) && isIP(forwarded) !== 0 ? forwarded : peer)
}

export const clientOf = (exchange: Exchange): string =>
  clientNamed(exchange.request.socket.remoteAddress, exchange.header("x-forwarded-for"))
