import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { Layer } from "effect"
import { randomFillSync } from "node:crypto"

/** A clock set back by up to this stands still instead. One set back further is followed. */
const CLOCK_BACK_MILLIS_MAX = 10_000

const TAIL_BITS = 74n
const POOL_BYTES = 4_096
const DRAW_BYTES = 10

const mask = (bits: bigint): bigint => (1n << bits) - 1n

/** Random unsigned integers, from bytes fetched in pages. */
const makeDraw = () => {
  const pool = Buffer.allocUnsafe(POOL_BYTES)
  let at = POOL_BYTES
  return (bits: bigint): bigint => {
    if (at + DRAW_BYTES > POOL_BYTES) {
      randomFillSync(pool)
      at = 0
    }
    const drawn = (BigInt(pool.readUInt16BE(at)) << 64n) | pool.readBigUInt64BE(at + 2)
    at += DRAW_BYTES
    return drawn & mask(bits)
  }
}

/**
 * UUIDv7s (RFC 9562): 48 bits of time and 74 bits drawn for each millisecond. Within a millisecond they grow by a
 * random step, so a process's ids are ordered and unguessable. The highest random bit starts as zero, so no millisecond
 * can overflow.
 */
export const makeNodeIds = (): Ids["Service"] => {
  const draw = makeDraw()
  let millis = -1
  let tail = 0n
  return {
    next: (atMillis) => {
      const isBack = atMillis <= millis && millis - atMillis <= CLOCK_BACK_MILLIS_MAX
      tail = isBack ? tail + 1n + draw(32n) : draw(TAIL_BITS - 1n)
      millis = isBack ? millis : atMillis
      const high = ((BigInt(millis) & mask(48n)) << 16n) | 0x7000n | (tail >> 62n)
      const low = (2n << 62n) | (tail & mask(62n))
      const hex = high.toString(16).padStart(16, "0") + low.toString(16)
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    }
  }
}

export const layer: Layer.Layer<Ids> = Layer.sync(Ids, makeNodeIds)
