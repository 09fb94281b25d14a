import { isJsonObject } from "../VendorHttp.js"

/** A partly valid value: any part may be missing. */
export type Salvaged<T> =
  T extends ReadonlyArray<infer One>
    ? ReadonlyArray<Salvaged<One> | undefined>
    : T extends object
      ? { readonly [K in keyof T]?: Salvaged<T[K]> | undefined }
      : T

/**
 * Removes the invalid places from a value, so that one mistake hides no other. List items keep their positions. `at`:
 * the value's own place.
 */
export const salvaged = (value: unknown, places: ReadonlySet<string>, at = ""): unknown => {
  if (places.has(at)) return undefined
  const below = (name: string | number) => (at === "" ? String(name) : `${at}.${name}`)
  if (Array.isArray(value)) return value.map((one: unknown, index) => salvaged(one, places, below(index)))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, salvaged(one, places, below(name))]))
}
