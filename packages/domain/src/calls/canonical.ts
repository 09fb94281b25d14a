/** A JSON value. */
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

/** What makes a dry run, an unconfirmed and a confirmed call the same request. */
const UNBOUND_FIELDS = new Set(["dry_run", "confirmation_token", "offer_token"])

/** The canonical request without `dry_run` and tokens. */
export const canonicalRequest = (body: JsonObject): string =>
  canonicalJson(Object.fromEntries(Object.entries(body).filter(([key]) => !UNBOUND_FIELDS.has(key))))

/** Deeper than any request of a verb. */
const DEPTH_MAX = 64

/** What no store could keep of a value. */
export interface Unkeepable {
  readonly path: string
  readonly message: string
}

/** The first string or key that holds U+0000, or what is nested without measure; null where there is neither. */
export const unkeepable = (value: Json, path: ReadonlyArray<string> = []): Unkeepable | null => {
  const nul = { path: path.join("."), message: "must not contain U+0000" }
  if (typeof value === "string") return value.includes("\u0000") ? nul : null
  if (value === null || typeof value !== "object") return null
  if (path.length > DEPTH_MAX) return { path: path[0] ?? "", message: `is nested deeper than ${DEPTH_MAX} levels` }
  for (const [key, member] of Object.entries(value)) {
    if (key.includes("\u0000")) return nul
    const found = unkeepable(member as Json, [...path, key])
    if (found !== null) return found
  }
  return null
}
