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
import { errorSchemas } from "./Errors.js"
import { pascal } from "./names.js"
import { bodyOf, openPath, operation, type Operation, TAGS } from "./Operation.js"
import { BILLING, HEADERS, type ResponseObject } from "./Responses.js"
import { shareParts } from "./Sharing.js"

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
