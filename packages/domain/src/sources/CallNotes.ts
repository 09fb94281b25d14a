import type { JsonObject } from "../kernel/canonical.js"
import type { VendorCost } from "./VendorCost.js"

/** The most that is kept of one call. Of one vendor's unit: a thousand million, and a million dollars. */
export const COSTS_MAX = 64
export const AMOUNT_MAX = 1_000_000_000
export const MICROS_MAX = 1_000_000_000_000
export const EVIDENCE_MAX = 32
export const EVIDENCE_CHARS_MAX = 2_000
export const EVIDENCE_CHARS_IN_ALL_MAX = 16_000

/** What one vendor charged for a call, of one of its units. */
export interface NotedCost extends VendorCost {
  /** How many answers it charged for. */
  readonly answers: number
}

/** What an answer of a call rests on. */
export interface NotedEvidence {
  readonly source: string
  readonly facts: JsonObject
}

/** As they are kept with the record of a call: JSON texts. */
export interface KeptNotes {
  readonly costs: string | null
  readonly evidence: string | null
}

/** An address, its local part quoted or not, or what is left of one that was cut. */
const ADDRESS = /(?:"[^"\n]{1,320}"|[^\s"'<>()[\]:;,\\]{1,320})@[^\s"'<>()[\]:;,\\]{0,255}/g
const UNSTORABLE = /[\0\p{Surrogate}]/gu

const cleanText = (text: string): string =>
  text.length > EVIDENCE_CHARS_MAX ? "[too long]" : text.replace(UNSTORABLE, "\uFFFD").replace(ADDRESS, "[address]")

/** Nobody is named by what is kept, and every store can hold it: erasing a person need not look here. */
const cleaned = (_key: string, value: unknown): unknown => {
  if (typeof value === "string") return cleanText(value)
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [cleanText(name), member]))
}

/** Takes note, for one call, of what its answers cost and rest on. Bounded: what is more is left out. */
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

  /** Null where there is nothing to keep. */
  kept(): KeptNotes | null {
    if (this.#costs.size === 0 && this.#evidence.length === 0) return null
    return {
      costs: this.#costs.size === 0 ? null : JSON.stringify([...this.#costs.values()], cleaned),
      evidence: this.#evidence.length === 0 ? null : `[${this.#evidence.join(",")}]`
    }
  }
}
