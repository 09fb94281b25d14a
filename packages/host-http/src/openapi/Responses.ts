import { RATE_WINDOW_SECONDS } from "@outbound/domain/calls/keys/RateWindow.js"
import { type Definitions, type JsonSchema, object, opened, ref, SCHEMAS } from "@outbound/domain/verbs/JsonSchema.js"
import { allErrorsOf, type AnyVerb, type Route as Address } from "@outbound/domain/verbs/Verb.js"
import {
  INVALID_REASONS,
  TRANSPORT_STATUS,
  WIRE,
  WIRE_CODES,
  type WireCode
} from "@outbound/domain/kernel/errors/Wire.js"
import type { Schema } from "effect"

/** A verb's name as a component's: `find_leads` becomes `FindLeads`. */
export const pascal = (text: string): string =>
  text
    .split("_")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")

type TransportReason = keyof typeof TRANSPORT_STATUS
const TRANSPORT_REASONS = Object.keys(TRANSPORT_STATUS) as ReadonlyArray<TransportReason>
const isTransport = (reason: string): boolean => Object.hasOwn(TRANSPORT_STATUS, reason)

const componentOf = (code: WireCode): string => `${pascal(code)}Error`
const transportComponentOf = (reason: TransportReason): string => `${pascal(reason)}Error`

const RETRY_WORDS = {
  never: "Do not retry unchanged.",
  same_key: "Retry with the same Idempotency-Key.",
  poll: "Do not retry: poll the operation."
} as const

const has = (properties: JsonSchema["properties"]): boolean => Object.keys(properties ?? {}).length > 0

const errorOf = (code: WireCode, details: JsonSchema, detailsRef: JsonSchema = details): JsonSchema => {
  const fields = {
    code: { type: "string", const: code },
    message: { type: "string" },
    request_id: { type: "string", format: "uuid" }
  }
  const isOptional = (details.required ?? []).length === 0
  return {
    ...object(
      { ...fields, ...(has(details.properties) ? { details: detailsRef } : {}) },
      isOptional ? ["details"] : []
    ),
    description: RETRY_WORDS[WIRE[code].retry]
  }
}

/** `details` with the reasons narrowed to those that come with its status. */
const withReasons = (details: JsonSchema, reasons: ReadonlyArray<string>): JsonSchema => {
  // Only for a body that is too large, which has its own schema.
  const { max_bytes: _, ...properties } = details.properties ?? {}
  return { ...details, properties: { ...properties, reason: { type: "string", enum: reasons } } }
}

/** Codes with the same details share a schema, named after their first word. */
const sharedDetails = (details: ReadonlyMap<WireCode, JsonSchema>): ReadonlyMap<WireCode, string> => {
  const alike = new Map<string, Array<WireCode>>()
  for (const [code, schema] of details) {
    const text = JSON.stringify(schema)
    if (has(schema.properties)) alike.set(text, [...(alike.get(text) ?? []), code])
  }
  const named = [...alike.values()]
    .filter((codes) => codes.length > 1)
    .flatMap((codes) => {
      const words = new Set(codes.map((code) => code.split("_")[0] ?? ""))
      const [word = ""] = words.size === 1 ? words : codes
      return codes.map((code) => [code, `${pascal(word)}Details`] as const)
    })
  return new Map(named)
}

/** A schema for every error, and the details that several share. */
export const errorSchemas = (render: (schema: Schema.Top) => JsonSchema): Definitions => {
  const detailsOf = (code: WireCode): JsonSchema => {
    const details = opened(render(WIRE[code].details))
    return code === "invalid_request"
      ? withReasons(
          details,
          INVALID_REASONS.filter((reason) => !isTransport(reason))
        )
      : details
  }
  const details = new Map(WIRE_CODES.map((code) => [code, detailsOf(code)]))
  const shared = sharedDetails(details)
  const codes = [...details].map(([code, schema]) => {
    const name = shared.get(code)
    return [componentOf(code), errorOf(code, schema, name === undefined ? schema : ref(name))] as const
  })
  const transport = TRANSPORT_REASONS.map((reason) => {
    const bytes = reason === "body_too_large" ? { max_bytes: { type: "integer", minimum: 1 } } : {}
    const schema = object({ reason: { type: "string", const: reason }, ...bytes })
    return [transportComponentOf(reason), errorOf("invalid_request", schema)] as const
  })
  const common = [...shared].map(([code, name]) => [name, details.get(code) ?? {}] as const)
  return Object.fromEntries([...codes, ...transport, ...common])
}

/** An error code and the name of its schema. */
interface Failure {
  readonly code: WireCode
  readonly shape: string
}

/** A verb's errors, by status. */
const failuresOf = (verb: AnyVerb): ReadonlyMap<number, ReadonlyArray<Failure>> => {
  const failures = new Map<number, Array<Failure>>()
  const add = (status: number, code: WireCode, shape: string) =>
    failures.set(status, [...(failures.get(status) ?? []), { code, shape }])
  for (const code of WIRE_CODES.filter((one) => allErrorsOf(verb).includes(one))) {
    add(WIRE[code].status, code, componentOf(code))
  }
  if (verb.route.method !== "GET") {
    for (const reason of ["body_too_large", "unsupported_media_type"] as const) {
      add(TRANSPORT_STATUS[reason], "invalid_request", transportComponentOf(reason))
    }
  }
  return new Map([...failures].sort(([one], [other]) => one - other))
}

