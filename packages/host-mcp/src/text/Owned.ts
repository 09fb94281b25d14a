import type { JsonSchema } from "@outbound/domain/verbs/JsonSchema.js"
import { shapeOf } from "../tools/Compact.js"
import { answerSchemaOf } from "../tools/Schemas.js"
import type { ToolVerb } from "../tools/Tools.js"

/** Free text that the service itself writes. Whatever else is free text may be a third party's. */
const OWN_TEXT = new Set(["confirmation_token", "approval_url", "console_url", "next_cursor"])

const typesOf = ({ type }: JsonSchema): ReadonlyArray<string> =>
  (typeof type === "string" ? [type] : (type ?? [])).filter((name) => name !== "null")

/** What no third party can write freely: numbers, choices, ids, times. */
const isOwned = (name: string, schema: JsonSchema): boolean => {
  const [type, ...others] = typesOf(schema)
  if (type === undefined || others.length > 0) return false
  if (type !== "string") return type !== "object" && type !== "array"
  const isChoice = schema.enum !== undefined || schema.const !== undefined
  const hasForm = ["uuid", "date-time"].includes(String(schema["format"])) || schema["pattern"] !== undefined
  return isChoice || hasForm || OWN_TEXT.has(name)
}

/**
 * The members of a verb's result that the service alone can have written, so that they may stand outside of the fence.
 * Told by the schema, in every shape that the result can have.
 */
export const ownedMembers = (verb: ToolVerb): ReadonlySet<string> => {
  const { $defs = {}, properties } = answerSchemaOf(verb)
  const named = (schema: JsonSchema): JsonSchema => $defs[shapeOf(schema)] ?? schema
  const result = named(properties["result"] ?? {})
  const shapes = (result.anyOf ?? [result]).map((shape) => named(shape).properties ?? {})
  const names = new Set(shapes.flatMap((shape) => Object.keys(shape)))
  const isOwnedIn = (name: string) => (shape: Readonly<Record<string, JsonSchema>>) => {
    const member = shape[name]
    return member === undefined || isOwned(name, named(member))
  }
  return new Set([...names].filter((name) => shapes.every(isOwnedIn(name))))
}
