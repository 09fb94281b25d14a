/** Longest redirect address we accept. */
const URI_CHARS_MAX = 1_000

/** Refuses characters that browsers interpret differently. */
const PRINTABLE = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** A program on the user's own machine (RFC 8252 §7.3), and the path after its port. */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?((?:[/?].*)?)$/

export const isLoopback = (uri: string): boolean => LOOPBACK.test(uri)

/**
 * A scheme that a program has for itself, with a path (RFC 8252 §7.1): `com.example.app:/back`, `com.example.app:///back`,
 * `editor://back`. Many
 * programs' schemes have no dot, although the RFC asks for one.
 */
const PRIVATE = /^([a-z][a-z0-9+.-]*):\/{1,3}[^/]/i

/**
 * What browsers, mail programs and systems open themselves: no program has these for itself. The last lines are the permanent
 * schemes of IANA's registry that aren't among the others.
 */
const TAKEN = new Set(
  [
    "http https ws wss ftp ftps sftp ssh telnet file smb nfs ldap ldaps javascript vbscript data blob",
    "about filesystem view-source jar resource chrome chrome-extension moz-extension edge intent content",
    "urn cid mid ms-msdt search-ms mailto tel sms sip sips callto facetime geo magnet feed news nntp irc",
    "market itms itms-apps itms-appss itms-services itms-books itmss steam git svn",
    "aaa aaas acap acct cap coap coap+tcp coap+ws coaps coaps+tcp coaps+ws crid dav dict dns drop dtn example go gopher",
    "h323 iax icap im imap info ipn ipp ipps iris iris.beep iris.lwz iris.xpc iris.xpcs jabber leaptofrogans msrp msrps mt",
    "mtqp mupdate ni nih opaquelocktoken pkcs11 pop pres reload rtsp rtsps rtspu service session shttp sieve sndfilespec",
    "snmp soap.beep soap.beeps stun stuns tag tftp thismessage tip tn3270 turn turns tv vemmi vnc xcon xcon-userid",
    "xmlrpc.beep xmlrpc.beeps xmpp z39.50r z39.50s"
  ].flatMap((line) => line.split(" "))
)

/** The scheme of a program's own, or null. */
const privateScheme = (uri: string): string | null => {
  const scheme = PRIVATE.exec(uri)?.[1]?.toLowerCase()
  return scheme === undefined || TAKEN.has(scheme) ? null : scheme
}

/** Whether a code may be sent there: HTTPS or a program on the user's own machine, without a fragment. */
export const isUsableRedirect = (uri: string): boolean => {
  if (uri.length > URI_CHARS_MAX || !PRINTABLE.test(uri) || uri.includes("#") || !URL.canParse(uri)) return false
  const { password, protocol, username } = new URL(uri)
  if (username !== "" || password !== "") return false
  return protocol === "https:" || isLoopback(uri) || privateScheme(uri) !== null
}

/** Where an answer goes, for the person who decides: a host, or a program on their machine. */
export type Destination =
  | { readonly _tag: "Loopback" }
  | { readonly _tag: "Program"; readonly scheme: string }
  | { readonly _tag: "Host"; readonly host: string }

export const destinationOf = (uri: string): Destination => {
  if (isLoopback(uri)) return { _tag: "Loopback" }
  const scheme = privateScheme(uri)
  return scheme === null ? { _tag: "Host", host: new URL(uri).host } : { _tag: "Program", scheme }
}

/** An origin alone and one with `/` are the same address (RFC 3986 §6.2.3), and libraries add the slash. */
const withPath = (uri: string): string => (/^https?:\/\/[^/?]+$/i.test(uri) ? `${uri}/` : uri)

export const isSameRedirect = (one: string, other: string): boolean => withPath(one) === withPath(other)

const sameButForPort = (one: string, other: string): boolean => {
  const [a, b] = [LOOPBACK.exec(withPath(one)), LOOPBACK.exec(withPath(other))]
  return a !== null && b !== null && a[1] === b[1] && a[2] === b[2]
}

/** Exact match with a registered address. Only a loopback port may differ. */
export const isRegistered = (registered: ReadonlyArray<string>, given: string): boolean =>
  isUsableRedirect(given) && registered.some((one) => isSameRedirect(one, given) || sameButForPort(one, given))

/** Adds an answer's parameters to the address. */
export const answerAt = (redirectUri: string, parameters: Readonly<Record<string, string | null>>): string => {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null)
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(given).toString()}`
}
