import { Either, ParseResult, Schema } from "effect"
import { usableEmail } from "./EmailAddress.js"
import { readHost } from "./Host.js"
import { isSharedByMany } from "./sharedMail.js"
import { ownDomainOf } from "./Suffixes.js"

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i

/** The host of a domain or URL, in lower-case ASCII (IDNA), or what is wrong, as words after "it". */
const readSite = (input: string): Either.Either<string, string> => {
  const text = input.trim()
  const scheme = SCHEME.exec(text)?.[0] ?? ""
  const [authority = ""] = text.slice(scheme.length).split(/[/?#]/, 1)
  if (scheme === "" && authority.includes("@")) {
    return Either.left(usableEmail(text) === null ? 'has an "@" before its host' : "is an email address, not a domain")
  }
  // A URL may name a user, before its last "@".
  const host = authority.slice(authority.lastIndexOf("@") + 1)
  return readHost(host.replace(/:\d{1,5}$/, "").replace(/\.$/, ""), true)
}

/** The host of a domain or URL, in lower-case ASCII (IDNA). Null: there is none. */
export const hostOf = (input: string): string | null => Either.getOrElse(readSite(input), () => null)

/** The domain of whoever has a domain or URL, or what is wrong with it, as words after "it". */
export const readDomain = (input: string): Either.Either<string, string> =>
  Either.flatMap(readSite(input), (host) => {
    const domain = ownDomainOf(host)
    if (domain === null) return Either.left("is a suffix under which anybody may have a domain")
    return Either.right(domain)
  })

/** The registrable domain (public-suffix list) of a domain or URL. Null: there is none, as for an IP address. */
export const registrableDomain = (input: string): string | null => Either.getOrElse(readDomain(input), () => null)

/** What is wrong with a domain whose whole suppression is asked for, as words after "it". */
export const readSuppressible = (input: string): Either.Either<string, string> =>
  Either.flatMap(readDomain(input), (domain) =>
    isSharedByMany(domain)
      ? Either.left("belongs to a provider of mail, where anybody may have an address: name the addresses instead")
      : Either.right(domain)
  )

const domainSchema = (read: (input: string) => Either.Either<string, string>) =>
  Schema.transformOrFail(
    Schema.String.pipe(Schema.minLength(1), Schema.maxLength(2048)).annotations({
      description: "A domain or URL; resolved to the registrable domain.",
      examples: ["acme.example", "https://www.acme.example/about"]
    }),
    Schema.String,
    {
      strict: true,
      decode: (input, _options, ast) =>
        Either.match(read(input), {
          onLeft: (flaw) =>
            ParseResult.fail(
              new ParseResult.Type(ast, input, `is not a domain or URL with a registrable domain: it ${flaw}`)
            ),
          onRight: ParseResult.succeed
        }),
      encode: ParseResult.succeed
    }
  )

/** A company, given by its domain or any of its URLs. Decodes to its registrable domain. */
export const CompanyDomain = domainSchema(readDomain)

/** A domain in which nobody is to be written to. Decodes to its registrable domain. No provider of mail. */
export const SuppressibleDomain = domainSchema(readSuppressible)
