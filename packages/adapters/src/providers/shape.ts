import { Schema } from "effect"

/*
 * What an answer of a vendor looks like. Members that we don't know are let be; a member of another type than documented
 * makes the whole answer one that can't be believed.
 */

/** A member that may be absent or null. */
export const maybe = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema), { default: () => null })

/** A list that may be absent or null. */
export const listOf = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.Array(schema), { nullable: true, default: () => [] })

/** A number, or its decimal text. */
export const Numeric = Schema.Union(Schema.Number, Schema.NumberFromString)

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
