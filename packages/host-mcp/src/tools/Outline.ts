import type { Definitions, JsonSchema } from "@outbound/domain/verbs/JsonSchema.js"
import { shapeOf } from "./Compact.js"

/** More values than this are left out of an outline. */
const VALUES_MAX = 12

/** Longer words are written once. */
const REPEATED_CHARS_MAX = 24

const AGAIN = "as above"

/**
 * A value's members in a few words, for a model to read: `{email, state: open|closed, steps: [{step, sent}]}`. Plain
 * texts and numbers have only their name.
 */
export const outline = (schema: JsonSchema, shapes: Definitions): string => {
  const said = new Set<string>()

  const once = (words: string): string => {
    if (words.length <= REPEATED_CHARS_MAX) return words
    if (said.has(words)) return AGAIN
    said.add(words)
    return words
  }

  const memberOf = ([name, member]: readonly [string, JsonSchema]): string => {
    const words = once(outlineOf(member))
    return words === "" ? name : `${name}: ${words}`
  }

  const alternativesOf = (given: JsonSchema): string => {
    const others = (given.oneOf ?? given.anyOf ?? []).filter(({ type }) => type !== "null")
    return [...new Set(others.map(outlineOf))].filter((words) => words !== "").join(" or ")
  }

  const outlineOf = (given: JsonSchema): string => {
    const target = shapes[shapeOf(given)]
    if (target !== undefined) return outlineOf(target)
    const { enum: values, items, properties } = given
    if (values !== undefined) {
      return values.length > VALUES_MAX ? "" : values.filter((value) => value !== null).join("|")
    }
    if (items !== undefined) return `[${outlineOf(items)}]`
    return properties === undefined ? alternativesOf(given) : `{${Object.entries(properties).map(memberOf).join(", ")}}`
  }

  return outlineOf(schema)
}
