import { CreditsFromWire } from "@outbound/domain/kernel/money/Credits.js"
import { Route, Timestamp } from "@outbound/domain/verbs/fields.js"
import {
  type Definitions,
  type JsonSchema,
  makeRenderer,
  opened,
  reached,
  ref,
  SCHEMAS
} from "@outbound/domain/verbs/JsonSchema.js"
import { type AnyVerb, routesOf } from "@outbound/domain/verbs/Verb.js"
import { INTERFACE_VERSION } from "@outbound/domain/verbs/version.js"
import { bodyOf, openPath, type Operation, operation, TAGS } from "./Operation.js"
import { BILLING, errorSchemas, HEADERS, pascal, type ResponseObject } from "./Responses.js"

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
const shareParts = (components: Definitions): Mapped => {
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

const FORMATS: Readonly<Record<string, string>> = {
  uuid: "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70",
  "date-time": "2026-01-02T03:04:05.678Z",
  uri: "https://social.example/in/ada"
}

const isDefined = (value: unknown): boolean => value !== undefined

/**
 * An example made from a schema: its own examples where it has some, else its required parts. Undefined where it says
 * too little to tell.
 */
const exampleOf = (schema: JsonSchema, definitions: Definitions): unknown => {
  if (schema.$ref !== undefined) return exampleOf(definitions[schema.$ref.slice(SCHEMAS.length)] ?? {}, definitions)
  const given = [schema.examples?.[0], schema.const, schema.enum?.[0], FORMATS[String(schema["format"])]].find(
    isDefined
  )
  if (given !== undefined) return given
  if (schema.type === "array") {
    const item = exampleOf(schema.items ?? {}, definitions)
    return item === undefined ? [] : [item]
  }
  if (schema.type === "integer" || schema.type === "number") return schema["minimum"] ?? 1
  if (schema.type === "object") {
    const members = (schema.required ?? []).map((name) => {
      const part = schema.properties?.[name] ?? {}
      return [name, exampleOf(part, definitions)] as const
    })
    return members.every(([, value]) => isDefined(value)) ? Object.fromEntries(members) : undefined
  }
  return undefined
}

export interface OpenApiDocument {
  readonly openapi: "3.1.0"
  readonly info: Readonly<Record<string, unknown>> & { readonly version: string }
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Definitions } & Readonly<Record<string, unknown>>
}

/** The OpenAPI document of all verbs. */
export const openApiDocument = (verbs: ReadonlyArray<AnyVerb>, baseUrl: string): OpenApiDocument => {
  const { definitions, render } = makeRenderer()
  for (const shared of [CreditsFromWire, Timestamp, Route]) render(shared)
  const raw = verbs.map((verb) => ({
    verb,
    request: render(verb.request),
    result: opened(render(verb.result)),
    would: verb.would === null ? null : opened(render(verb.would))
  }))
  const errors = errorSchemas(render)
  const shapes = definitions()
  const closed = reached(
    raw.map(({ request }) => request),
    shapes
  )
  const components: Definitions = {
    ...Object.fromEntries(
      Object.entries(shapes).map(([name, schema]) => [name, closed.has(name) ? schema : opened(schema)])
    ),
    ...errors,
    Billing: BILLING
  }
  const share = shareParts(components)
  const schemas = Object.fromEntries(Object.entries(components).map(([name, schema]) => [name, share(schema)]))
  const paths: Record<string, Record<string, Operation>> = {}
  const responses: Record<string, ResponseObject> = {}
  for (const { result, verb, would, ...of } of raw) {
    const request = share(of.request)
    const routes = routesOf(verb)
    const own = bodyOf(verb, request)
    const name = `${pascal(verb.name)}Request`
    // Share the schema between routes.
    if (routes.length > 1) schemas[name] = own
    for (const address of routes) {
      const path = openPath(address.path)
      paths[path] = {
        ...paths[path],
        [address.method.toLowerCase()]: operation({
          verb,
          address,
          request,
          body: routes.length > 1 ? ref(name) : own,
          result: share(result),
          would: would === null ? null : share(would),
          example: exampleOf(own, schemas),
          shared: responses
        })
      }
    }
  }
  const used = reached([paths, responses], schemas)
  const all = Object.entries(schemas).filter(([name]) => used.has(name))
  return {
    openapi: "3.1.0",
    info: {
      title: "outbound",
      version: INTERFACE_VERSION,
      summary: "An outbound sales loop that agents run and humans approve.",
      description:
        "Every success is `{result, svc}` (for chat, as its client libraries expect: the result's members and `svc`); every failure is `{error}`. Retry only `rate_limited`, `provider_unavailable` and `internal`, with the same Idempotency-Key. Unknown fields and query parameters are refused, except in a chat.",
      contact: { name: "outbound", url: `${baseUrl}/docs` },
      license: { name: "MIT", identifier: "MIT" }
    },
    servers: [{ url: baseUrl }],
    tags: TAGS,
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key: `svc_key_` and 43 characters." }
      },
      parameters: {
        SvcRunId: {
          name: "Svc-Run-Id",
          in: "header",
          required: false,
          description: "The run whose budget the call uses. A key can require it.",
          schema: { type: "string", format: "uuid" }
        }
      },
      headers: HEADERS,
      responses,
      schemas: Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)))
    }
  }
}
