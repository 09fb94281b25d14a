/** Headers that a request may hold once. Node would keep one of several or join them, and so decide who asks for what. */
const SINGLETONS: ReadonlyMap<string, string> = new Map(
  [
    "Host",
    "Authorization",
    "Content-Type",
    "Content-Length",
    "Content-Encoding",
    "Idempotency-Key",
    "Svc-Run-Id",
    "Origin",
    "Traceparent",
    "Mcp-Protocol-Version",
    "Mcp-Session-Id",
    "Mcp-Method",
    "Mcp-Name"
  ].map((name) => [name.toLowerCase(), name])
)

const NONE: ReadonlyArray<string> = []

/** Every singleton's header and its bit in a set. */
const BITS: ReadonlyMap<string, number> = new Map([...SINGLETONS.keys()].map((name, index) => [name, 1 << index]))

/** The singletons that a request holds more than once, from its raw headers (names and values in turn). */
export const repeatedSingletons = (rawHeaders: ReadonlyArray<string>): ReadonlyArray<string> => {
  let seen = 0
  let repeated = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const bit = BITS.get((rawHeaders[index] ?? "").toLowerCase()) ?? 0
    repeated |= seen & bit
    seen |= bit
  }
  if (repeated === 0) return NONE
  // In the order of their first repetition.
  const found = new Set<string>()
  let again = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase()
    const bit = BITS.get(name) ?? 0
    if ((again & bit) !== 0) found.add(SINGLETONS.get(name) ?? name)
    again |= bit
  }
  return [...found]
}
