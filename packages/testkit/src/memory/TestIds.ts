import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { Layer } from "effect"

const COUNTER_BITS = 32n
const SEED_BITS = 42n
const mask = (bits: bigint): bigint => (1n << bits) - 1n

/**
 * UUIDv7s without chance: the time, a counter that orders those of one millisecond, and a seed that keeps the ids of
 * several sources apart.
 */
export const makeTestIds = (seed = 0n): Ids["Service"] => {
  let counter = 0n
  return {
    next: (atMillis) => {
      const low = ((counter & mask(COUNTER_BITS)) << SEED_BITS) | (seed & mask(SEED_BITS))
      counter += 1n
      // 48 bits of time, the version, 12 bits, the variant, 62 bits (RFC 9562).
      const bits =
        ((BigInt(atMillis) & mask(48n)) << 80n) | (7n << 76n) | ((low >> 62n) << 64n) | (2n << 62n) | (low & mask(62n))
      const hex = bits.toString(16).padStart(32, "0")
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
    }
  }
}

export const layer: Layer.Layer<Ids> = Layer.sync(Ids, () => makeTestIds())
