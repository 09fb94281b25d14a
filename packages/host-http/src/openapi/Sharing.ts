import { type Definitions, type JsonSchema, ref } from "@outbound/domain/verbs/JsonSchema.js"

/** Keywords that describe a use of a schema, not the schema. */
const OF_THE_USE = ["description", "examples", "default"]

type Mapped = (part: JsonSchema) => JsonSchema

const KEYWORDS_OF_ONE = ["items", "additionalProperties", "propertyNames", "not", "contains"]
const KEYWORDS_OF_MANY = ["anyOf", "oneOf", "allOf", "prefixItems"]

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const mapValues = (record: Definitions, f: Mapped): Definitions =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, f(value)]))

/** Applies `f` to a schema's parts, but not to properties with a keyword's name. */
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

/** A schema without its descriptions, as text. Equal texts are equal schemas. */
export const shapeText = (schema: JsonSchema): string => JSON.stringify(sorted(without(schema, OF_THE_USE)))

/** Whether a schema deserves a name: an object with members, more than two values, or alternatives (not just null). */
export const isShape = (schema: JsonSchema): boolean => {
  const alternatives = schema.oneOf ?? schema.anyOf ?? []
  return (
    Object.keys(schema.properties ?? {}).length > 0 ||
    (schema.enum ?? []).filter((value) => value !== null).length > 2 ||
    alternatives.filter((one) => one.type !== "null").length > 1
  )
}

/** Lists the required members in a subschema, so that a reader need not look above it. */
const withNames = (schema: JsonSchema): JsonSchema => {
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(schema.properties ?? {}, name))
  return missing.length === 0
    ? schema
    : { ...schema, properties: { ...schema.properties, ...Object.fromEntries(missing.map((name) => [name, {}])) } }
}

/** Replaces the parts of a schema that equal a component by references. */
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
