import { Effect, Option, Predicate, Schema, SchemaGetter, SchemaTransformation } from "effect"
import { setting } from "../platform/setting.js"
import { membersOf } from "../platform/membersOf.js"
import { NumberText } from "@outbound/domain/kernel/NumberText.js"

const within = (least: number, most: number, value: number) =>
  setting(Schema.Number.check(Schema.isBetween({ minimum: least, maximum: most })), value)

/** How a vendor's jobs are polled. */
export const patienceSettings = {
  /** The polling interval during the call. */
  poll_every_seconds: within(0.01, 60, 2),
  /** How long the call waits. Below the 20 seconds we wait for a source. */
  poll_seconds_max: within(0, 18, 14),
  /** The first poll after the call, and the interval from then on. */
  again_after_seconds: within(10, 3_600, 45),
  keep_days: within(1, 90, 30)
}

export type Patience = Schema.Struct.Type<typeof patienceSettings>

// Schemas for vendors' answers. Unknown members are ignored; a member of an undocumented type makes the whole answer
// unusable.

/** A member that may be absent or null. */
export const maybe = <A, I>(schema: Schema.Codec<A, I>) =>
  Schema.NullOr(schema).pipe(Schema.withDecodingDefault(Effect.succeed(null)))

/** Members of these names, each a text that may be absent or null. */
export const maybeTexts = <N extends string>(...names: ReadonlyArray<N>) => membersOf(maybe(Schema.String), names)

/** The same for numbers. */
export const maybeNumbers = <N extends string>(...names: ReadonlyArray<N>) => membersOf(maybe(Schema.Number), names)

/** The same for booleans. */
export const maybeFlags = <N extends string>(...names: ReadonlyArray<N>) => membersOf(maybe(Schema.Boolean), names)

/** A member that may be absent or null, which then has this value. */
const orElse = <A, I>(schema: Schema.Codec<A, I>, none: NoInfer<A>) =>
  Schema.optional(Schema.NullOr(schema)).pipe(
    Schema.decodeTo(Schema.toType(schema), {
      decode: SchemaGetter.transformOptional((given: Option.Option<A | null | undefined>) =>
        Option.some(Option.getOrElse(Option.filter(given, Predicate.isNotNullish), () => none))
      ),
      encode: SchemaGetter.transform((value: A) => value)
    })
  )

/** A list that may be absent or null. */
export const listOf = <A, I>(schema: Schema.Codec<A, I>) => orElse(Schema.Array(schema), [])

/** A number, or its decimal text. */
export const Numeric = Schema.Union([Schema.Number, NumberText])

/** A number or its text, as text: vendors write ids in both ways. */
export const Id = Schema.Union([Schema.String, Schema.Number]).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform<string, string | number>({ decode: String, encode: (text) => text })
  )
)

/** One text, or several. */
export const Texts = Schema.Union([
  Schema.String.pipe(
    Schema.decodeTo(
      Schema.Array(Schema.String),
      SchemaTransformation.transform<ReadonlyArray<string>, string>({
        decode: (text) => [text],
        encode: (texts) => texts[0] ?? ""
      })
    )
  ),
  Schema.Array(Schema.String)
])

/** Texts, some possibly missing. */
export const textsOf = orElse(Texts, [])

/** The URL with its scheme, which some vendors leave out. */
export const addressOf = (text: string | null): string | null => {
  const address = text?.trim() ?? ""
  return address === "" ? null : /^https?:\/\//i.test(address) ? address : `https://${address}`
}
