import { JSONSchema, type Schema } from "effect"

/** A JSON Schema (draft 2020-12), as in OpenAPI 3.1 and MCP. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly additionalProperties?: boolean | JsonSchema
  readonly examples?: ReadonlyArray<unknown>
}

export type Definitions = Record<string, JsonSchema>

/** Where OpenAPI keeps named schemas. */
export const SCHEMAS = "#/components/schemas/"

export const ref = (name: string, root: string = SCHEMAS): JsonSchema => ({ $ref: `${root}${name}` })

export const object = (
  properties: Readonly<Record<string, JsonSchema>>,
  optional: ReadonlyArray<string> = []
): JsonSchema => {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: "object", ...(required.length === 0 ? {} : { required }), properties }
}

/** Texts that the library generates: `maxLength(120)`, "a string at most 120 character(s) long". */
const isOwnTitle = (title: unknown): boolean => typeof title === "string" && /^[a-z][A-Za-z]*(?:\(.*\))?$/.test(title)
const isOwnDescription = (text: unknown): boolean => typeof text === "string" && /^an? /.test(text)

const without = (schema: JsonSchema, ...keywords: ReadonlyArray<string>): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))

const mapValues = <A, B>(record: Readonly<Record<string, A>>, f: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value)]))

const withoutOwnWords = (schema: JsonSchema): JsonSchema =>
  without(
    schema,
    ...(isOwnTitle(schema["title"]) ? ["title"] : []),
    ...(isOwnDescription(schema.description) ? ["description"] : [])
  )

/** Inlines references to the library's own primitives, such as `Int`. */
const inlined = (schema: JsonSchema, definitions: Definitions): JsonSchema => {
  const target =
    schema.$ref === undefined ? undefined : definitions[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)]
  if (target !== undefined && isOwnTitle(target["title"])) {
    return { ...withoutOwnWords(inlined(target, definitions)), ...withoutOwnWords(without(schema, "$ref")) }
  }
  const [only, ...more] = (schema["allOf"] ?? []) as ReadonlyArray<JsonSchema>
  if (only === undefined || more.length > 0) return schema
  return { ...withoutOwnWords(inlined(only, definitions)), ...withoutOwnWords(without(schema, "allOf")) }
}

/** Removes the library's ids for `{}` and "anything". */
const withoutIds = (schema: JsonSchema): JsonSchema =>
  schema["$id"] === "/schemas/%7B%7D"
    ? { type: "object" }
    : schema["$id"] === "/schemas/unknown"
      ? {}
      : without(schema, "$id", "$comment")

const isNull = (schema: JsonSchema): boolean => schema.type === "null"
const isEnum = (schema: JsonSchema): boolean => typeof schema.type === "string" && schema.enum !== undefined

/** Simplifies unions of literals, of a type and null, and of tagged objects. */
const tidyUnion = (schema: JsonSchema): JsonSchema => {
  const members = schema.anyOf
  if (members === undefined) return schema
  const rest = without(schema, "anyOf")
  const [first] = members
  if (first !== undefined && members.every((member) => isEnum(member) && member.type === first.type)) {
    return { ...rest, type: first.type ?? "string", enum: members.flatMap((member) => member.enum ?? []) }
  }
  const [one, ...others] = members.filter((member) => !isNull(member))
  if (one !== undefined && others.length === 0 && members.length === 2 && typeof one.type === "string") {
    const values = one.const === undefined ? one.enum : [one.const]
    return {
      ...without(one, "const"),
      ...rest,
      type: [one.type, "null"],
      ...(values === undefined ? {} : { enum: [...values, null] })
    }
  }
  return members.every((member) => member.properties?.["status"]?.const !== undefined)
    ? { ...rest, oneOf: members }
    : schema
}

const tidyKeywords = (schema: JsonSchema): JsonSchema => {
  const patterns = schema["patternProperties"] as Readonly<Record<string, JsonSchema>> | undefined
  const values = patterns?.[""]
  const isWhole = schema.type === "integer" && schema["exclusiveMinimum"] === 0
  return {
    ...without(
      schema,
      ...(schema.required?.length === 0 ? ["required"] : []),
      ...(schema["minLength"] === 0 ? ["minLength"] : []),
      ...(schema.enum?.length === 1 ? ["enum"] : []),
      ...(Object.keys(schema.properties ?? { some: 1 }).length === 0 && schema.additionalProperties !== false
        ? ["properties"]
        : []),
      ...(values === undefined ? [] : ["patternProperties", "properties"]),
      ...(isWhole ? ["exclusiveMinimum"] : [])
    ),
    ...(schema.enum?.length === 1 ? { const: schema.enum[0] } : {}),
    ...(isWhole ? { minimum: 1 } : {}),
    ...(values === undefined ? {} : { additionalProperties: values })
  }
}

/** Applies `f` to a schema's parts, but not to properties with a keyword's name. */
const mapParts = (schema: JsonSchema, f: (part: JsonSchema) => JsonSchema): JsonSchema => ({
  ...schema,
  ...(schema.properties === undefined ? {} : { properties: mapValues(schema.properties, f) }),
  ...(schema.items === undefined ? {} : { items: f(schema.items) }),
  ...(schema.anyOf === undefined ? {} : { anyOf: schema.anyOf.map(f) }),
  ...(schema.oneOf === undefined ? {} : { oneOf: schema.oneOf.map(f) }),
  ...(typeof schema.additionalProperties === "object" ? { additionalProperties: f(schema.additionalProperties) } : {}),
  ...(schema["propertyNames"] === undefined ? {} : { propertyNames: f(schema["propertyNames"] as JsonSchema) })
})

const tidy = (schema: JsonSchema, definitions: Definitions): JsonSchema => {
  const plain = tidyKeywords(withoutOwnWords(inlined(withoutIds(schema), definitions)))
  return tidyUnion(mapParts(plain, (part) => tidy(part, definitions)))
}

/** Allows unknown properties in answers, which may grow. Requests stay closed. */
export const opened = (schema: JsonSchema): JsonSchema =>
  mapParts(schema.additionalProperties === false ? without(schema, "additionalProperties") : schema, opened)

/** The definitions that a schema refers to, directly or through others. */
export const reached = (schema: unknown, definitions: Definitions, names: Set<string> = new Set()): Set<string> => {
  for (const [, name = ""] of JSON.stringify(schema ?? null).matchAll(/"#\/(?:components\/schemas|\$defs)\/(\w+)"/g)) {
    if (names.has(name)) continue
    names.add(name)
    reached(definitions[name], definitions, names)
  }
  return names
}

/** Renders schemas that share the definitions under `root`. */
export const makeRenderer = (root: string = SCHEMAS) => {
  const raw: Record<string, JSONSchema.JsonSchema7> = {}
  const read = () => raw as unknown as Definitions
  return {
    /** Renders the wire form of a schema. */
    render: (schema: Schema.Schema.Any): JsonSchema =>
      tidy(
        JSONSchema.fromAST(schema.ast, {
          definitions: raw,
          definitionPath: root,
          target: "openApi3.1",
          topLevelReferenceStrategy: "keep"
        }) as unknown as JsonSchema,
        read()
      ),
    /** The named schemas found so far. */
    definitions: (): Definitions =>
      mapValues(
        Object.fromEntries(Object.entries(read()).filter(([, schema]) => !isOwnTitle(schema["title"]))),
        (schema) => tidy(schema, read())
      )
  }
}
