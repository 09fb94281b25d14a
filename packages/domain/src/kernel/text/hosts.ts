import { parse } from "tldts"

/** What mail programs don't show, or show as a dot. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const DOTS = /[\u3002\uFF0E\uFF61]/g

const WITH_SCHEME = /[a-z][a-z0-9+.-]{0,30}:\/\/[^\s<>"'`]+/giu
/** A domain, with what stands before an `@`. */
const BARE =
  /(?:[^\s<>"'`@:/]{1,64}@)?(?:[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}])?\.){1,10}(?:xn--[a-z0-9-]+|[\p{L}\p{M}]{2,63})/giu

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
  const { domain, isIcann } = parse(host)
  return domain !== null && isIcann === true
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
    const host = asciiOf(match[0].slice(match[0].lastIndexOf("@") + 1))
    if (host !== null && isHost(host)) found.push([match.index, host])
  }
  return [...new Set(found.toSorted(([a], [b]) => a - b).map(([, host]) => host))]
}
