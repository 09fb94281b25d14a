import { isIP, type LookupFunction } from "node:net"
import { isPublicAddress, LOOPBACK_HOSTS } from "./Address.js"
import type { Gate } from "./Gate.js"
import type { LookupAddress } from "node:dns"

/** The time per address of a host; the platform's quarter of a second is too short for distant ones. */
export const CONNECTING = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 }

/** A connection's name lookup through a gate: only allowed addresses are connected to. */
export const lookupThrough = (gate: Pick<Gate, "addresses">, port: number): LookupFunction => {
  const answer = async (hostname: string, all: boolean, callback: Parameters<LookupFunction>[2]) => {
    let addresses: ReadonlyArray<LookupAddress>
    try {
      addresses = await gate.addresses(hostname, port)
    } catch (cause) {
      return callback(cause as NodeJS.ErrnoException, [])
    }
    if (all) return callback(null, [...addresses])
    const [first] = addresses
    return callback(null, first?.address ?? "", first?.family ?? 4)
  }
  return (hostname, { all }, callback) => void answer(hostname, all === true, callback)
}

/** The way to a host: the addresses that a connection may use. */
export type Door = Pick<Gate, "addresses">

/**
 * The way to a host that a person named: its public addresses, or this machine where the user runs the service
 * themselves. Null: we must not request it.
 */
export const doorTo = (url: URL, isAtHome: boolean, gate: Door): Door | null => {
  const own = isAtHome ? LOOPBACK_HOSTS.get(url.hostname) : undefined
  if (own !== undefined) return { addresses: () => Promise.resolve([{ address: own, family: isIP(own) }]) }
  // A literal address is connected to without a look-up, so check it here.
  const literal = url.hostname.replace(/^\[|\]$/g, "")
  return url.protocol === "https:" && (isIP(literal) === 0 || isPublicAddress(literal)) ? gate : null
}
