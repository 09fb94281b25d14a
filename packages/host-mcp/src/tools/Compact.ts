import { type Definitions, type JsonSchema, reached } from "@outbound/domain/verbs/JsonSchema.js"

/** A tool's schema. Its root is a plain object, which every client understands. */
export interface ToolSchema {
  readonly [keyword: string]: unknown
  readonly type: "object"
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly $defs?: Definitions
}

/** Where a tool's schema keeps named schemas. */
export const DEFS = "#/$defs/"

/** A shorter shared schema costs less inlined than as a reference. */
const INLINED_CHARS_MAX = 160

type Keywords = ReadonlySet<string>

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const mapValues = (record: Readonly<Record<string, JsonSchema>>, f: (value: JsonSchema) => JsonSchema): Definitions =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, f(value)]))

/** Applies `f` to a schema's parts, but not to properties with a keyword's name. */
const mapParts = (schema: JsonSchema, f: (part: JsonSchema) => JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === "properties") return [keyword, mapValues(value as Definitions, f)]
      if (["anyOf", "oneOf", "allOf"].includes(keyword)) return [keyword, (value as ReadonlyArray<JsonSchema>).map(f)]
      const isPart = ["items", "additionalProperties", "propertyNames"].includes(keyword) && isSchema(value)
      return [keyword, isPart ? f(value) : value]
    })
  )

const omit = (schema: JsonSchema, keywords: Keywords): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.has(keyword)))

const NOTHING: JsonSchema = { type: "null" }
const ANY_OF: Keywords = new Set(["anyOf"])

/** Merges a nullable type into one type if its other keywords allow it. */
const withNull = (schema: JsonSchema): JsonSchema => {
  const [one, other, ...more] = schema.anyOf ?? []
  const isOptional = one !== undefined && other?.type === NOTHING.type && more.length === 0
  return isOptional && typeof one.type === "string" && one.enum === undefined && one.const === undefined
    ? { ...omit(schema, ANY_OF), ...one, type: [one.type, "null"] }
    : schema
}

const tidy = (schema: JsonSchema): JsonSchema => withNull(mapParts(schema, tidy))

/** The name of the schema that a schema refers to. */
export const shapeOf = ({ $ref }: JsonSchema): string => $ref?.slice(DEFS.length) ?? ""

/** Inlines short shared schemas; the others stay under `$defs`. */
const inlined = (schema: JsonSchema, short: Definitions): JsonSchema => {
  const target = short[shapeOf(schema)]
  return target === undefined
    ? mapParts(schema, (part) => inlined(part, short))
    : { ...inlined(target, short), ...omit(schema, new Set(["$ref"])) }
}

/** A schema with the shared schemas that it uses. */
export const compact = (schema: JsonSchema, shapes: Definitions): ToolSchema => {
  const plain = mapValues(shapes, tidy)
  const isShort = (shape: JsonSchema): boolean => JSON.stringify(shape).length <= INLINED_CHARS_MAX
  const short = Object.fromEntries(Object.entries(plain).filter(([, shape]) => isShort(shape)))
  const long = mapValues(
    Object.fromEntries(Object.entries(plain).filter(([name]) => short[name] === undefined)),
    (shape) => inlined(shape, short)
  )
  const root = inlined(tidy(schema), short)
  const used = [...reached(root, long)].flatMap((name) => {
    const shape = long[name]
    return shape === undefined ? [] : [[name, shape] as const]
  })
  return {
    ...root,
    type: "object",
    properties: root.properties ?? {},
    ...(used.length === 0 ? {} : { $defs: Object.fromEntries(used) })
  }
}
