import type { LookupAddress } from "node:dns"
import type { LookupFunction } from "node:net"
import type { Gate } from "./Gate.js"

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
