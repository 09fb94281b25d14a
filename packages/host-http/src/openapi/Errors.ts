import {
  INVALID_REASONS,
  TRANSPORT_STATUS,
  WIRE,
  type WireCode,
  WIRE_CODES
} from "@outbound/domain/kernel/errors/Wire.js"
import { type Definitions, type JsonSchema, object, opened, ref } from "@outbound/domain/verbs/JsonSchema.js"
import { allErrorsOf, type AnyVerb } from "@outbound/domain/verbs/Verb.js"
import type { Schema } from "effect"
import { pascal } from "./names.js"

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

/** The schema of an error. */
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
export const errorSchemas = (render: (schema: Schema.Schema.Any) => JsonSchema): Definitions => {
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
export interface Failure {
  readonly code: WireCode
  readonly shape: string
}

/** A verb's errors, by status. */
export const failuresOf = (verb: AnyVerb): ReadonlyMap<number, ReadonlyArray<Failure>> => {
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
