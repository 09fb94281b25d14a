/** Longest redirect address we accept. */
const URI_CHARS_MAX = 1_000

/** Refuses characters that browsers interpret differently. */
const PRINTABLE = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** A program on the user's own machine (RFC 8252 §7.3), and the path after its port. */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?((?:[/?].*)?)$/

export const isLoopback = (uri: string): boolean => LOOPBACK.test(uri)

/** Whether a code may be sent there: HTTPS or the user's own machine, without a fragment. */
export const isUsableRedirect = (uri: string): boolean => {
  if (uri.length > URI_CHARS_MAX || !PRINTABLE.test(uri) || uri.includes("#") || !URL.canParse(uri)) return false
  const { password, protocol, username } = new URL(uri)
  return username === "" && password === "" && (protocol === "https:" || isLoopback(uri))
}

const sameButForPort = (one: string, other: string): boolean => {
  const [a, b] = [LOOPBACK.exec(one), LOOPBACK.exec(other)]
  return a !== null && b !== null && a[1] === b[1] && a[2] === b[2]
}

/** Exact match with a registered address. Only a loopback port may differ. */
export const isRegistered = (registered: ReadonlyArray<string>, given: string): boolean =>
  isUsableRedirect(given) && registered.some((one) => one === given || sameButForPort(one, given))

/** Adds an answer's parameters to the address. */
export const answerAt = (redirectUri: string, parameters: Readonly<Record<string, string | null>>): string => {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null)
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(given).toString()}`
}