/** Responses by status. */
export type Responses = Readonly<Record<string, ResponseObject | { readonly $ref: string }>>

export interface ResponseObject {
  readonly description: string
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>
  readonly content: {
    readonly "application/json": { readonly schema: JsonSchema }
    readonly "text/event-stream"?: { readonly schema: JsonSchema; readonly example: string }
  }
}

export const HEADERS = {
  "x-request-id": {
    description: "The id of the call: `svc.request_id` or `error.request_id`. For a replay, the original call's.",
    schema: { type: "string", format: "uuid" }
  },
  "RateLimit-Policy": {
    description: `The key's rate: \`"key";q=<requests>;w=${RATE_WINDOW_SECONDS}\`. Absent if the key is unknown.`,
    schema: { type: "string" },
    example: `"key";q=300;w=${RATE_WINDOW_SECONDS}`
  },
  RateLimit: {
    description: 'The remaining requests: `"key";r=<requests>;t=<seconds until some come back>`.',
    schema: { type: "string" },
    example: '"key";r=299;t=60'
  },
  "Retry-After": {
    description: "Seconds to wait before repeating the call with the same Idempotency-Key.",
    schema: { type: "integer", minimum: 1 }
  },
  "WWW-Authenticate": { description: "The scheme of the credential.", schema: { type: "string", const: "Bearer" } }
} as const

export const planSchema = (verb: AnyVerb, would: JsonSchema): JsonSchema => ({
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
      credits_estimate: { ...ref("Credits"), description: "The most that the real call can charge." },
      would_exceed: {
        type: "array",
        items: { type: "string" },
        description: "The limits that the real call would exceed, by error code."
      },
      warnings: { type: "array", items: { type: "string" } },
      would
    })
  }),
  description: "The plan of a dry run. Nothing was looked up, reserved, charged or sent."
})

export const BILLING: JsonSchema = {
  ...object(
    {
      request_id: { type: "string", format: "uuid" },
      credits_charged: { ...ref("Credits"), description: "The exact charge of this call." },
      credits_available: { ...ref("Credits"), description: "The credits available after it." },
      replayed: { type: "boolean", description: "Whether this is the stored result of an earlier call." },
      route: object({ used: ref("Route"), source: { type: "string", enum: ["request", "key", "guess", "default"] } })
    },
    ["replayed", "route"]
  ),
  description: "The billing of the call."
}

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

/** The member `error`, discriminated by its code. */
const failureSchema = (failures: ReadonlyArray<Failure>): JsonSchema => {
  const [first, ...more] = failures
  if (first !== undefined && more.length === 0) return object({ error: ref(first.shape) })
  const mapping = Object.fromEntries(failures.map(({ code, shape }) => [code, `${SCHEMAS}${shape}`]))
  return object({
    error: { oneOf: failures.map(({ shape }) => ref(shape)), discriminator: { propertyName: "code", mapping } }
  })
}

const failureResponse = (status: number, failures: ReadonlyArray<Failure>): ResponseObject => {
  const codes = failures.map(({ code }) => code)
  return response(codes.map((code) => `\`${code}\``).join(", "), failureSchema(failures), [
    ...(status === 401 ? (["WWW-Authenticate"] as const) : RATE_HEADERS),
    ...(codes.some((code) => RETRY_CODES.includes(code)) ? (["Retry-After"] as const) : [])
  ])
}

/** The error codes of approvals, which occur together. */
const isApprovalState = ({ code }: Failure): boolean => code.startsWith("approval_")

/**
 * Names a response after its errors: `NotFoundResponse`, `PaymentRequiredOrInsufficientCreditsResponse`. Its end differs from
 * a schema's, because programs that write clients make one type of each name, whatever kind of component has it.
 */
const responseName = (failures: ReadonlyArray<Failure>): string => {
  const names = failures.filter((one) => !isApprovalState(one)).map(({ shape }) => shape.replace(/Error$/, ""))
  return `${[...names, ...(failures.some(isApprovalState) ? ["ApprovalState"] : [])].join("Or")}Response`
}

/** Operations with the same errors share a response. */
export const failureResponses = (verb: AnyVerb, shared: Record<string, ResponseObject>): Responses =>
  Object.fromEntries(
    [...failuresOf(verb)].map(([status, failures]) => {
      const name = responseName(failures)
      shared[name] ??= failureResponse(status, failures)
      return [String(status), { $ref: `#/components/responses/${name}` }]
    })
  )

/** The result with its billing, in the route's form. */
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
      "With `stream: true`: server-sent events with one line of `data` each: the upstream's chunks, then one with `usage` and `svc`, then `[DONE]`. If the upstream breaks off, the last event is `{error}` instead."
  },
  example:
    'data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\ndata: {"choices":[],"usage":{"prompt_tokens":2,"completion_tokens":1,"total_tokens":3},"svc":{"request_id":"018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70","credits_charged":"0.0003","credits_available":"299.9997"}}\n\ndata: [DONE]\n\n'
} as const

export const success = (verb: AnyVerb, answer: JsonSchema, address: Address): ResponseObject => {
  const plain = response("Success.", successSchema(answer, address), RATE_HEADERS)
  return verb.streams ? { ...plain, content: { ...plain.content, "text/event-stream": EVENTS } } : plain
}
