import type { Random } from "effect"

/** The state has 64 bits. */
const MASK = 0xffff_ffff_ffff_ffffn
const FACTOR = 0x5851_f42d_4c95_7f2dn
const STEP = 0x1405_7b7e_f767_814fn

/** Chance that a seed settles: numbers by PCG-XSH-RR, which are the same for the same seed on every machine. */
export class Chance implements Random.Random {
  #state = 0n

  constructor(seed: number) {
    this.#next()
    this.#state = (this.#state + BigInt(seed >>> 0)) & MASK
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

  /** The next 32 bits. */
  #next(): number {
    const state = this.#state
    this.#state = (state * FACTOR + STEP) & MASK
    const bits = Number((((state >> 18n) ^ state) >> 27n) & 0xffff_ffffn)
    const turn = Number(state >> 59n)
    return ((bits >>> turn) | (bits << (-turn & 31))) >>> 0
  }
}
