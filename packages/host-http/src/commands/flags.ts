/** The flags of commands. All errors are reported together. */
import { CAPABILITIES, Capability, SCOPES, Scope } from "@outbound/domain/verbs/Policy.js"
import { CreditsFromWire } from "@outbound/domain/kernel/money/Credits.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { MAIL_SECURITIES } from "@outbound/domain/outreach/mail/MailTransport.js"
import { serverOf } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { GRANT_PROVIDERS } from "@outbound/domain/outreach/sending/mailGrant.js"
import { Data, Effect, ParseResult, Schema } from "effect"

/** The errors in a command's flags, one per line. */
export class FlagMistakes extends Data.TaggedError("FlagMistakes")<{ readonly mistakes: ReadonlyArray<string> }> {
  override get message(): string {
    return this.mistakes.join("\n")
  }
}

const MailServerFields = Schema.Struct({
  host: Schema.String,
  port: Schema.Number,
  security: Schema.Literal(...MAIL_SECURITIES)
})

const saying = (expected: string) => ({
  message: () => ({ message: `must be ${expected}`, override: true })
})

export const Id = Schema.String.pipe(Schema.filter(isUuid)).annotations(saying("an id, as printed by other commands"))

export const Hash = Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/)).annotations(
  saying("64 hex digits, as printed by trail export")
)

export const Amount = CreditsFromWire.annotations(saying("an amount of credits, such as 300 or 0.5"))

export const OnOff = Schema.transform(Schema.Literal("on", "off"), Schema.Boolean, {
  strict: true,
  decode: (text) => text === "on",
  encode: (isOn) => (isOn ? "on" : "off")
}).annotations(saying("on or off"))

/** Only `off`: the default is on. */
export const Off = Schema.Literal("off").annotations(saying("off, or left out"))

export const Count = Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 1_000_000)).annotations(
  saying("a whole number from 1 to 1000000")
)

/** Full months; 0 for ever, and null as the archiving command says. */
export const MonthsKept = Schema.transform(
  Schema.Union(
    Schema.Literal("always", "default"),
    Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 1_200))
  ),
  Schema.NullOr(Schema.Number),
  {
    strict: true,
    decode: (given) => (given === "always" ? 0 : given === "default" ? null : given),
    encode: (months) => (months === 0 ? "always" : (months ?? "default"))
  }
).annotations(saying("a number of months, always, or default"))

export const Kind = Schema.Literal("sandbox", "live").annotations(saying("sandbox or live"))

export const ScopeName = Scope.annotations(saying(`one of ${SCOPES.join(", ")}`))

const server = (protocol: "smtp" | "imap", example: string) =>
  Schema.transformOrFail(Schema.String, MailServerFields, {
    strict: true,
    decode: (text, _options, ast) => {
      const named = serverOf(protocol, text)
      return named === null ? ParseResult.fail(new ParseResult.Type(ast, text)) : ParseResult.succeed(named)
    },
    encode: ({ host, port }) => ParseResult.succeed(`${host}:${port}`)
  }).annotations(saying(example))

export const SmtpServer = server("smtp", "smtps://host:465 or smtp+starttls://host:587")

export const ImapServer = server("imap", "imaps://host:993 or imap+starttls://host:143")

export const GrantPlace = Schema.Literal(...GRANT_PROVIDERS, "other").annotations(
  saying(`one of ${GRANT_PROVIDERS.join(", ")}, other`)
)

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const
const DURATION = /^([1-9]\d{0,5})([smhd])$/
const DAYS_MAX = 366

/** `30s`, `15m`, `24h`, `7d`, in milliseconds. */
export const DurationMillis = Schema.transformOrFail(Schema.String, Schema.Number, {
  strict: true,
  decode: (text, _options, ast) => {
    const [, count, unit] = DURATION.exec(text) ?? []
    const seconds = Number(count) * SECONDS[unit as keyof typeof SECONDS]
    return seconds <= DAYS_MAX * SECONDS.d
      ? ParseResult.succeed(seconds * 1_000)
      : ParseResult.fail(new ParseResult.Type(ast, text))
  },
  encode: (millis) => ParseResult.succeed(`${millis / 1_000}s`)
}).annotations(saying(`a duration such as 30s, 15m, 24h or 7d, at most ${DAYS_MAX}d`))

const isCapability = Schema.is(Capability)

/** `NAME=on` or `NAME=off`. */
export const CapabilitySwitch = Schema.transformOrFail(
  Schema.String,
  Schema.Struct({ name: Capability, on: Schema.Boolean }),
  {
    strict: true,
    decode: (text, _options, ast) => {
      const [name, state, ...rest] = text.split("=")
      return isCapability(name) && (state === "on" || state === "off") && rest.length === 0
        ? ParseResult.succeed({ name, on: state === "on" })
        : ParseResult.fail(new ParseResult.Type(ast, text))
    },
    encode: ({ name, on }) => ParseResult.succeed(`${name}=${on ? "on" : "off"}`)
  }
).annotations(saying(`NAME=on or NAME=off; the names are ${CAPABILITIES.join(", ")}`))

const mistakesOf = (error: ParseResult.ParseError): ReadonlyArray<string> =>
  ParseResult.ArrayFormatter.formatErrorSync(error).map(({ _tag, message, path }) => {
    const flag = `--${String(path[0] ?? "")}`
    return _tag === "Missing" ? `${flag} is required` : `${flag} ${message}`
  })

/** Decodes the given flags. */
export const decodeFlags =
  <A, I>(schema: Schema.Schema<A, I>) =>
  (given: Readonly<Record<string, unknown>>): Effect.Effect<A, FlagMistakes> =>
    Schema.decodeUnknown(schema, { errors: "all" })(given).pipe(
      Effect.mapError((error) => new FlagMistakes({ mistakes: mistakesOf(error) }))
    )
