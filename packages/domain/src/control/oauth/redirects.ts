/** Longer ones are not taken. */
const URI_CHARS_MAX = 1_000

/** What browsers would read differently from how it is written is not taken. */
const PRINTABLE = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** A program on the user's own machine (RFC 8252 §7.3), and what stands behind its port. */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?((?:[/?].*)?)$/

export const isLoopback = (uri: string): boolean => LOOPBACK.test(uri)

/** Where a code may be sent: over HTTPS, or to the user's own machine; nothing that a fragment could be added to. */
export const isUsableRedirect = (uri: string): boolean => {
  if (uri.length > URI_CHARS_MAX || !PRINTABLE.test(uri) || uri.includes("#") || !URL.canParse(uri)) return false
  const { password, protocol, username } = new URL(uri)
  return username === "" && password === "" && (protocol === "https:" || isLoopback(uri))
}

const sameButForPort = (one: string, other: string): boolean => {
  const [a, b] = [LOOPBACK.exec(one), LOOPBACK.exec(other)]
  return a !== null && b !== null && a[1] === b[1] && a[2] === b[2]
}

/** Letter by letter one of those that the client named; a program on the user's machine may listen on any port. */
export const isRegistered = (registered: ReadonlyArray<string>, given: string): boolean =>
  isUsableRedirect(given) && registered.some((one) => one === given || sameButForPort(one, given))

/** The address with an answer's parameters behind those that it has. */
export const answerAt = (redirectUri: string, parameters: Readonly<Record<string, string | null>>): string => {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null)
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(given).toString()}`
}
