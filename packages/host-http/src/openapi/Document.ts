import { RATE_WINDOW_SECONDS } from "@outbound/domain/keys/RateWindow.js"
import { CreditsFromWire } from "@outbound/domain/money/Credits.js"
import {
  type Definitions,
  type JsonSchema,
  makeRenderer,
  object,
  opened,
  reached,
  ref
} from "@outbound/domain/verbs/JsonSchema.js"
import { Route, Timestamp } from "@outbound/domain/verbs/fields.js"
import { type AnyVerb, type Route as Address, routesOf } from "@outbound/domain/verbs/Verb.js"
import { INTERFACE_VERSION } from "@outbound/domain/verbs/version.js"
import { errorSchemas, type Failure, failuresOf } from "./Errors.js"
import { exampleOf } from "./Example.js"

export interface Operation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly requestBody?: {
    readonly required: boolean
    readonly content: { readonly "application/json": { readonly schema: JsonSchema; readonly example?: unknown } }
  }
  readonly responses: Readonly<Record<string, ResponseObject | { readonly $ref: string }>>
}

export interface ResponseObject {
  readonly description: string
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>
  readonly content: {
    readonly "application/json": { readonly schema: JsonSchema }
    readonly "text/event-stream"?: { readonly schema: JsonSchema; readonly example: string }
  }
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

const HEADERS = {
  "x-request-id": {
    description: "The id of the call: `svc.request_id` or `error.request_id`. Of a replay, the original's.",
    schema: { type: "string", format: "uuid" }
  },
  "RateLimit-Policy": {
    description: `The key's rate: \`"key";q=<requests>;w=${RATE_WINDOW_SECONDS}\`. Absent where the key is unknown.`,
    schema: { type: "string" },
    example: `"key";q=300;w=${RATE_WINDOW_SECONDS}`
  },
  RateLimit: {
    description: 'What is left of it: `"key";r=<requests>;t=<seconds until some come back>`.',
    schema: { type: "string" },
    example: '"key";r=299;t=60'
  },
  "Retry-After": {
    description: "Seconds to wait before the call is repeated with the same Idempotency-Key.",
    schema: { type: "integer", minimum: 1 }
  },
  "WWW-Authenticate": { description: "The scheme of the credential.", schema: { type: "string", const: "Bearer" } }
} as const

const TAGS = [
  { name: "data", description: "Find people, reveal and verify addresses." },
  { name: "sending", description: "Sending capacity, campaigns, replies." },
  { name: "control", description: "Tightening keys, and stopping all sending." },
  { name: "state", description: "What a key may do, what calls and operations came to, and the audit trail." }
] as const

const tagOf = (verb: AnyVerb): (typeof TAGS)[number]["name"] =>
  verb.scope === "control:manage"
    ? "control"
    : verb.route.method === "GET"
      ? "state"
      : verb.planVersion === 3
        ? "data"
        : "sending"

const KEY_WORDS = {
  optional: "The same key with the same body replays the first outcome without a new charge.",
  required: "Required, but for a dry run. The same key with the same body replays the first outcome.",
  required_when_confirmed: "Required with a `confirmation_token`. The same key with the same body replays the outcome."
} as const

const headerParameters = (verb: AnyVerb): ReadonlyArray<Readonly<Record<string, unknown>>> => [
  ...(verb.idempotency === "none"
    ? []
    : [
        {
          name: "Idempotency-Key",
          in: "header",
          required: verb.idempotency === "required",
          description: KEY_WORDS[verb.idempotency],
          schema: { type: "string", minLength: 1, maxLength: 200 }
        }
      ]),
  { $ref: "#/components/parameters/SvcRunId" }
]

const isInPathOf = (verb: AnyVerb, name: string): boolean => verb.route.path.split("/").includes(`:${name}`)

/** The fields that stand in the path; of a `GET` the others as well, in its query. */
const fieldParameters = (verb: AnyVerb, request: JsonSchema, isGet: boolean) =>
  Object.entries(request.properties ?? {}).flatMap(([name, schema]) => {
    const { description, ...rest } = schema
    const isInPath = isInPathOf(verb, name)
    if (!isGet && !isInPath) return []
    const parameter = {
      name,
      in: isInPath ? "path" : "query",
      required: isInPath || (request.required ?? []).includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest
    }
    return [parameter]
  })

/** What is left for the body once the path has taken its own. */
const bodyOf = (verb: AnyVerb, request: JsonSchema): JsonSchema => {
  const without = (fields: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !isInPathOf(verb, name)))
  const properties = without(request.properties ?? {}) as Record<string, JsonSchema>
  if (Object.keys(properties).length === Object.keys(request.properties ?? {}).length) return request
  const { required = [], examples, ...rest } = request
  const left = required.filter((name) => !isInPathOf(verb, name))
  return {
    ...rest,
    ...(left.length === 0 ? {} : { required: left }),
    properties,
    ...(examples === undefined ? {} : { examples: examples.map((one) => without(one as Record<string, unknown>)) })
  }
}

