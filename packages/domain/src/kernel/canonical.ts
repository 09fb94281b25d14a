import { textFlaw } from "./text.js"

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

export type JsonObject = { readonly [key: string]: Json }

/** JSON with its keys sorted and no white space: equal values have equal text (as RFC 8785). */
export const canonicalJson = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (value !== null && typeof value === "object") {
    const object = value as JsonObject
    const members = Object.keys(object)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key] as Json)}`)
    return `{${members.join(",")}}`
  }
  return JSON.stringify(value)
}

/** Fields left out, so that a dry run, an unconfirmed and a confirmed call are the same request. */
const UNBOUND_FIELDS = new Set(["dry_run", "confirmation_token", "offer_token"])

/** The canonical request without `dry_run` and tokens. */
export const canonicalRequest = (body: JsonObject): string =>
  canonicalJson(Object.fromEntries(Object.entries(body).filter(([key]) => !UNBOUND_FIELDS.has(key))))

/** No verb's request nests this deep. */
const DEPTH_MAX = 64

/** Why a value can't be stored. */
export interface Unkeepable {
  readonly path: string
  readonly message: string
}

const TOO_DEEP = `must not be nested deeper than ${DEPTH_MAX} levels`

/** `path` is built on the way back, since most inputs have no flaw. */
interface Flaw {
  readonly path: Array<string>
  readonly message: string
}

const flawOf = (text: string): Flaw | null => {
  const message = textFlaw(text)
  return message === null ? null : { path: [], message }
}

const flawIn = (value: Json, depth: number): Flaw | null => {
  if (typeof value === "string") return flawOf(value)
  if (value === null || typeof value !== "object") return null
  if (depth > DEPTH_MAX) return { path: [], message: TOO_DEEP }
  for (const key of Object.keys(value)) {
    const ofKey = flawOf(key)
    if (ofKey !== null) return ofKey
    const found = flawIn((value as JsonObject)[key] as Json, depth + 1)
    if (found !== null) {
      found.path.unshift(key)
      return found
    }
  }
  return null
}

/** The first string or key that is no text we can store, or the first value nested too deep. Null: it can be stored. */
export const unkeepable = (value: Json): Unkeepable | null => {
  const found = flawIn(value, 0)
  if (found === null) return null
  return { path: (found.message === TOO_DEEP ? found.path.slice(0, 1) : found.path).join("."), message: found.message }
}

/** Whether the value holds more than `valuesMax` values, itself included. */
export const isLarger = (value: Json, valuesMax: number): boolean => {
  // A work list, not recursion: input may be nested deeper than the stack.
  const waiting: Array<Json> = [value]
  let seen = 0
  while (waiting.length > 0 && seen + waiting.length <= valuesMax) {
    const one = waiting.pop()
    seen += 1
    if (one === null || typeof one !== "object") continue
    for (const member of Object.values(one)) {
      if (waiting.push(member as Json) > valuesMax) return true
    }
  }
  return waiting.length > 0
}
