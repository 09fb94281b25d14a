import { type Schema, SchemaAST as AST } from "effect"
import { filtersOf, type Keywords, keywordsOf, ownSchema, saidInPlace, wireOf } from "./keywords.js"

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

const without = (schema: JsonSchema, ...keywords: ReadonlyArray<string>): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))

const mapValues = <A, B>(record: Readonly<Record<string, A>>, f: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value)]))

const isNull = (schema: JsonSchema): boolean => schema.type === "null"
const choicesOf = ({ const: only, enum: choices }: JsonSchema): ReadonlyArray<unknown> | undefined =>
  choices ?? (only === undefined ? undefined : [only])
const isEnum = (schema: JsonSchema): boolean => typeof schema.type === "string" && choicesOf(schema) !== undefined

/** Simplifies unions of literals, of a type and null, and of tagged objects. */
const tidyUnion = (schema: JsonSchema): JsonSchema => {
  const members = schema.anyOf
  if (members === undefined) return schema
  const rest = without(schema, "anyOf")
  const [first] = members
  if (first !== undefined && members.every((member) => isEnum(member) && member.type === first.type)) {
    return { ...rest, type: first.type ?? "string", enum: members.flatMap((member) => choicesOf(member) ?? []) }
  }
  const [one, ...others] = members.filter((member) => !isNull(member))
  if (one !== undefined && others.length === 0 && members.length === 2 && typeof one.type === "string") {
    if (choicesOf(one) === undefined) return { ...one, ...rest, type: [one.type, "null"] }
    // Null among the values of an enumeration is more than many generators of code expect.
    const { description, ...choice } = one
    return { ...(description === undefined ? {} : { description }), ...rest, anyOf: [choice, { type: "null" }] }
  }
  return members.every((member) => member.properties?.["status"]?.const !== undefined)
    ? { ...rest, oneOf: members }
    : schema
}

const tidyKeywords = (schema: JsonSchema): JsonSchema => {
  const isWhole = schema.type === "integer" && schema["exclusiveMinimum"] === 0
  return {
    ...without(
      schema,
      ...(schema["minLength"] === 0 ? ["minLength"] : []),
      ...(schema.enum?.length === 1 ? ["enum"] : []),
      ...(isWhole ? ["exclusiveMinimum"] : [])
    ),
    ...(schema.enum?.length === 1 ? { const: schema.enum[0] } : {}),
    ...(isWhole ? { minimum: 1 } : {})
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

const tidy = (schema: JsonSchema): JsonSchema => tidyUnion(tidyKeywords(schema))

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

const WORDS = ["title", "description", "format", "examples", "default"] as const

/** What stands alone in an `allOf` can stand beside it. */
const unwrapped = ({ allOf, ...rest }: Keywords): Keywords => {
  const [only, ...more] = Array.isArray(allOf) ? allOf : []
  return only === undefined || more.length > 0
    ? { ...(allOf === undefined ? {} : { allOf }), ...rest }
    : { ...rest, ...only }
}

/** What a schema says of itself: before its filters, and after each. */
const annotationsOf = (ast: AST.AST): Keywords =>
  Object.assign({}, ast.annotations, ...filtersOf(ast).map(({ annotations }) => annotations))

const wordsIn = (annotations: Keywords): JsonSchema =>
  Object.fromEntries(WORDS.flatMap((name) => (annotations[name] === undefined ? [] : [[name, annotations[name]]])))

/** A type's words. Its own JSON Schema has all that the type says before its filters. */
const wordsOf = (ast: AST.AST): JsonSchema => {
  const before = ownSchema(ast.annotations) === undefined ? wordsIn(ast.annotations ?? {}) : {}
  return Object.assign(before, ...filtersOf(ast).map(({ annotations }) => wordsIn(annotations ?? {})))
}

/** What is said of a wire form at this place, beside its own words. */
const addedWords = (type: AST.AST, wire: AST.AST): JsonSchema => ({
  ...(type === wire ? {} : wordsIn(annotationsOf(type))),
  ...wordsIn(saidInPlace(annotationsOf(type)))
})

const literalSchema = (value: AST.LiteralValue): JsonSchema => ({ type: typeof value, enum: [value] })

/** Renders schemas that share the definitions under `root`. */
export const makeRenderer = (root: string = SCHEMAS) => {
  const definitions: Record<string, JsonSchema> = {}

  const objectOf = ({ indexSignatures, propertySignatures }: AST.Objects): JsonSchema => {
    const required = propertySignatures.filter(({ type }) => !AST.isOptional(type)).map(({ name }) => String(name))
    const [values] = indexSignatures
    if (propertySignatures.length === 0 && values === undefined) return { type: "object" }
    return {
      type: "object",
      ...(required.length === 0 ? {} : { required }),
      ...(propertySignatures.length === 0
        ? {}
        : {
            properties: Object.fromEntries(
              propertySignatures.map(({ name, type }) => [String(name), rendered(type)] as const)
            )
          }),
      additionalProperties: values === undefined ? false : rendered(values.type),
      ...(values === undefined || plainText(values.parameter) ? {} : { propertyNames: rendered(values.parameter) })
    }
  }

  const plainText = (ast: AST.AST): boolean => AST.isString(ast) && ast.checks === undefined

  const bare = (ast: AST.AST): JsonSchema => {
    switch (ast._tag) {
      case "String":
      case "TemplateLiteral":
        return { type: "string" }
      case "Number":
        return { type: "number" }
      case "Boolean":
        return { type: "boolean" }
      case "Null":
        return { type: "null" }
      case "Literal":
        return literalSchema(ast.literal)
      case "Arrays": {
        const [item] = ast.rest
        return { type: "array", ...(item === undefined ? {} : { items: rendered(item) }) }
      }
      case "Objects":
        return objectOf(ast)
      case "Union": {
        if (ast.types.some(AST.isUnknown)) return {}
        const members = ast.types.filter((type) => !AST.isUndefined(type)).map(rendered)
        const [only, ...others] = members
        return only !== undefined && others.length === 0 ? only : { anyOf: members }
      }
      case "Suspend":
        return rendered(ast.thunk())
      default:
        return {}
    }
  }

  /** A type without its name. */
  const written = (ast: AST.AST): JsonSchema => {
    const demands = filtersOf(ast).map((filter) => unwrapped(keywordsOf(filter, ast)))
    const type = ownSchema(ast.annotations) ?? bare(ast)
    return tidy(Object.assign({}, type, ...demands, wordsOf(ast)))
  }

  const rendered = (type: AST.AST): JsonSchema => {
    const ast = wireOf(type)
    const { identifier } = annotationsOf(ast)
    const added = addedWords(type, ast)
    if (typeof identifier !== "string") return { ...written(ast), ...added }
    if (!Object.hasOwn(definitions, identifier)) {
      // Before its parts, which may name it.
      definitions[identifier] = {}
      definitions[identifier] = written(ast)
    }
    return { ...ref(identifier, root), ...added }
  }

  return {
    /** Renders the wire form of a schema. */
    render: (schema: Schema.Top): JsonSchema => rendered(schema.ast),
    /** The named schemas found so far. */
    definitions: (): Definitions => ({ ...definitions })
  }
}