const planSchema = (verb: AnyVerb, would: JsonSchema): JsonSchema => ({
  ...object({
    dry_run: { type: "boolean", const: true },
    advisory: { type: "boolean", const: true },
    evaluated_at: ref("Timestamp"),
    plan: object({
      verb: { type: "string", const: verb.name },
      plan_version: { type: "integer", const: verb.planVersion },
      input_version: {
        type: "string",
        pattern: "^[0-9a-f]{64}$",
        description: "SHA-256 of the canonical request without `dry_run` and tokens."
      },
      credits_estimate: { ...ref("Credits"), description: "The most that the real call could charge." },
      would_exceed: {
        type: "array",
        items: { type: "string" },
        description: "The limits that the real call would trip, by the code that it would answer with."
      },
      warnings: { type: "array", items: { type: "string" } },
      would
    })
  }),
  description: "The plan of a dry run: nothing was looked up, reserved, charged or sent."
})

const headersOf = (names: ReadonlyArray<keyof typeof HEADERS>) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const response = (
  description: string,
  schema: JsonSchema,
  headers: ReadonlyArray<keyof typeof HEADERS>
): ResponseObject => ({
  description,
  headers: headersOf(["x-request-id", ...headers]),
  content: { "application/json": { schema } }
})

const RATE_HEADERS = ["RateLimit-Policy", "RateLimit"] as const
const RETRY_CODES = ["rate_limited", "provider_unavailable"]

const failureResponse = (status: number, failures: ReadonlyArray<Failure>): ResponseObject => {
  const codes = failures.map(({ code }) => code)
  const [first] = failures
  const schema =
    failures.length === 1 && first !== undefined ? ref(first.shape) : { oneOf: failures.map(({ shape }) => ref(shape)) }
  return response(codes.map((code) => `\`${code}\``).join(", "), schema, [
    ...(status === 401 ? (["WWW-Authenticate"] as const) : RATE_HEADERS),
    ...(codes.some((code) => RETRY_CODES.includes(code)) ? (["Retry-After"] as const) : [])
  ])
}

/** A status with one code is the same response wherever it stands, and has the name of its shape. */
const failureResponses = (verb: AnyVerb, shared: Record<string, ResponseObject>): Operation["responses"] =>
  Object.fromEntries(
    [...failuresOf(verb)].map(([status, failures]) => {
      const [first, ...more] = failures
      if (first === undefined || more.length > 0) return [String(status), failureResponse(status, failures)]
      shared[first.shape] ??= failureResponse(status, failures)
      return [String(status), { $ref: `#/components/responses/${first.shape}` }]
    })
  )

const BILLING: JsonSchema = {
  ...object(
    {
      request_id: { type: "string", format: "uuid" },
      credits_charged: { ...ref("Credits"), description: "The exact charge of this call." },
      credits_available: { ...ref("Credits"), description: "What is left after it." },
      replayed: { type: "boolean", description: "Whether this is the stored outcome of an earlier call." },
      route: object({ used: ref("Route"), source: { type: "string", enum: ["request", "key", "guess", "default"] } })
    },
    ["replayed", "route"]
  ),
  description: "What the call cost."
}

/** The result with its billing, as the address writes it. */
const successSchema = (answer: JsonSchema, { form }: Address): JsonSchema =>
  form !== "top_level"
    ? object({ result: answer, svc: ref("Billing") })
    : {
        ...answer,
        required: [...(answer.required ?? []), "svc"],
        properties: { ...answer.properties, svc: ref("Billing") }
      }

const EVENTS = {
  schema: {
    type: "string",
    description:
      "With `stream: true`: server-sent events of one line of `data` each. The chunks of the upstream as they come; then one with `usage` and `svc`; then `[DONE]`. Where the upstream breaks off, the last event is `{error}` instead."
  },
  example:
    'data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\ndata: {"choices":[],"usage":{"prompt_tokens":2,"completion_tokens":1,"total_tokens":3},"svc":{"request_id":"018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70","credits_charged":"0.0003","credits_available":"299.9997"}}\n\ndata: [DONE]\n\n'
} as const

