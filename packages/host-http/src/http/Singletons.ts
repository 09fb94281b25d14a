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

/** The singletons that a request holds more than once, from its raw headers (names and values in turn). */
export const repeatedSingletons = (rawHeaders: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = SINGLETONS.get((rawHeaders[index] ?? "").toLowerCase())
    if (name === undefined) continue
    if (seen.has(name)) repeated.add(name)
    seen.add(name)
  }
  return [...repeated]
}
