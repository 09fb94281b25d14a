import { Effect, Result, Schema, SchemaTransformation } from "effect"
import { flawed } from "../flawed.js"
import { usableEmail } from "./EmailAddress.js"
import { readHost } from "./Host.js"
import { isSharedByMany } from "./sharedMail.js"
import { ownDomainOf } from "./Suffixes.js"

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i

/** The host of a domain or URL, in lower-case ASCII (IDNA), or what is wrong, as words after "it". */
const readSite = (input: string): Result.Result<string, string> => {
  const text = input.trim()
  const scheme = SCHEME.exec(text)?.[0] ?? ""
  const [authority = ""] = text.slice(scheme.length).split(/[/?#]/, 1)
  if (scheme === "" && authority.includes("@")) {
    return Result.fail(usableEmail(text) === null ? 'has an "@" before its host' : "is an email address, not a domain")
  }
  // A URL may name a user, before its last "@".
  const host = authority.slice(authority.lastIndexOf("@") + 1)
  return readHost(host.replace(/:\d{1,5}$/, "").replace(/\.$/, ""), true)
}

/** The host of a domain or URL, in lower-case ASCII (IDNA). Null: there is none. */
export const hostOf = (input: string): string | null => Result.getOrElse(readSite(input), () => null)

/** The domain of whoever has a domain or URL, or what is wrong with it, as words after "it". */
export const readDomain = (input: string): Result.Result<string, string> =>
  Result.flatMap(readSite(input), (host) => {
    const domain = ownDomainOf(host)
    if (domain === null) return Result.fail("is a suffix under which anybody may have a domain")
    return Result.succeed(domain)
  })

/** The registrable domain (public-suffix list) of a domain or URL. Null: there is none, as for an IP address. */
export const registrableDomain = (input: string): string | null => Result.getOrElse(readDomain(input), () => null)

/** What is wrong with a domain whose whole suppression is asked for, as words after "it". */
export const readSuppressible = (input: string): Result.Result<string, string> =>
  Result.flatMap(readDomain(input), (domain) =>
    isSharedByMany(domain)
      ? Result.fail("belongs to a provider of mail, where anybody may have an address: name the addresses instead")
      : Result.succeed(domain)
  )

const domainSchema = (read: (input: string) => Result.Result<string, string>) =>
  Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2048))
    .annotate({
      description: "A domain or URL; resolved to the registrable domain.",
      examples: ["acme.example", "https://www.acme.example/about"]
    })
    .pipe(
      Schema.decodeTo(
        Schema.String,
        SchemaTransformation.transformEffect({
          decode: (input) =>
            Result.match(read(input), {
              onFailure: (flaw) => flawed(`is not a domain or URL with a registrable domain: it ${flaw}`),
              onSuccess: Effect.succeed
            }),
          encode: Effect.succeed
        })
      )
    )

/** A company, given by its domain or any of its URLs. Decodes to its registrable domain. */
export const CompanyDomain = domainSchema(readDomain)

/** A domain in which nobody is to be written to. Decodes to its registrable domain. No provider of mail. */
export const SuppressibleDomain = domainSchema(readSuppressible)