const success = (verb: AnyVerb, answer: JsonSchema, address: Address): ResponseObject => {
  const plain = response("Success.", successSchema(answer, address), RATE_HEADERS)
  return verb.streams ? { ...plain, content: { ...plain.content, "text/event-stream": EVENTS } } : plain
}

/** A verb's further addresses are operations of their own, named for where they differ. */
const operationIdOf = (verb: AnyVerb, address: Address): string =>
  address === verb.route ? verb.name : `${verb.name}_${address.path.split("/").at(-1) ?? ""}`

const operation = (of: {
  readonly verb: AnyVerb
  readonly address: Address
  readonly request: JsonSchema
  readonly result: JsonSchema
  readonly would: JsonSchema | null
  readonly example: unknown
  /** Responses that several operations have in common are put here. */
  readonly shared: Record<string, ResponseObject>
}): Operation => {
  const { address, example, request, result, shared, verb, would } = of
  const isGet = address.method === "GET"
  const body = bodyOf(verb, request)
  const alternatives = [...(result.oneOf ?? [result]), ...(would === null ? [] : [planSchema(verb, would)])]
  const answer = alternatives.length === 1 ? result : { oneOf: alternatives }
  const scope = verb.scope === null ? "Any key may call it." : `Needs the scope \`${verb.scope}\`.`
  return {
    operationId: operationIdOf(verb, address),
    tags: [tagOf(verb)],
    summary: verb.summary,
    description: `${verb.description}\n\n${scope}`,
    parameters: [...fieldParameters(verb, request, isGet), ...headerParameters(verb)],
    ...(isGet
      ? {}
      : {
          requestBody: {
            required: (request.required ?? []).length > 0,
            content: { "application/json": { schema: body, ...(example === undefined ? {} : { example }) } }
          }
        }),
    responses: {
      "200": success(verb, answer, address),
      ...failureResponses(verb, shared)
    }
  }
}

const openPath = (path: string): string => path.replace(/:(\w+)/g, "{$1}")

/** The machine-readable description of every verb: what is accepted, and what is answered. */
export const openApiDocument = (verbs: ReadonlyArray<AnyVerb>, baseUrl: string): OpenApiDocument => {
  const { definitions, render } = makeRenderer()
  for (const shared of [CreditsFromWire, Timestamp, Route]) render(shared)
  const requests = verbs.map((verb) => render(verb.request))
  const results = verbs.map((verb) => opened(render(verb.result)))
  const woulds = verbs.map((verb) => (verb.would === null ? null : opened(render(verb.would))))
  const errors = errorSchemas(render)
  const shapes = definitions()
  const closed = reached(requests, shapes)
  const schemas: Definitions = {
    ...Object.fromEntries(
      Object.entries(shapes).map(([name, schema]) => [name, closed.has(name) ? schema : opened(schema)])
    ),
    Billing: BILLING
  }
  const paths: Record<string, Record<string, Operation>> = {}
  const responses: Record<string, ResponseObject> = {}
  for (const [index, verb] of verbs.entries()) {
    const request = requests[index] ?? {}
    for (const address of routesOf(verb)) {
      const path = openPath(address.path)
      paths[path] = {
        ...paths[path],
        [address.method.toLowerCase()]: operation({
          verb,
          address,
          request,
          result: results[index] ?? {},
          would: woulds[index] ?? null,
          example: exampleOf(bodyOf(verb, request), schemas),
          shared: responses
        })
      }
    }
  }
  const used = reached([paths, responses], { ...schemas, ...errors })
  const all = Object.entries({ ...schemas, ...errors }).filter(([name]) => used.has(name))
  return {
    openapi: "3.1.0",
    info: {
      title: "outbound",
      version: INTERFACE_VERSION,
      summary: "An outbound sales loop that agents run and humans approve.",
      description:
        "Every success is `{result, svc}` (chat in the form of its client libraries: the result's members and `svc`), every failure `{error}`. Retry only `rate_limited`, `provider_unavailable` and `internal`, with the same Idempotency-Key. Unknown fields and query parameters are refused, but for the fields of a chat.",
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
          description: "The run whose budget the call spends. A key can be set to require it.",
          schema: { type: "string", format: "uuid" }
        }
      },
      headers: HEADERS,
      responses,
      schemas: Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)))
    }
  }
}
