import { ParseResult, Schema } from "effect"
import { getDomain } from "tldts"

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?$/

/**
 * A host as it usually comes: ASCII labels, the last one no number. It is its own IDNA form. `--` may begin an encoded
 * label, so it is left to the parser.
 */
const PLAIN_HOST = /^(?!.*--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

/** The host of a domain or URL, in lower-case ASCII (IDNA). Null: there is none. */
export const hostOf = (input: string): string | null => {
  const text = input.trim()
  if (text.length <= 253 && PLAIN_HOST.test(text)) return text.toLowerCase()
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(url)) return null
  const host = new URL(url).hostname.replace(/\.$/, "").toLowerCase()
  const labels = host.split(".")
  return labels.length >= 2 && host.length <= 253 && labels.every((label) => LABEL.test(label)) ? host : null
}

/** The registrable domain (public-suffix list) of a domain or URL. Null: there is none, as for an IP address. */
export const registrableDomain = (input: string): string | null => {
  const host = hostOf(input)
  return host === null ? null : getDomain(host, { validateHostname: false })
}

/** A company, given by its domain or any of its URLs. Decodes to its registrable domain. */
export const CompanyDomain = Schema.transformOrFail(
  Schema.String.pipe(Schema.minLength(1), Schema.maxLength(2048)).annotations({
    description: "A domain or URL; resolved to the registrable domain.",
    examples: ["acme.example", "https://www.acme.example/about"]
  }),
  Schema.String,
  {
    strict: true,
    decode: (input, _options, ast) => {
      const domain = registrableDomain(input)
      return domain === null
        ? ParseResult.fail(new ParseResult.Type(ast, input, "is not a domain or URL with a registrable domain"))
        : ParseResult.succeed(domain)
    },
    encode: ParseResult.succeed
  }
)
