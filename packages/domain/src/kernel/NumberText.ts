import { Schema, SchemaTransformation } from "effect"

const isNumber = (text: string): boolean => text.trim() !== "" && !Number.isNaN(Number(text))

/** A number, written as text. */
export const NumberText = Schema.String.check(Schema.makeFilter(isNumber)).pipe(
  Schema.decodeTo(Schema.Number, SchemaTransformation.numberFromString)
)
