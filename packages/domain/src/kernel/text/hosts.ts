import { parse } from "tldts"

/** What mail programs don't show, or show as a dot. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const DOTS = /[\u3002\uFF0E\uFF61]/g

const WITH_SCHEME = /[a-z][a-z0-9+.-]{0,30}:\/\/[^\s<>"'`]+/giu
/** Everything that may stand in a domain, in one piece: however many labels it has, its end decides. */
const BARE = /[\p{L}\p{M}\p{N}\p{Extended_Pictographic}_.-]+/gu
/** Four numbers that a path or a port follows. */
const NUMBERS = /^\d{1,3}(?:\.\d{1,3}){3}$/
/** A domain has at most so many characters; of a longer piece its end is the domain that a program may find. */
const HOST_CHARS_MAX = 253

/** Hosts of one link are short; more of the text is not one. */
const LINK_CHARS_MAX = 2_048

const asciiOf = (host: string): string | null => {
  const url = `http://${host}`
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") || null : null
}

const hostOfUrl = (url: string): string | null => {
  const [, authority = ""] = /:\/\/([^/?#\\]*)/.exec(url.slice(0, LINK_CHARS_MAX)) ?? []
  return asciiOf(authority.slice(authority.lastIndexOf("@") + 1))
}

/** Whether a mail program would make a link of it: its end is a public suffix. */
const isHost = (host: string): boolean => {
  const { domain, isIcann } = parse(host, { validateHostname: false })
  return domain !== null && isIcann === true
}

/** The host in a piece of a text. `next`: what follows it. */
const hostOfPiece = (piece: string, next: string): string | null => {
  const bare = piece.replace(/^[._-]+|[._-]+$/g, "").replace(/\.{2,}/g, " ")
  const [written = ""] = bare.slice(-HOST_CHARS_MAX).split(" ").slice(-1)
  if (!written.includes(".")) return null
  const host = asciiOf(written)
  if (host === null) return null
  return isHost(host) || (NUMBERS.test(written) && /[:/]/.test(next)) ? host : null
}

/**
 * The hosts of all links, domains and addresses in a text, in lower-case ASCII (IDNA), each once, in order. A text has
 * one if a mail program might make it a link: `http://…`, `www.acme.com`, `acme.com/x` and `ann@acme.com`.
 */
export const hostsIn = (text: string): ReadonlyArray<string> => {
  // A link needs a dot or a scheme.
  if (!/[.\u3002\uFF0E\uFF61]|:\/\//u.test(text)) return []
  const seen = text.replace(UNSEEN, "").replace(DOTS, ".")
  const found: Array<readonly [at: number, host: string]> = []
  const rest = seen.replace(WITH_SCHEME, (url, at: number) => {
    const host = hostOfUrl(url)
    if (host !== null) found.push([at, host])
    return " ".repeat(url.length)
  })
  for (const match of rest.matchAll(BARE)) {
    const end = match.index + match[0].length
    // What stands before an `@` is no domain.
    const host = rest[end] === "@" ? null : hostOfPiece(match[0], rest.slice(end, end + 1))
    if (host !== null) found.push([match.index, host])
  }
  return [...new Set(found.toSorted(([a], [b]) => a - b).map(([, host]) => host))]
}
