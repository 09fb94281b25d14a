import type { JsonObject } from "../kernel/canonical.js"
import type { VendorCost } from "./VendorCost.js"

/** Limits of what one call keeps. Per vendor and unit: 10^9 units, and a million dollars. */
export const COSTS_MAX = 64
export const AMOUNT_MAX = 1_000_000_000
export const MICROS_MAX = 1_000_000_000_000
export const EVIDENCE_MAX = 32
export const EVIDENCE_CHARS_MAX = 2_000
export const EVIDENCE_CHARS_IN_ALL_MAX = 16_000

/** The cost of one vendor's answers in a call, in one unit. */
export interface NotedCost extends VendorCost {
  /** The number of charged answers. */
  readonly answers: number
}

/** The facts behind an answer of a call. */
export interface NotedEvidence {
  readonly source: string
  readonly facts: JsonObject
}

/** JSON texts, stored with the call's record. */
export interface KeptNotes {
  readonly costs: string | null
  readonly evidence: string | null
}

/** An address, its local part quoted or not, or the rest of a truncated one. */
const ADDRESS = /(?:"[^"\n]{1,320}"|[^\s"'<>()[\]:;,\\]{1,320})@[^\s"'<>()[\]:;,\\]{0,255}/g
const UNSTORABLE = /[\0\p{Surrogate}]/gu

const cleanText = (text: string): string =>
  text.length > EVIDENCE_CHARS_MAX ? "[too long]" : text.replace(UNSTORABLE, "\uFFFD").replace(ADDRESS, "[address]")

/** Removes addresses and what stores can't hold, so that erasure need not look here. */
const cleaned = (_key: string, value: unknown): unknown => {
  if (typeof value === "string") return cleanText(value)
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [cleanText(name), member]))
}

/** Collects the costs and evidence of one call's answers. Bounded: the excess is dropped. */
export class CallNotes {
  readonly #costs = new Map<string, NotedCost>()
  readonly #evidence: Array<string> = []
  #chars = 0

  spend({ amount, micros, unit, vendor }: VendorCost): void {
    if (!Number.isFinite(amount) || !Number.isFinite(micros) || amount < 0 || micros < 0) return
    const key = `${vendor} ${unit}`
    const before = this.#costs.get(key)
    if (before === undefined && this.#costs.size >= COSTS_MAX) return
    this.#costs.set(key, {
      vendor,
      unit,
      amount: Math.min((before?.amount ?? 0) + amount, AMOUNT_MAX),
      micros: Math.min((before?.micros ?? 0) + Math.round(micros), MICROS_MAX),
      answers: (before?.answers ?? 0) + 1
    })
  }

  witness(source: string, facts: JsonObject): void {
    const text = JSON.stringify({ source, facts }, cleaned)
    const isTooMuch =
      text.length > EVIDENCE_CHARS_MAX ||
      this.#chars + text.length > EVIDENCE_CHARS_IN_ALL_MAX ||
      this.#evidence.length >= EVIDENCE_MAX
    if (isTooMuch) return
    this.#chars += text.length
    this.#evidence.push(text)
  }

  /** Null if there is nothing to keep. */
  kept(): KeptNotes | null {
    if (this.#costs.size === 0 && this.#evidence.length === 0) return null
    return {
      costs: this.#costs.size === 0 ? null : JSON.stringify([...this.#costs.values()], cleaned),
      evidence: this.#evidence.length === 0 ? null : `[${this.#evidence.join(",")}]`
    }
  }
}
