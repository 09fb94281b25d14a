import { Schema } from "effect"
import { membersOf } from "../platform/membersOf.js"

/** A setting that may be left out, with its default. */
export const setting = <A, I>(schema: Schema.Schema<A, I>, value: NoInfer<A>) =>
  Schema.optionalWith(schema, { default: () => value })

const within = (least: number, most: number, value: number) =>
  setting(Schema.Number.pipe(Schema.between(least, most)), value)

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
export const maybe = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema), { default: () => null })

/** Members of these names, each a text that may be absent or null. */
export const maybeTexts = <N extends string>(...names: ReadonlyArray<N>) => membersOf(maybe(Schema.String), names)

/** The same for numbers. */
export const maybeNumbers = <N extends string>(...names: ReadonlyArray<N>) => membersOf(maybe(Schema.Number), names)

/** The same for booleans. */
export const maybeFlags = <N extends string>(...names: ReadonlyArray<N>) => membersOf(maybe(Schema.Boolean), names)

/** A list that may be absent or null. */
export const listOf = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.Array(schema), { nullable: true, default: () => [] })

/** A number, or its decimal text. */
export const Numeric = Schema.Union(Schema.Number, Schema.NumberFromString)

/** A number or its text, as text: vendors write ids in both ways. */
export const Id = Schema.transform(Schema.Union(Schema.String, Schema.Number), Schema.String, {
  strict: true,
  decode: String,
  encode: (text) => text
})

/** One text, or several. */
export const Texts = Schema.Union(
  Schema.transform(Schema.String, Schema.Array(Schema.String), {
    strict: true,
    decode: (text) => [text],
    encode: (texts) => texts[0] ?? ""
  }),
  Schema.Array(Schema.String)
)

/** Texts, some possibly missing. */
export const textsOf = Schema.optionalWith(Texts, { nullable: true, default: () => [] })

/** The URL with its scheme, which some vendors leave out. */
export const addressOf = (text: string | null): string | null => {
  const address = text?.trim() ?? ""
  return address === "" ? null : /^https?:\/\//i.test(address) ? address : `https://${address}`
}
