/** Reads the names of hosts: of addresses, of domains and of URLs. */
import { Result } from "effect"
import { decode } from "punycode/punycode.es6.js"

/** Most characters of a host, and of each of its labels (RFC 1035 §2.3.4). */
export const HOST_CHARS_MAX = 253
const LABEL_CHARS_MAX = 63

/**
 * A host as it usually comes: ASCII labels, the last one no number. It is its own IDNA form. `--` may begin an encoded
 * label, so it is left to the parser.
 */
const PLAIN_HOST = /^(?!.*--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

/** The same in the form that the parser gives. Hosts may have underscores, domains of mail may not. */
const ENCODED_HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** What no reader shows, beside joiners between letters of other scripts: IDNA judges those. */
const UNSEEN = /(?<![^\p{ASCII}])[\u200C\u200D]|(?![\u200C\u200D])[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu

/** What IDNA reads as a dot. */
const DOTS = /[\u3002\uFF0E\uFF61]/g

/** What a parser of URLs would take away, or take for something else. The first that occurs is named. */
const SWALLOWED: ReadonlyArray<readonly [sign: RegExp, flaw: string]> = [
  [/[\t\n\v\f\r\u0085\u2028\u2029]/, "has a line break or a tab in it"],
  [/\p{Cc}/u, "has a control character in it"],
  [/\s/, "has a space in it"],
  [/^\[/, "is an IP address"],
  [/@/, 'has an "@" in it'],
  [/:/, 'has a ":" in it, as before a port'],
  [/[/\\]/, "has a slash in it, as before a path"],
  [/\?/, 'has a "?" in it'],
  [/#/, 'has a "#" in it'],
  [/%/, 'has a "%" in it'],
  [/[()]/, "has a remark in brackets"]
]

/** Letters and digits of any script, and the few signs that IDNA takes between them. */
const FOREIGN = /[^\p{L}\p{M}\p{N}._\u00B7\u0375\u05F3\u05F4\u30FB\p{Join_Control}-]/u

const NO_NAME = "is no name that a host can have (IDNA)"
const LONG_LABEL = `has a part of more than ${LABEL_CHARS_MAX} characters`
const LONG = `has more than ${HOST_CHARS_MAX} characters`

const flawOf = (text: string): string | null => {
  if (text === "") return "is missing"
  if (text.endsWith(".")) return "ends with a dot"
  const labels = text.split(".")
  if (labels.includes("")) return "has two dots in a row, or begins with one"
  if (labels.some((label) => /^-|-$/.test(label))) return "has a part that begins or ends with a hyphen"
  // A parser of URLs makes an IP address of it, in decimal, octal or hexadecimal.
  if (/^(?:\d+|0x[0-9a-f]*)$/i.test(labels.at(-1) ?? "")) return "is an IP address or a number"
  const foreign = FOREIGN.exec(text)?.[0]
  if (foreign !== undefined) return `has ${foreign === '"' ? "a quotation mark" : `"${foreign}"`} in it`
  if (labels.length < 2) return "has no dot"
  if (!/^\p{ASCII}*$/u.test(text)) return null
  if (labels.some((label) => label.length > LABEL_CHARS_MAX)) return LONG_LABEL
  return text.length > HOST_CHARS_MAX ? LONG : null
}

const ENCODED_LABEL = /^xn--(.+)$/

/** Parsers of URLs leave encoded labels as they are. This one is the form of a name that IDNA takes. */
const isEncoding = (label: string): boolean => {
  const [, encoded] = ENCODED_LABEL.exec(label) ?? []
  if (encoded === undefined) return true
  const named = Result.getOrUndefined(Result.try(() => new URL(`http://${decode(encoded)}`).hostname))
  return named === label
}

/**
 * The name in lower-case ASCII (IDNA), or what is wrong with it, as words after "its domain". Strict: it takes nothing
 * away but what nobody sees, so it never is a name that the writer did not mean. `underscores`: names of hosts that
 * receive no mail may have them.
 */
export const readHost = (input: string, underscores = false): Result.Result<string, string> => {
  if (input.length <= HOST_CHARS_MAX && PLAIN_HOST.test(input)) return Result.succeed(input.toLowerCase())
  if (input.length > 8 * HOST_CHARS_MAX) return Result.fail(LONG)
  const swallowed = SWALLOWED.find(([sign]) => sign.test(input))
  if (swallowed !== undefined) return Result.fail(swallowed[1])
  const text = input.normalize("NFKC").replace(UNSEEN, "").replace(DOTS, ".")
  const flaw = flawOf(text) ?? (text.includes("_") && !underscores ? "has an underscore in it" : null)
  if (flaw !== null) return Result.fail(flaw)
  const url = `http://${text}`
  const host = URL.canParse(url) ? new URL(url).hostname : ""
  if (host.length > HOST_CHARS_MAX) return Result.fail(LONG)
  if (host.split(".").some((label) => label.length > LABEL_CHARS_MAX)) return Result.fail(LONG_LABEL)
  return ENCODED_HOST.test(host) && host.split(".").every(isEncoding) ? Result.succeed(host) : Result.fail(NO_NAME)
}
