import type { Random } from "effect"

/** The factor and the step of 64 bits, in halves: whole numbers of that length cost ten times as much. */
const FACTOR = { high: 0x5851_f42d, low: 0x4c95_7f2d } as const
const STEP = { high: 0x1405_7b7e, low: 0xf767_814f } as const
const HALF = 2 ** 32

/** The upper 32 bits of a product of two whole numbers of 32 bits. */
const upperOf = (one: number, other: number): number => {
  const [a, b, c, d] = [one >>> 16, one & 0xffff, other >>> 16, other & 0xffff]
  const middle = a * d + ((b * d) >>> 16)
  const rest = b * c + (middle & 0xffff)
  return a * c + (middle >>> 16) + (rest >>> 16)
}

/** Chance that a seed settles: numbers by PCG-XSH-RR, which are the same for the same seed on every machine. */
export class Chance implements Random.Random {
  /** The state has 64 bits. */
  #high = 0
  #low = 0

  constructor(seed: number) {
    this.#next()
    this.#add(0, seed >>> 0)
    this.#next()
  }

  /** From 0, and below this. */
  integer(below: number): number {
    return this.nextIntUnsafe() % below
  }

  /** A number from 0 to below 1, of 53 bits. */
  nextDoubleUnsafe(): number {
    const high = this.#next() & 0x3ff_ffff
    const low = this.#next() & 0x7ff_ffff
    return (high * 2 ** 27 + low) / 2 ** 53
  }

  nextIntUnsafe(): number {
    return Math.round(this.nextDoubleUnsafe() * Number.MAX_SAFE_INTEGER)
  }

  #add(high: number, low: number): void {
    const sum = this.#low + low
    this.#low = sum >>> 0
    this.#high = (this.#high + high + (sum >= HALF ? 1 : 0)) >>> 0
  }

  /** The next 32 bits. */
  #next(): number {
    const [high, low] = [this.#high, this.#low]
    this.#low = Math.imul(low, FACTOR.low) >>> 0
    this.#high = (upperOf(low, FACTOR.low) + Math.imul(low, FACTOR.high) + Math.imul(high, FACTOR.low)) >>> 0
    this.#add(STEP.high, STEP.low)
    const bits = ((high ^ (high >>> 18)) << 5) | ((low ^ ((high << 14) | (low >>> 18))) >>> 27)
    const turn = high >>> 27
    return ((bits >>> turn) | (bits << (-turn & 31))) >>> 0
  }
}
