import { type Definitions, type JsonSchema, ref } from "@outbound/domain/verbs/JsonSchema.js"

/** What is said of a use of a shape, not of the shape. */
const OF_THE_USE = ["description", "examples", "default"]

type Mapped = (part: JsonSchema) => JsonSchema

const KEYWORDS_OF_ONE = ["items", "additionalProperties", "propertyNames", "not", "contains"]
const KEYWORDS_OF_MANY = ["anyOf", "oneOf", "allOf", "prefixItems"]

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const mapValues = (record: Definitions, f: Mapped): Definitions =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, f(value)]))

/** Applies `f` to a schema's parts, and to nothing that only looks like one (a property called `items`). */
const mapParts = (schema: JsonSchema, f: Mapped): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === "properties") return [keyword, mapValues(value as Definitions, f)]
      if (KEYWORDS_OF_MANY.includes(keyword)) return [keyword, (value as ReadonlyArray<JsonSchema>).map(f)]
      return [keyword, KEYWORDS_OF_ONE.includes(keyword) && isSchema(value) ? f(value) : value]
    })
  )

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : isSchema(value)
      ? Object.fromEntries(
          Object.keys(value)
            .sort()
            .map((key) => [key, sorted(value[key])])
        )
      : value

const without = (schema: JsonSchema, keywords: ReadonlyArray<string>): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))

/** What a shape is, whatever is said of this use of it. Equal texts are equal shapes. */
export const shapeText = (schema: JsonSchema): string => JSON.stringify(sorted(without(schema, OF_THE_USE)))

/**
 * Whether a schema is a shape that deserves one name wherever it stands: an object with members, a choice of more than
 * two values, or alternatives. Something or nothing is no shape of its own.
 */
export const isShape = (schema: JsonSchema): boolean => {
  const alternatives = schema.oneOf ?? schema.anyOf ?? []
  return (
    Object.keys(schema.properties ?? {}).length > 0 ||
    (schema.enum ?? []).filter((value) => value !== null).length > 2 ||
    alternatives.filter((one) => one.type !== "null").length > 1
  )
}

/** A subschema that requires members names them, so that a reader sees which they are without looking above it. */
const withNames = (schema: JsonSchema): JsonSchema => {
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(schema.properties ?? {}, name))
  return missing.length === 0
    ? schema
    : { ...schema, properties: { ...schema.properties, ...Object.fromEntries(missing.map((name) => [name, {}])) } }
}

/**
 * Puts a reference wherever a component's shape stands written out among the parts of a schema. The schema itself stays as
 * it is.
 */
export const shareParts = (components: Definitions): Mapped => {
  const names = new Map(
    Object.entries(components).flatMap(([name, schema]) => (isShape(schema) ? [[shapeText(schema), name]] : []))
  )
  const inner: Mapped = (schema) => {
    const name = isShape(schema) ? names.get(shapeText(schema)) : undefined
    if (name === undefined) return withNames(mapParts(schema, inner))
    return {
      ...Object.fromEntries(OF_THE_USE.flatMap((key) => (key in schema ? [[key, schema[key]]] : []))),
      ...ref(name)
    }
  }
  return (schema) => withNames(mapParts(schema, inner))
}
