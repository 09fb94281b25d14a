/** The flags of commands. All errors are reported together. */
import { NumberText } from "@outbound/domain/kernel/NumberText.js"
import { issuesOf } from "@outbound/domain/calls/issues.js"
import { CAPABILITIES, Capability, SCOPES, Scope } from "@outbound/domain/verbs/Policy.js"
import { CreditsFromWire } from "@outbound/domain/kernel/money/Credits.js"
import { flawed } from "@outbound/domain/kernel/flawed.js"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { MAIL_SECURITIES } from "@outbound/domain/outreach/mail/MailTransport.js"
import { serverOf } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { GRANT_PROVIDERS } from "@outbound/domain/outreach/sending/mailGrant.js"
import { Data, Effect, Schema, SchemaAST as AST, SchemaTransformation } from "effect"

/** The errors in a command's flags, one per line. */
export class FlagMistakes extends Data.TaggedError("FlagMistakes")<{ readonly mistakes: ReadonlyArray<string> }> {
  override get message(): string {
    return this.mistakes.join("\n")
  }
}

const MailServerFields = Schema.Struct({
  host: Schema.String,
  port: Schema.Number,
  security: Schema.Literals(MAIL_SECURITIES)
})

/** The annotation with what a flag's value must be, whatever is wrong with it. */
const SAID = "flagMust"

export const saying = (expected: string) => ({ [SAID]: `must be ${expected}` })

export const Id = Schema.String.check(Schema.makeFilter(isUuid)).annotate(saying("an id, as printed by other commands"))

export const Hash = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)).annotate(
  saying("64 hex digits, as printed by trail export")
)

export const Amount = CreditsFromWire.annotate(saying("an amount of credits, such as 300 or 0.5"))

/** A cap, or that there is none. */
export const Cap = Schema.Union([Schema.Literal("none"), Amount]).annotate(saying("an amount of credits, or none"))

export const OnOff = Schema.Literals(["on", "off"])
  .pipe(
    Schema.decodeTo(
      Schema.Boolean,
      SchemaTransformation.transform({ decode: (text) => text === "on", encode: (isOn) => (isOn ? "on" : "off") })
    )
  )
  .annotate(saying("on or off"))

/** Only `off`: the default is on. */
export const Off = Schema.Literal("off").annotate(saying("off, or left out"))

export const Count = NumberText.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 1_000_000 })).annotate(
  saying("a whole number from 1 to 1000000")
)

/** Full months; 0 for ever, and null as the archiving command says. */
export const MonthsKept = Schema.Union([
  Schema.Literals(["always", "default"]),
  NumberText.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 1_200 }))
])
  .pipe(
    Schema.decodeTo(
      Schema.NullOr(Schema.Number),
      SchemaTransformation.transform({
        decode: (given) => (given === "always" ? 0 : given === "default" ? null : given),
        encode: (months) => (months === 0 ? "always" : (months ?? "default"))
      })
    )
  )
  .annotate(saying("a number of months, always, or default"))

export const Kind = Schema.Literals(["sandbox", "live"]).annotate(saying("sandbox or live"))

export const ScopeName = Scope.annotate(saying(`one of ${SCOPES.join(", ")}`))

const server = (protocol: "smtp" | "imap", example: string) =>
  Schema.String.pipe(
    Schema.decodeTo(
      MailServerFields,
      SchemaTransformation.transformEffect({
        decode: (text) => {
          const named = serverOf(protocol, text)
          return named === null ? flawed("is not valid") : Effect.succeed(named)
        },
        encode: ({ host, port }) => Effect.succeed(`${host}:${port}`)
      })
    )
  ).annotate(saying(example))

export const SmtpServer = server("smtp", "smtps://host:465 or smtp+starttls://host:587")

export const ImapServer = server("imap", "imaps://host:993 or imap+starttls://host:143")

export const GrantPlace = Schema.Literals([...GRANT_PROVIDERS, "other"]).annotate(
  saying(`one of ${GRANT_PROVIDERS.join(", ")}, other`)
)

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const
const DURATION = /^([1-9]\d{0,5})([smhd])$/
const DAYS_MAX = 366

/** `30s`, `15m`, `24h`, `7d`, in milliseconds. */
export const DurationMillis = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Number,
    SchemaTransformation.transformEffect({
      decode: (text) => {
        const [, count, unit] = DURATION.exec(text) ?? []
        const seconds = Number(count) * SECONDS[unit as keyof typeof SECONDS]
        return seconds <= DAYS_MAX * SECONDS.d ? Effect.succeed(seconds * 1_000) : flawed("is not valid")
      },
      encode: (millis) => Effect.succeed(`${millis / 1_000}s`)
    })
  )
).annotate(saying(`a duration such as 30s, 15m, 24h or 7d, at most ${DAYS_MAX}d`))

const isCapability = Schema.is(Capability)

/** `NAME=on` or `NAME=off`. */
export const CapabilitySwitch = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Struct({ name: Capability, on: Schema.Boolean }),
    SchemaTransformation.transformEffect({
      decode: (text) => {
        const [name, state, ...rest] = text.split("=")
        return isCapability(name) && (state === "on" || state === "off") && rest.length === 0
          ? Effect.succeed({ name, on: state === "on" })
          : flawed("is not valid")
      },
      encode: ({ name, on }) => Effect.succeed(`${name}=${on ? "on" : "off"}`)
    })
  )
).annotate(saying(`NAME=on or NAME=off; the names are ${CAPABILITIES.join(", ")}`))

/** By flag, what its schema says. A flag that is given more than once says it of each value. */
const saidBy = (ast: AST.AST): ReadonlyMap<string, string> =>
  new Map(
    (AST.isObjects(ast) ? ast.propertySignatures : []).flatMap(({ name, type }): ReadonlyArray<[string, string]> => {
      const [item = type] = AST.isArrays(type) ? type.rest : []
      const said = AST.resolveAt<string>(SAID)(item)
      return said === undefined ? [] : [[String(name), said]]
    })
  )

/** As `issuesOf` says it of a flag that is not given. */
const REQUIRED = "is required"

const mistakesOf = (error: Schema.SchemaError, said: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const mistakes = new Map<string, string>()
  for (const { message, path } of issuesOf(error)) {
    const [flag = ""] = path.split(".", 1)
    const own = message === REQUIRED ? undefined : said.get(flag)
    mistakes.set(own === undefined ? `${path}\n${message}` : path, `--${flag} ${own ?? message}`)
  }
  return [...mistakes.values()]
}

/** Decodes the given flags. */
export const decodeFlags =
  <A, I>(schema: Schema.Codec<A, I>) =>
  (given: Readonly<Record<string, unknown>>): Effect.Effect<A, FlagMistakes> =>
    Schema.decodeUnknownEffect(schema, { errors: "all" })(given).pipe(
      Effect.mapError((error) => new FlagMistakes({ mistakes: mistakesOf(error, saidBy(schema.ast)) }))
    )
